#include "sheaf/html/text_value.h"
#include "sheaf/markdown/markdown_dialects.h"
#include "sheaf/markdown/markdown_lines.h"
#include "sheaf/text/box_kinds.h"

#include <vector>

namespace sheaf::markdown {
namespace {

constexpr std::size_t kBodyIndent = 4;
constexpr std::size_t kMaxDepth = 32;  // maximum nesting of boxes; deeper boxes are not converted

struct Line {
  std::string_view text;  ///< the whole line with its line end
  std::size_t indent = 0;
  std::string_view words = {};  ///< the line without indentation and trailing white space
};

Line read_line(std::string_view text) {
  Line line;
  line.text = first_line(text);
  line.indent = std::min(line.text.find_first_not_of(' '), line.text.size());
  line.words = line.text.substr(line.indent);
  while (!line.words.empty() && std::string_view(" \t\r\n").find(line.words.back()) != std::string_view::npos)
    line.words.remove_suffix(1);
  return line;
}

std::string_view between(std::string_view text, char open, char close) {
  const std::size_t begin = text.find(open);
  const std::size_t end = begin == std::string_view::npos ? begin : text.find(close, begin + 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

/// The title of `:::tip Title` or `:::tip[Title]{.x}`; empty if there is none.
std::string_view title_after_colons(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(": "), words.size()));
  if (const auto bracketed = between(words, '[', ']'); !bracketed.empty()) return bracketed;
  const std::string_view rest = words.substr(std::min(words.find(' '), words.size() - 1) + 1);
  return rest.find_first_of("{=\"") == std::string_view::npos ? rest : std::string_view();
}

/// The first word of `:::tip Title`, `!!! tip "Title"` and `[!TIP]`, without the marks before it.
std::string_view word_after_marks(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(":!?+=> ["), words.size()));
  return words.substr(0, words.find_first_of(" [{\"]"));
}

/// The heading of a box, as pages show it: its kind and its title. Tabs have only a title.
std::string box_heading(std::string_view kind, std::string_view title) {
  std::string heading;
  if (kind.empty() && title.empty()) return heading;
  if (kind.empty()) return heading.append(title);
  heading.append("**").append(title.empty() || html::begins_with_words(title, kind) ? "" : kind);
  if (title.empty()) heading += kind;
  if (!title.empty() && heading.size() > 2) heading += ": ";
  return heading.append(title).append("**");
}

/// The kind of a box in GitHub's form, `> [!NOTE]`; empty for other lines.
std::string_view alert_kind(std::string_view words) {
  if (!words.starts_with('>') || !words.ends_with(']')) return {};
  const std::size_t bracket = words.find_first_not_of("> ");
  if (bracket == std::string_view::npos || !words.substr(bracket).starts_with("[!")) return {};
  return text::admonition_kind(word_after_marks(words.substr(bracket)));
}

/// Removes the attributes of a heading: `## Title {#name .class}`.
std::string_view without_attributes(const Line& line) {
  if (!line.words.starts_with('#') || !line.words.ends_with('}')) return line.text;
  const std::size_t brace = line.words.rfind(" {");
  if (brace == std::string_view::npos || brace + 2 >= line.words.size()) return line.text;
  const bool meant = std::string_view("#.:").find(line.words[brace + 2]) != std::string_view::npos;
  return meant ? line.text.substr(0, line.indent + brace) : line.text;
}

class BoxRemover {
 public:
  explicit BoxRemover(std::string_view text) : rest_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (!rest_.empty()) {
      const Line line = read_line(rest_);
      rest_.remove_prefix(line.text.size());
      if (!line.words.empty() && !fence_.is_open()) leave_boxes(line.indent);
      if (fence_.takes(line.text))
        write(line.text, line);
      else if (!take_mark(line))
        write(without_attributes(line), line);
    }
    return std::move(out_);
  }

 private:
  /// Ends the boxes whose bodies are indented more than the current line.
  void leave_boxes(std::size_t indent) {
    while (!boxes_.empty() && indent < boxes_.back() + kBodyIndent) boxes_.pop_back();
  }

  /// Handles a line that begins or ends a box. Returns false for other lines.
  bool take_mark(const Line& line) {
    const std::string_view words = line.words;
    if (words.starts_with(":::")) {
      write_title(box_heading(text::admonition_kind(word_after_marks(words)), title_after_colons(words)));
      return true;
    }
    if (const std::string_view kind = alert_kind(words); !kind.empty()) {
      write("> **" + std::string(kind) + "**\n>\n", Line());
      return true;
    }
    const bool opens = words.starts_with("!!! ") || words.starts_with("??? ") || words.starts_with("???+ ") ||
                       words.starts_with("=== \"");
    if (!opens || boxes_.size() >= kMaxDepth) return false;
    const Line body = read_line(rest_.substr(skip_blank()));
    if (body.words.empty() || body.indent < line.indent + kBodyIndent) return false;
    const std::string_view kind =
        words.starts_with('=') ? std::string_view() : text::admonition_kind(word_after_marks(words));
    write_title(box_heading(kind, between(words, '"', '"')));
    boxes_.push_back(line.indent);
    return true;
  }

  /// The size of the next line if it is blank, else 0. MkDocs allows at most one blank line before a body.
  [[nodiscard]] std::size_t skip_blank() const {
    const std::size_t size = rest_.empty() ? 0 : first_line(rest_).size();
    return size > 0 && read_line(rest_).words.empty() ? size : 0;
  }

  void write(std::string_view text, const Line& line) {
    out_ += text.substr(std::min(line.indent, kBodyIndent * boxes_.size()));
    if (text.size() < line.text.size()) out_ += '\n';
  }

  void write_title(std::string_view title) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_ += '\n';
    if (!title.empty()) out_.append(title).append("\n\n");
  }

  std::string_view rest_;
  std::string out_;
  FenceTracker fence_;
  std::vector<std::size_t> boxes_;  ///< indentation of each open box
};

}  // namespace

std::string convert_admonitions(std::string_view markdown) { return BoxRemover(markdown).run(); }

}  // namespace sheaf::markdown
