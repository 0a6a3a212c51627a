#pragma once

#include <sheaf/page.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sheaf::quality {

/// A text that may recur on other pages of its site.
struct RecurringText {
  std::uint64_t hash = 0;
  std::string_view text;  ///< a view of the page's text; valid as long as the page
};

/// The measurements of a page for the quality report. They are computed by the thread that extracted the
/// page, so that the single thread of the report only has to add them up.
struct PageQuality {
  std::uint64_t chars = 0;    ///< characters of its texts; wide characters count twice
  bool has_media = false;     ///< has content other than text: an image, video, audio, structured data...
  bool has_own_title = true;  ///< false: the title was made from the content or the URL
  /// Visible characters of the HTML page, including navigation; 0 if not counted.
  std::uint64_t shown_chars = 0;
  std::vector<RecurringText> texts = {};  ///< paragraphs, list items and links, without duplicates
};

/// Measures a page. The caller must set `shown_chars` and `has_own_title`. The page must outlive the result.
PageQuality measure_page(const Page& page);

/// A hash that identifies a text within this process. It has a random key, so nobody can prepare collisions.
std::uint64_t hash_of(std::string_view text);

/// Counts the characters of a UTF-8 text. Chinese, Japanese and Korean characters count twice, because they
/// carry more information.
std::uint64_t count_characters(std::string_view text);

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

/// The usual range of kept shares on the pages of a site, in thousandths of a page's text.
struct UsualShare {
  std::uint64_t median = 0;
  std::uint64_t low = 0;   ///< smaller shares are unusual
  std::uint64_t high = 0;  ///< larger shares are unusual
};

/// A histogram, in thousandths, of the kept share: the part of a page's text that extraction keeps. Sites
/// differ too much for fixed bounds: a manual keeps nine tenths of its text, a shop a fifth. So a share is
/// unusual if it is far from the median of the site, measured in median absolute deviations, which a few
/// outliers do not change.
class KeptShareHistogram {
 public:
  static constexpr std::uint64_t kWhole = 1000;

  /// The kept share of a page, in thousandths; nullopt if the page has too little text.
  static std::optional<std::uint64_t> share(std::uint64_t kept_chars, std::uint64_t shown_chars);

  void add(std::uint64_t share) {
    ++counts_[share];
    ++pages_;
  }
  /// The usual range; nullopt if there are too few pages.
  [[nodiscard]] std::optional<UsualShare> usual() const;
  /// The number of pages with a share below `low`, or above `high`.
  [[nodiscard]] std::uint64_t below(std::uint64_t low) const;
  [[nodiscard]] std::uint64_t above(std::uint64_t high) const;

 private:
  std::array<std::uint64_t, kWhole + 1> counts_{};
  std::uint64_t pages_ = 0;
};

}  // namespace sheaf::quality
