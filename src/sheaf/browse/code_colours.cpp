#include "sheaf/browse/code_colours.h"

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace sheaf::browse {
namespace {

/// Larger code is shown without colours, because a span for each word would make the document many times as
/// large.
constexpr std::size_t kMaxColoured = 200'000;

/// Sorted. Words that are keywords in several of the common languages.
constexpr std::array<std::string_view, 74> kKeywords = {
    "abstract", "and",      "as",        "async",    "await", "bool",      "break",   "case",   "catch",
    "class",    "const",    "constexpr", "continue", "def",   "default",   "del",     "do",     "done",
    "echo",     "elif",     "else",      "end",      "enum",  "esac",      "except",  "export", "extends",
    "extern",   "false",    "fi",        "finally",  "fn",    "for",       "foreach", "from",   "func",
    "function", "if",       "impl",      "import",   "in",    "interface", "is",      "lambda", "let",
    "match",    "mut",      "namespace", "new",      "nil",   "not",       "null",    "or",     "package",
    "pass",     "private",  "protected", "public",   "raise", "return",    "self",    "static", "struct",
    "switch",   "template", "then",      "this",     "throw", "true",      "try",     "var",    "void",
    "while",    "yield"};
static_assert(std::ranges::is_sorted(kKeywords));

bool is_word_start(char c) { return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_word_part(char c) { return is_word_start(c) || base::is_digit(c); }

/// How comments begin in a language.
struct CommentMarks {
  bool slashes = true;  ///< // and /* */
  bool hash = false;
  bool dashes = false;
  bool markup = false;
};

CommentMarks marks_of(std::string_view language) {
  const std::string name = base::lower_text(language);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_one_of({"python", "py",         "sh",   "bash",   "shell", "console", "zsh",  "ruby",
                 "rb",     "perl",       "yaml", "yml",    "toml",  "ini",     "make", "makefile",
                 "cmake",  "dockerfile", "r",    "elixir", "nix",   "conf",    "nginx"}))
    return {.slashes = false, .hash = true};
  if (is_one_of({"sql", "lua", "haskell", "hs", "ada"})) return {.slashes = false, .dashes = true};
  if (is_one_of({"html", "xml", "svg", "vue", "xhtml"})) return {.slashes = false, .markup = true};
  if (is_one_of({"text", "plain", "plaintext", "txt", "output", "diff", "markdown", "md"}))
    return {.slashes = false};
  return {};
}

class CodePainter {
 public:
  CodePainter(markup::HtmlWriter& out, std::string_view code, CommentMarks marks)
      : out_(out), code_(code), marks_(marks) {}

  void run() {
    while (at_ < code_.size())
      if (!paint_token()) ++at_;
    flush(code_.size());
  }

 private:
  bool paint_token() {
    const std::string_view rest = code_.substr(at_);
    const char c = rest.front();
    if (const std::size_t size = comment_size(rest); size > 0) return paint("c", size);
    if (c == '"' || c == '\'' || c == '`')
      if (const std::size_t size = string_size(rest); size > 0) return paint("s", size);
    if (base::is_digit(c)) return paint("n", run_of(rest));
    if (!is_word_start(c)) return false;
    const std::size_t size = run_of(rest);
    if (std::ranges::binary_search(kKeywords, rest.substr(0, size))) return paint("k", size);
    at_ += size;
    return true;
  }

  static std::size_t run_of(std::string_view rest) {
    std::size_t size = 1;
    while (size < rest.size() && is_word_part(rest[size])) ++size;
    return size;
  }

  [[nodiscard]] std::size_t comment_size(std::string_view rest) const {
    const auto to_end_of = [&](std::string_view mark) {
      const std::size_t end = rest.find(mark);
      return end == std::string_view::npos ? rest.size() : end + (mark == "\n" ? 0 : mark.size());
    };
    const bool is_after_space =
        at_ == 0 || code_[at_ - 1] == '\n' || code_[at_ - 1] == ' ' || code_[at_ - 1] == '\t';
    if (marks_.slashes && rest.starts_with("//") && (at_ == 0 || code_[at_ - 1] != ':'))
      return to_end_of("\n");
    if (marks_.slashes && rest.starts_with("/*")) return to_end_of("*/");
    if (marks_.hash && rest.starts_with('#') && is_after_space) return to_end_of("\n");
    if (marks_.dashes && rest.starts_with("--") && is_after_space) return to_end_of("\n");
    if (marks_.markup && rest.starts_with("<!--")) return to_end_of("-->");
    return 0;
  }

  /// A string ends on its line. An apostrophe in a sentence has no counterpart there, so it does not begin a
  /// string.
  static std::size_t string_size(std::string_view rest) {
    for (std::size_t i = 1; i < rest.size() && rest[i] != '\n'; ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest[i] == rest.front())
        return i + 1;
    }
    return 0;
  }

  bool paint(std::string_view kind, std::size_t size) {
    flush(at_);
    out_.element("span", code_.substr(at_, size), {{"class", kind}});
    at_ += size;
    flushed_ = at_;
    return true;
  }

  void flush(std::size_t end) {
    out_.text(code_.substr(flushed_, end - flushed_));
    flushed_ = end;
  }

  markup::HtmlWriter& out_;
  std::string_view code_;
  CommentMarks marks_;
  std::size_t at_ = 0;
  std::size_t flushed_ = 0;
};

}  // namespace

void write_code(markup::HtmlWriter& out, std::string_view code, std::string_view language) {
  if (code.size() > kMaxColoured) {
    out.text(code);
    return;
  }
  CodePainter(out, code, marks_of(language)).run();
}

}  // namespace sheaf::browse
