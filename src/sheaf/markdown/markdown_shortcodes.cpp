#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/markdown/markdown_dialects.h"
#include "sheaf/markdown/markdown_lines.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf::markdown {
namespace {

constexpr std::size_t kMaxTagLength = 4096;
constexpr std::size_t kMaxSpanLength = 1024;  // maximum number of bytes of a code span

/// Opening and closing delimiters of tags. Longer delimiters are before their prefixes.
enum Style : std::uint8_t { kHugo, kHugoMarkdown, kExpression, kLiquid, kStyles };
constexpr std::array<std::pair<std::string_view, std::string_view>, kStyles> kMarks = {
    {{"{{<", ">}}"}, {"{{%", "%}}"}, {"{{", "}}"}, {"{%", "%}"}}};

struct Tag {
  Style style = kHugo;
  std::string_view inside;
  std::size_t end = 0;  ///< position after the tag
};

/// A word of a tag. `figure src="a b.png" wide` has three arguments, with the names "", "src" and "".
struct Argument {
  std::string_view name;
  std::string_view value;
};

std::vector<Argument> split(std::string_view inside) {
  std::vector<Argument> arguments;
  for (inside = text::trim_space(inside); !inside.empty(); inside = text::trim_space(inside)) {
    Argument argument;
    const std::size_t stop = std::min(inside.find_first_of("= \t\r\n\"`"), inside.size());
    if (stop < inside.size() && inside[stop] == '=') {
      argument.name = inside.substr(0, stop);
      inside = text::trim_space(inside.substr(stop + 1));
    }
    const bool quoted = !inside.empty() && (inside.front() == '"' || inside.front() == '`');
    const std::size_t begin = quoted ? 1 : 0;
    const std::size_t end = quoted ? inside.find(inside.front(), 1) : inside.find_first_of(" \t\r\n");
    argument.value = inside.substr(begin, end == std::string_view::npos ? end : end - begin);
    inside.remove_prefix(end == std::string_view::npos ? inside.size() : end + 1);
    arguments.push_back(argument);
  }
  return arguments;
}

/// The value of the first of these names that is present. The empty name stands for the first unnamed
/// argument after the command.
std::string_view find(const std::vector<Argument>& arguments, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 1; i < arguments.size(); ++i)
      if (arguments[i].name == name) return arguments[i].value;
  return {};
}

/// Keeps only letters, digits and some punctuation, which have no special meaning in Markdown, HTML or URLs.
std::string plain_word(std::string_view text) {
  std::string word;
  for (const char c : text)
    if (base::is_alphanumeric(c) || c == '-' || c == '_' || c == '+' || c == '#') word += c;
  return word;
}

/// Appends the value of an attribute or a caption on one line, because a blank line would end the HTML block.
void append_line(std::string& out, std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  base::append_html_text(out, line);
}

class ShortcodeRemover {
 public:
  explicit ShortcodeRemover(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (at_ < text_.size()) {
      const bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
      if (line_begins && fence_.takes(first_line(text_.substr(at_)))) {
        copy(at_ + first_line(text_.substr(at_)).size());
      } else if (text_[at_] == '`') {
        copy(end_of_code_span());
      } else if (const auto tag = find_tag(); tag && take(*tag)) {
        continue;
      } else {
        copy(end_of_text());
      }
    }
    return std::move(out_);
  }

