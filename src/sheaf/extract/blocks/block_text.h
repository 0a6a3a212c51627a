#pragma once

#include "sheaf/text/padded_text.h"
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Without white space, no-break spaces and zero-width marks at both ends: what is left is something to read.
std::string_view trim_blank(std::string_view text);

/// White space runs become one space, as they show on a page; trimmed. `out` is replaced.
void collapse_space(std::string_view text, std::string& out);

/// What a break of a line or between paragraphs becomes in the text being gathered.
enum class BreakStyle : std::uint8_t {
  space,      ///< one line whatever happens: headings
  line,       ///< every break is a line feed: list items, table cells
  paragraph,  ///< a line feed, and an empty line between paragraphs: quotes
};

/// Gathers the text of one block. White space is collapsed as browsers do, across elements; separators are
/// written only when something follows them, so that nothing has to be trimmed at the end.
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
  /// Line breaks that wait for more text.
  [[nodiscard]] unsigned breaks() const { return breaks_; }

  /// Text of the page, white space collapsed.
  void append(text::PaddedText text);
  /// Text that stays as it is, after whatever separator is due.
  void append_exact(std::string_view text);
  /// Characters of preformatted text: nothing is collapsed, no separator written.
  void append_verbatim(std::string_view text) { put(text); }
  /// The next text begins a new line of preformatted text.
  void verbatim_line() {
    if (size_ > 0 && text_[size_ - 1] != '\n') append_verbatim("\n");
  }

  void add_space() { space_ = true; }
  void add_break() { ++breaks_; }
  /// At least that many breaks before the next text.
  void need_breaks(unsigned count) {
    if (breaks_ < count) breaks_ = count;
  }

  /// A place in the text that survives start(): what comes after it in the same or a later block.
  struct Mark {
    std::uint32_t generation = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] Mark mark() const { return {generation_, size_}; }
  [[nodiscard]] std::size_t begin_of(Mark mark) const { return mark.generation == generation_ ? mark.at : 0; }
  [[nodiscard]] std::string_view since(Mark mark) const { return text().substr(begin_of(mark)); }
  /// A part of the text that is more than text, by its bytes.
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    InlineKind kind = InlineKind::link;
    Text url;
  };
  /// Of the part from a mark to the end, without white space around it. Edits of the text move it along.
  void add_stretch(Mark begin, InlineKind kind, Text url = {});
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }

  /// Cuts the text at a place; a separator that was written there is due again.
  void cut(std::size_t at);
  /// Puts `replacement` in the place of everything from `at` on.
  void replace_from(std::size_t at, std::string_view replacement);
  void insert(std::size_t at, std::string_view text);

 private:
  static constexpr std::size_t kLongestSeparator = 2;

  /// There is room for it. Branch-free: a space that is not due is overwritten.
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

  std::string text_;      // longer than what is in use: see text::copy_padded()
  std::size_t size_ = 0;  // of the text
  BreakStyle style_ = BreakStyle::line;
  unsigned breaks_ = 0;
  bool space_ = false;
  std::uint32_t generation_ = 0;
  std::vector<Stretch> stretches_;
};

}  // namespace sheaf::extract
