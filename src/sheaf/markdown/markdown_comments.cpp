#include "sheaf/base/ascii.h"
#include "sheaf/markdown/markdown_dialects.h"
#include "sheaf/markdown/markdown_lines.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sheaf::markdown {
namespace {

/// How comments begin and end, by the generator's rules. Longer marks are before their prefixes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kComments = {{
    {"{/*", "*/}"},    // MDX
    {"{{/*", "*/}}"},  // Hugo's templates
    {"{{- /*", "*/ -}}"},
    {"{{< comment >}}", "{{< /comment >}}"},  // themes of Hugo
    {"{{% comment %}}", "{{% /comment %}}"},
    {"{% comment %}", "{% endcomment %}"},  // Liquid
    {"{%- comment -%}", "{%- endcomment -%}"},
    {"{::comment}", "{:/comment}"},  // kramdown
    {"{# ", "#}"},                   // Nunjucks, Jinja
    {"%%", "%%"},                    // Obsidian
}};

constexpr std::string_view kExports[] = {"const ", "let ",     "var ", "function ", "async ",
                                         "class ", "default ", "{",    "*"};

/// Whether a paragraph that begins with this line is JavaScript: MDX allows imports and exports.
bool is_script(std::string_view line) {
  if (line.starts_with("export "))
    return std::ranges::any_of(kExports,
                               [rest = line.substr(7)](auto word) { return rest.starts_with(word); });
  if (!line.starts_with("import ")) return false;
  const std::string_view rest = text::trim_space(line.substr(7));
  return rest.starts_with('"') || rest.starts_with('\'') || rest.starts_with('{') ||
         rest.starts_with("* as ") || rest.contains(" from '") || rest.contains(" from \"");
}

class CommentRemover {
 public:
  CommentRemover(std::string_view text, Flavour flavour) : text_(text), flavour_(flavour) {
    out_.reserve(text.size());
  }

  std::string run() {
    while (at_ < text_.size()) {
      const bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
      const std::string_view line = line_begins ? first_line(text_.substr(at_)) : std::string_view();
      if (line_begins && fence_.takes(line)) {
        copy(at_ + line.size());
      } else if (line_begins && after_blank_ && is_script(line)) {
        skip_script();
      } else if (text_.substr(at_).starts_with("<!--")) {
        copy(std::min(text_.find("-->", at_), text_.size()));
      } else if (text_[at_] == '`') {
        copy(end_of_code_span());
      } else if (!take_comment()) {
        copy(end_of_text());
      }
    }
    return std::move(out_);
  }

 private:
  void copy(std::size_t end) {
    end = std::max(end, at_ + 1);
    const std::string_view piece = text_.substr(at_, end - at_);
    out_ += piece;
    if (piece.ends_with('\n')) after_blank_ = text::trim_space(piece).empty();
    at_ = std::min(end, text_.size());
  }

  [[nodiscard]] std::size_t end_of_text() const {
    if (text_[at_] == '\n') return at_ + 1;
    const std::size_t end = std::min(text_.find_first_of("`{%<\n", at_ + 1), text_.size());
    return end < text_.size() && text_[end] == '\n' ? end + 1 : end;
  }

  [[nodiscard]] std::size_t end_of_code_span() const {
    constexpr std::size_t kMaxSpanLength = 1024;
    const std::string_view line = first_line(text_.substr(at_, kMaxSpanLength));
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    const std::size_t close = line.find(line.substr(0, ticks), ticks);
    return at_ + (close == std::string_view::npos ? ticks : close + ticks);
  }

  /// A comment that never ends goes to the end of the text, except Obsidian's, whose mark is also a text.
  bool take_comment() {
    for (std::size_t i = 0; i < kComments.size(); ++i) {
      const auto [open, close] = kComments[i];
      if (!text_.substr(at_).starts_with(open)) continue;
      std::size_t& next = next_close_[i];
      // The place of the next end is kept for all comments that begin before it, so the search stays linear.
      if (next < at_ + open.size()) next = text_.find(close, at_ + open.size());
      if (next == std::string_view::npos && open == close) return false;
      at_ = next == std::string_view::npos ? text_.size() : next + close.size();
      return true;
    }
    return flavour_ == Flavour::mdx && take_expression();
  }

  /// An expression of MDX is code. Its `{#name}` is the anchor of a heading.
  bool take_expression() {
    constexpr std::size_t kMaxLength = 65'536;
    if (text_[at_] != '{' || text_.substr(at_).starts_with("{#") || (at_ > 0 && text_[at_ - 1] == '\\'))
      return false;
    std::size_t depth = 0;
    const std::size_t last = std::min(text_.size(), at_ + kMaxLength);
    for (std::size_t i = at_; i < last; ++i) {
      if (text_[i] == '{') ++depth;
      if (text_[i] != '}' || --depth > 0) continue;
      out_ += ' ';
      at_ = i + 1;
      return true;
    }
    at_ = last;
    return true;
  }

  /// Skips to the first empty line outside of brackets.
  void skip_script() {
    std::ptrdiff_t depth = 0;
    while (at_ < text_.size()) {
      const std::string_view line = first_line(text_.substr(at_));
      if (depth <= 0 && text::trim_space(line).empty()) return;
      for (const char c : line)
        depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
      at_ += line.size();
    }
  }

  std::string_view text_;
  Flavour flavour_;
  std::size_t at_ = 0;
  std::string out_;
  FenceTracker fence_;
  std::array<std::size_t, kComments.size()> next_close_{};
  bool after_blank_ = true;
};

}  // namespace

std::string remove_comments(std::string_view markdown, Flavour flavour) {
  return CommentRemover(markdown, flavour).run();
}

}  // namespace sheaf::markdown
