#pragma once

#include <sheaf/page.h>

#include <cstdint>
#include <string_view>
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

}  // namespace sheaf::quality