 private:
  void copy(std::size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  /// The end of the plain text that begins here: the end of the line, or the next position where code or a
  /// tag may begin.
  [[nodiscard]] std::size_t end_of_text() const {
    if (text_[at_] == '\n') return at_ + 1;
    const std::size_t end = std::min(text_.find_first_of("`{\n", at_ + 1), text_.size());
    return end < text_.size() && text_[end] == '\n' ? end + 1 : end;
  }

  [[nodiscard]] std::size_t end_of_code_span() const {
    const std::string_view line = first_line(text_.substr(at_, kMaxSpanLength));
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    const std::size_t close = line.find(line.substr(0, ticks), ticks);
    return at_ + (close == std::string_view::npos ? ticks : close + ticks);
  }

  [[nodiscard]] bool is_escaped() const {
    const std::size_t last = text_.substr(0, at_).find_last_not_of('\\');
    return (at_ - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 1;
  }

  /// The tag that begins here, if there is one.
  std::optional<Tag> find_tag() {
    if (is_escaped()) return std::nullopt;
    for (std::size_t style = 0; style < kStyles; ++style) {
      const auto [open, close] = kMarks[style];
      if (!text_.substr(at_).starts_with(open)) continue;
      const std::size_t begin = at_ + open.size();
      // The position of the next closing delimiter is cached for all tags that begin before it, so that the
      // search remains linear.
      if (std::size_t& next = next_close_[style]; next < begin || next == 0) next = text_.find(close, begin);
      const std::size_t end = next_close_[style];
      if (end == std::string_view::npos || end - at_ > kMaxTagLength) return std::nullopt;
      return Tag{static_cast<Style>(style), text_.substr(begin, end - begin), end + close.size()};
    }
    return std::nullopt;
  }

  /// Handles Hugo's escape, `{{</* x */>}}`. Returns false for other tags.
  bool take_escaped(const Tag& tag) {
    std::string_view inside = tag.inside;
    if (tag.style > kHugoMarkdown || inside.size() < 4 || !inside.starts_with("/*") ||
        !inside.ends_with("*/"))
      return false;
    inside = inside.substr(2, inside.size() - 4);
    out_.append(kMarks[tag.style].first).append(inside).append(kMarks[tag.style].second);
    at_ = tag.end;
    return true;
  }

  bool take(const Tag& tag) {
    if (take_escaped(tag)) return true;
    const std::vector<Argument> arguments = split(tag.inside);
    if (arguments.empty() || !arguments.front().name.empty()) return false;
    if (tag.style == kExpression) return take_expression(tag, arguments);
    const std::string_view name = arguments.front().value;
    if (name.find_first_of("<>{}()\"'|") != std::string_view::npos) return false;
    const std::size_t begin = std::exchange(at_, tag.end);
    if (name == "highlight") return write_listing(tag, find(arguments, {"lang", ""}));
    if (name == "raw" && tag.style == kLiquid) return write_raw();
    if (name == "figure" || name == "img" || name == "image") return write_figure(arguments);
    if (name == "youtube") return write_frame("https://www.youtube.com/embed/", arguments);
    if (name == "vimeo") return write_frame("https://player.vimeo.com/video/", arguments);
    // If the tag is a link destination, its target is unknown, but the destination must not be empty.
    const bool is_address = begin > 0 && text_[begin - 1] == '(';
    if (is_address) out_ += "about:blank";
    return true;
  }

  /// Handles Jekyll's expressions for URLs. Any other expression may be literal text.
  bool take_expression(const Tag& tag, const std::vector<Argument>& arguments) {
    std::string_view first = arguments.front().value;
    const std::string_view last = arguments.back().value;
    if (arguments.size() == 1 && (first == "site.baseurl" || first == "site.url")) {
      at_ = tag.end;
      return true;
    }
    if (arguments.size() != 3 || arguments[1].value != "|") return false;
    if (last != "relative_url" && last != "absolute_url") return false;
    if (first.size() >= 2 && first.starts_with('\'')) first = first.substr(1, first.size() - 2);
    out_ += first;
    at_ = tag.end;
    return true;
  }

  /// The start and end of the closing tag for a command; nullopt if there is none.
  std::optional<std::pair<std::size_t, std::size_t>> find_end(Style style, std::string_view name) {
    std::string closing = style == kLiquid ? "end" : "/";
    closing += name;
    for (std::size_t at = at_; !unclosed_ && (at = text_.find(closing, at)) != std::string_view::npos;) {
      std::size_t begin = at;
      while (begin > at_ && text::is_space(text_[begin - 1])) --begin;
      const auto [open, close] = kMarks[style];
      const bool opens = begin >= at_ + open.size() && text_.substr(begin - open.size(), open.size()) == open;
      const std::size_t end = opens ? text_.find(close, at) : 0;
      // No later tag is complete either: looking at each of them would take quadratic time.
      if (end == std::string_view::npos) break;
      if (opens) return std::pair(begin - open.size(), end + close.size());
      at += closing.size();
    }
    unclosed_ = true;  // later opening tags have no closing tag either
    return std::nullopt;
  }

  bool write_listing(const Tag& tag, std::string_view language) {
    const auto end = find_end(tag.style, "highlight");
    if (!end) return true;
    const std::string_view code = text_.substr(at_, end->first - at_);
    std::size_t fence = 3;
    for (std::size_t i = 0, run = 0; i < code.size(); ++i) {
      run = code[i] == '`' ? run + 1 : 0;
      fence = std::max(fence, run + 1);
    }
    const std::string marks(fence, '`');
    out_.append("\n").append(marks).append(plain_word(language)).append("\n");
    out_.append(code.substr(code.starts_with('\n') ? 1 : 0));
    if (!code.ends_with('\n')) out_ += '\n';
    out_.append(marks).append("\n");
    at_ = end->second;
    return true;
  }

  bool write_raw() {
    const auto end = find_end(kLiquid, "raw");
    if (!end) return true;
    out_ += text_.substr(at_, end->first - at_);
    at_ = end->second;
    return true;
  }

  bool write_figure(const std::vector<Argument>& arguments) {
    const std::string_view caption = find(arguments, {"caption", "title"});
    out_ += "\n\n<figure><img src=\"";
    append_line(out_, find(arguments, {"src", "url", ""}));
    out_ += "\" alt=\"";
    append_line(out_, find(arguments, {"alt"}));
    out_ += "\">";
    if (!caption.empty()) {
      out_ += "<figcaption>";
      append_line(out_, caption);
      out_ += "</figcaption>";
    }
    out_ += "</figure>\n\n";
    return true;
  }

  bool write_frame(std::string_view address, const std::vector<Argument>& arguments) {
    out_.append("\n\n<iframe src=\"").append(address).append(plain_word(find(arguments, {"id", ""})));
    out_ += "\"></iframe>\n\n";
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  FenceTracker fence_;
  std::array<std::size_t, kStyles> next_close_{};
  bool unclosed_ = false;
};

}  // namespace

std::string convert_shortcodes(std::string_view markdown) { return ShortcodeRemover(markdown).run(); }

}  // namespace sheaf::markdown
