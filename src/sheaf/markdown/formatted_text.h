#pragma once

#include "sheaf/markdown/markdown_escape.h"
#include "sheaf/markdown/page_notes.h"
#include <sheaf/page.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::markdown {

/// A text with links, code and emphasis. Writes it as Markdown, line by line.
class FormattedText {
 public:
  /// `notes` is the number of footnotes of the page. Numbers in brackets refer to them.
  FormattedText(Text text, List<Inline> inlines, std::size_t notes = 0);

  /// Skips `bytes` bytes of the text.
  void skip(std::size_t bytes) { at_ += bytes; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// Takes the next line and returns it without white space at both ends: leading white space could mean
  /// code, and trailing white space a line break.
  std::string_view take_line();
  /// Appends the line that take_line() returned last.
  void append(std::string& out, std::string_view line, MarkdownPlace place);

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    InlineKind kind = InlineKind::link;
    Text url = {};
    bool is_note = false;  ///< refers to a footnote; `kind` is then ignored
  };

  void drop_deep_ranges();
  void add_notes(std::span<const FootnoteReference> marks);
  std::span<const Range> ranges_in(std::size_t begin, std::size_t end);

  Text text_;
  std::vector<Range> ranges_;   // in order; outer ranges before inner ranges
  std::size_t at_ = 0;          // bytes consumed so far
  std::size_t next_range_ = 0;  // the first range that no line has used yet
  std::vector<Range> open_;     // ranges of the current line, including those that began in earlier lines
  std::vector<Range> in_line_;
};

/// Appends the lines of a text, separated by line breaks. All lines but the first are indented by `indent`.
/// Empty lines separate paragraphs.
void append_lines(std::string& out, FormattedText text, std::string_view indent);

/// Appends the text on one line, as headings and link texts require.
void append_one_line(std::string& out, FormattedText text, MarkdownPlace place);

}  // namespace sheaf::markdown
