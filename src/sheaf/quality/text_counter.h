#pragma once

#include "sheaf/quality/page_quality.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sheaf::quality {

/// A text and the number of pages that contain it.
struct CountedText {
  std::string text;  ///< the beginning of the text
  std::uint64_t pages = 0;
  std::string first_page;  ///< URL of the first page that contains it
};

/// Finds texts that occur on most pages of a site, in bounded memory: a table of fixed size. When the table
/// is full, texts that turned out to be rare are dropped (lossy counting, Manku and Motwani 2002). A text
/// that is on most of the pages since its first occurrence is never dropped, so its count is exact. If it was
/// absent from many consecutive pages, it may have been dropped; its count is then a lower bound.
class TextCounter {
 public:
  static constexpr std::size_t kMaxTexts = 16'384;

  void add(std::string_view url, const std::vector<RecurringText>& texts);
  /// The texts that are on at least half of all pages, the most frequent first. Empty if there are too few
  /// pages.
  [[nodiscard]] std::vector<CountedText> most_frequent() const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t pages = 0;
    std::uint64_t since = 0;  ///< number of pages before its first occurrence
    std::string text;
    std::string first_page;
  };
  void drop_rare();

  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t pages_ = 0;
  std::uint64_t dropped_at_ = 0;  ///< number of pages at the last call of drop_rare()
};

}  // namespace sheaf::quality
