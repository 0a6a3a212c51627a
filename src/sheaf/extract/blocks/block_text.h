#pragma once

#include "sheaf/text/padded_text.h"
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Removes white space, no-break spaces and zero-width characters from both ends, so that only visible text
/// is left.
std::string_view trim_blank(std::string_view text);

/// Collapses runs of white space to one space, as browsers do, and trims the text. Replaces `out`.
void collapse_space(std::string_view text, std::string& out);

/// What breaks of lines and paragraphs become in the text being gathered.
enum class BreakStyle : std::uint8_t {
  space,      ///< a space, so that the text is a single line: headings
  line,       ///< every break is a line feed: list items, table cells
  paragraph,  ///< a line feed, and an empty line between paragraphs: quotes
};

/// Gathers the text of one block. Collapses white space across elements, as browsers do. Writes separators
/// only when text follows them, so that nothing has to be trimmed at the end.
class TextBuffer {
 public:
  void start(BreakStyle style) {
    size_ = 0;
    style_ = style;
    breaks_ = 0;
    space_ = false;
    stretches_.clear();
    ++generation_;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string_view text() const { return {text_.data(), size_}; }
  [[nodiscard]] BreakStyle style() const { return style_; }
  /// Pending line breaks, which are written before the next text.
  [[nodiscard]] unsigned breaks() const { return breaks_; }

  /// Appends text of the page with white space collapsed, after the pending separator.
  void append(text::PaddedText text);
  /// Appends text unchanged, after the pending separator.
  void append_exact(std::string_view text);
  /// Appends preformatted text: unchanged and without a separator.
  void append_verbatim(std::string_view text) { put(text); }
  /// Begins a new line of preformatted text, unless the last line is empty.
  void verbatim_line() {
    if (size_ > 0 && text_[size_ - 1] != '\n') append_verbatim("\n");
  }

  void add_space() { space_ = true; }
  void add_break() { ++breaks_; }
  /// Makes sure that there are at least `count` breaks before the next text.
  void need_breaks(unsigned count) {
    if (breaks_ < count) breaks_ = count;
  }

  /// A position in the text that stays usable after start(): in a later text it means the beginning.
  struct Mark {
    std::uint32_t generation = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] Mark mark() const { return {generation_, size_}; }
  [[nodiscard]] std::size_t begin_of(Mark mark) const { return mark.generation == generation_ ? mark.at : 0; }
  [[nodiscard]] std::string_view since(Mark mark) const { return text().substr(begin_of(mark)); }
  /// A range of bytes that is a link or has a format.
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    InlineKind kind = InlineKind::link;
    Text url;
  };
  /// Adds a stretch from a mark to the end of the text, without white space at its ends. Later edits of the
  /// text adjust it.
  void add_stretch(Mark begin, InlineKind kind, Text url = {});
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }

  /// Cuts off the text from `at` on; a separator that was written there is pending again.
  void cut(std::size_t at);
  /// Replaces everything from `at` on.
  void replace_from(std::size_t at, std::string_view replacement);
  void insert(std::size_t at, std::string_view text);

 private:
  static constexpr std::size_t kMaxSeparatorLength = 2;

  /// Writes the pending separator, for which there must be room. Branch-free: a space that is not pending is
  /// overwritten.
  void separate() {
    if (breaks_ > 0) return write_breaks();
    text_[size_] = ' ';
    size_ += (size_ > 0 && space_) ? 1 : 0;
    space_ = false;
  }
  void write_breaks();
  void put(text::PaddedText text);
  void make_room(std::size_t bytes) {
    if (text_.size() < size_ + bytes + text::kCopyPadding) grow(size_ + bytes + text::kCopyPadding);
  }
  void grow(std::size_t bytes);

  std::string text_;      // longer than the text: see text::copy_padded()
  std::size_t size_ = 0;  // of the text
  BreakStyle style_ = BreakStyle::line;
  unsigned breaks_ = 0;
  bool space_ = false;
  std::uint32_t generation_ = 0;
  std::vector<Stretch> stretches_;
};

}  // namespace sheaf::extract
