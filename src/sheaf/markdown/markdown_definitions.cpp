// Definition lists in the syntax of PHP Markdown Extra, pandoc, kramdown and MkDocs.
#include "sheaf/base/ascii.h"
#include "sheaf/markdown/markdown_dialects.h"
#include "sheaf/markdown/markdown_lines.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sheaf::markdown {
namespace {

constexpr std::size_t kCodeIndent = 4;  // a line with this indentation is code
constexpr std::size_t kMinIndent = 2;   // minimum indentation of a definition's text after an empty line

constexpr std::size_t kMaxTerms = 16;  // maximum number of terms per entry; more lines are a paragraph

enum class InFence : std::uint8_t { no, first, further };

struct ListLine {
  std::string_view text;   ///< the whole line with its line end
  std::string_view words;  ///< the line without white space at both ends
  std::size_t indent = 0;  ///< columns
  InFence fenced = InFence::no;
};

std::size_t next_column(std::size_t column, char c) {
  return c == ' ' ? column + 1 : (column / kCodeIndent + 1) * kCodeIndent;
}

std::vector<ListLine> read_lines(std::string_view text) {
  std::vector<ListLine> lines;
  FenceTracker fence;
  while (!text.empty()) {
    ListLine line{.text = first_line(text), .words = {}};
    text.remove_prefix(line.text.size());
    line.words = base::trim_xml_space(line.text);
    for (const char c : line.text) {
      if (!base::is_blank(c)) break;
      line.indent = next_column(line.indent, c);
    }
    const bool was_open = fence.is_open();
    if (fence.takes(line.text)) line.fenced = was_open ? InFence::further : InFence::first;
    lines.push_back(line);
  }
  return lines;
}

/// Whether a line may be a term: it could be part of a paragraph and does not begin another block.
bool may_be_term(const ListLine& line) {
  const std::string_view words = line.words;
  if (words.empty() || line.indent >= kCodeIndent || line.fenced != InFence::no) return false;
  if (std::string_view("#>|<:=-+").find(words.front()) != std::string_view::npos) return false;
  if (words.starts_with("* ") || words.starts_with("[^")) return false;
  const std::size_t digits = std::min(words.find_first_not_of("0123456789"), words.size());
  return digits == 0 || digits == words.size() || (words[digits] != '.' && words[digits] != ')');
}

/// Whether a line is `: text`, indented no more than a paragraph may be.
bool is_definition(const ListLine& line) {
  return line.words.size() > 2 && line.words[0] == ':' && base::is_blank(line.words[1]) &&
         line.indent < kCodeIndent && line.fenced == InFence::no;
}

/// The line without its first `columns` columns of white space.
std::string_view without_indent(const ListLine& line, std::size_t columns) {
  std::string_view text = line.text;
  for (std::size_t column = 0; column < std::min(columns, line.indent); text.remove_prefix(1))
    column = next_column(column, text.front());
  return text;
}

class DefinitionWriter {
 public:
  explicit DefinitionWriter(std::string_view text) : lines_(read_lines(text)) {
    out_.reserve(text.size() + text.size() / 4);
  }

  std::string run() {
    bool begins = true;  // whether a paragraph may begin at this line
    for (std::size_t at = 0; at < lines_.size();) {
      const std::size_t definition = begins ? find_definition(at) : 0;
      if (definition > 0) {
        at = write_entry(at, definition);
        continue;
      }
      begins = lines_[at].words.empty() && lines_[at].fenced == InFence::no;
      out_ += lines_[at++].text;
    }
    return std::move(out_);
  }

 private:
  /// If terms begin at line `at`, returns the line of their first definition, else 0.
  [[nodiscard]] std::size_t find_definition(std::size_t at) const {
    std::size_t next = at;
    while (next < lines_.size() && may_be_term(lines_[next])) ++next;
    if (next == at || next - at > kMaxTerms) return 0;
    if (next < lines_.size() && lines_[next].words.empty()) ++next;
    return next < lines_.size() && is_definition(lines_[next]) ? next : 0;
  }

  /// Writes an entry and returns the line after it.
  std::size_t write_entry(std::size_t term, std::size_t at) {
    out_ += "\n<dl>\n";
    for (; term < at; ++term)
      if (!lines_[term].words.empty())
        out_.append("<dt>\n\n").append(lines_[term].words).append("\n\n</dt>\n");
    while (at < lines_.size() && is_definition(lines_[at])) at = write_definition(at);
    out_ += "</dl>\n\n";
    return at;
  }

  /// Writes a definition and returns the next line that is not blank and not part of it.
  std::size_t write_definition(std::size_t at) {
    out_.append("<dd>\n\n").append(base::trim_xml_space(lines_[at].words.substr(1))).append("\n");
    std::size_t indent = kCodeIndent;
    bool after_blank = false;
    for (++at; at < lines_.size(); ++at) {
      const ListLine& line = lines_[at];
      if (line.words.empty() && line.fenced == InFence::no) {
        after_blank = true;
        continue;
      }
      if (!belongs(line, after_blank)) break;
      if (after_blank) {
        indent = std::clamp(line.indent, kMinIndent, indent);
        out_ += '\n';
      }
      out_ += without_indent(line, indent);
      after_blank = false;
    }
    if (out_.back() != '\n') out_ += '\n';
    out_ += "\n</dd>\n";
    return at;
  }

  static bool belongs(const ListLine& line, bool after_blank) {
    if (line.fenced == InFence::further) return true;
    if (line.fenced == InFence::first || after_blank) return line.indent >= kMinIndent;
    return !is_definition(line);
  }

  std::vector<ListLine> lines_;
  std::string out_;
};

}  // namespace

std::string convert_definition_lists(std::string_view markdown) { return DefinitionWriter(markdown).run(); }

std::string without_term_paragraphs(std::string_view html) {
  constexpr std::string_view kBegin = "<dt>\n<p>";
  constexpr std::string_view kEnd = "</p>\n</dt>";
  std::string out;
  out.reserve(html.size());
  while (true) {
    const std::size_t begin = html.find(kBegin);
    const std::size_t end = begin == std::string_view::npos ? begin : html.find(kEnd, begin);
    if (end == std::string_view::npos) return out.append(html);
    out.append(html.substr(0, begin)).append("<dt>");
    out.append(html.substr(begin + kBegin.size(), end - begin - kBegin.size())).append("</dt>");
    html.remove_prefix(end + kEnd.size());
  }
}

}  // namespace sheaf::markdown
