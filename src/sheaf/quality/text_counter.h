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
  std::string text;  ///< its beginning
  std::uint64_t pages = 0;
  std::string first_page;  ///< the URL of the first of them
};

/// Finds texts that occur on most pages of a site, in memory that does not depend on their number: a table of
/// fixed size, from which texts that turned out to be rare are dropped when it is full (lossy counting, Manku
/// and Motwani 2002). A text that is on most of the pages seen since it came up is never dropped, so its
/// count is exact unless it was absent for a long stretch; then it is a lower bound.
class TextCounter {
 public:
  static constexpr std::size_t kMostTexts = 16'384;

  void add(std::string_view url, const std::vector<RecurringText>& texts);
  /// Those on at least half of all pages, the most frequent first. Empty if there are too few pages.
  [[nodiscard]] std::vector<CountedText> most_frequent() const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t pages = 0;
    std::uint64_t since = 0;  ///< pages that were seen before it came up
    std::string text;
    std::string first_page;
  };
  void drop_rare();

  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t pages_ = 0;
  std::uint64_t dropped_at_ = 0;  ///< number of pages when rare texts were dropped last
};

}  // namespace sheaf::quality
