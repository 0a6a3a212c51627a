#pragma once

#include <sheaf/page.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::quality {

/// A text that may recur on other pages of its site.
struct RecurringText {
  std::uint64_t hash = 0;
  std::string_view text;  ///< of the page; valid as long as that is
};

/// What the quality report needs of one page. Measured by the thread that made the page, so that the
/// recorder, which has one thread, only adds up.
struct PageQuality {
  std::uint64_t chars = 0;    ///< of its texts; wide characters count twice
  bool has_media = false;     ///< an image, a video or a recording: content without text
  bool has_own_title = true;  ///< false: the title was made from the content or the URL
  /// Visible characters of the HTML page, including navigation; 0 if not counted.
  std::uint64_t shown_chars = 0;
  std::vector<RecurringText> texts = {};  ///< paragraphs, list items and links, each once
};

/// The caller fills in `shown_chars` and `has_own_title`. The page must outlive the result.
PageQuality measure_page(const Page& page);

/// Identifies a text within this process; collisions cannot be prepared.
std::uint64_t hash_of(std::string_view text);

/// Characters of a text in UTF-8; Chinese, Japanese and Korean ones count twice, because they carry more
/// information.
std::uint64_t count_characters(std::string_view text);

}  // namespace sheaf::quality
