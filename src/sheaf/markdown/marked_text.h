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

/// A text with its links, code and emphasis, written as Markdown line by line.
class MarkedText {
 public:
  /// `notes`: how many footnotes the page has, to which numbers in brackets refer.
  MarkedText(Text text, List<Inline> inlines, std::size_t notes = 0);

  /// Skips this many bytes at the front of the text.
  void skip(std::size_t bytes) { at_ += bytes; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// The next line, without white space at its ends: leading white space would mean code, trailing white
  /// space a line break.
  std::string_view take_line();
  /// Appends the line that take_line returned last.
  void append(std::string& out, std::string_view line, MarkdownPlace place);

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    InlineKind kind = InlineKind::link;
    Text url = {};
    bool is_note = false;  ///< refers to a footnote; `kind` says nothing
  };

  void add_notes(std::span<const NoteMark> marks);
  std::span<const Range> ranges_in(std::size_t begin, std::size_t end);

  Text text_;
  std::vector<Range> ranges_;   // in order, the outer before the inner
  std::size_t at_ = 0;          // bytes consumed so far
  std::size_t next_range_ = 0;  // the first that no line has used yet
  std::vector<Range> open_;     // ranges of earlier lines that continue
  std::vector<Range> in_line_;
};

/// Appends the lines of a text separated by line breaks, each indented by `indent` except the first. An empty
/// line separates paragraphs.
void append_lines(std::string& out, MarkedText text, std::string_view indent);

/// The text in one line, as headings and link texts require.
void append_one_line(std::string& out, MarkedText text, MarkdownPlace place);

}  // namespace sheaf::markdown
