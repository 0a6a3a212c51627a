#include "sheaf/markdown/markdown_escape.h"

#include "sheaf/base/ascii.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>

namespace sheaf::markdown {
namespace {

char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : ' '; }

/// Whether a text begins with something that could be a character reference: `&copy;`, `&#169;`.
bool begins_reference(std::string_view text) {
  constexpr std::size_t kMaxLength = 40;
  std::size_t i = 1;
  while (i < text.size() && i < kMaxLength && (base::is_alphanumeric(text[i]) || text[i] == '#')) ++i;
  return i > 1 && at(text, i) == ';';
}

/// Whether the backslash at `i` must be doubled. Before a letter, a digit, a space or a non-ASCII character
/// it is literal. Before punctuation, or if the next character is unknown, it must be doubled.
bool is_escape(std::string_view line, std::size_t i) {
  if (i + 1 == line.size()) return true;
  const char next = line[i + 1];
  return !base::is_alphanumeric(next) && next != ' ' && static_cast<unsigned char>(next) < 0x80;
}

/// Whether the character at `i` is markup inside a line.
bool is_inline_sign(std::string_view line, std::size_t i) {
  switch (line[i]) {
    case '\\': return is_escape(line, i);
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
    case '~': return true;
    // Between letters and digits an underscore is part of a name.
    case '_': return i == 0 || !base::is_alphanumeric(line[i - 1]) || !base::is_alphanumeric(at(line, i + 1));
    case '&': return begins_reference(line.substr(i));
    // A template command or a heading attribute.
    case '{': return std::string_view("{%#.:").find(at(line, i + 1)) != std::string_view::npos;
    default: return false;
  }
}

/// The position of the character to escape so that the line does not begin a block; npos if there is none.
std::size_t block_sign(std::string_view line) {
  if (line.empty()) return std::string_view::npos;
  const char second = at(line, 1);
  switch (line.front()) {
    case '>':
    case '|':
    case '=':
    case '{': return 0;  // a JSON object would be front matter
    case '#': {
      const std::size_t end = std::min(line.find_first_not_of('#'), line.size());
      return text::is_space(at(line, end)) ? 0 : std::string_view::npos;
    }
    case '-':
    case '+':
      return text::is_space(second) || second == line.front() || second == '|' || second == ':'
                 ? 0
                 : std::string_view::npos;
    // Delimiter row of a table, a box, or a definition.
    case ':': return second == '-' || second == ':' || text::is_space(second) ? 0 : std::string_view::npos;
    case '!':
    case '?': return second == line.front() ? 0 : std::string_view::npos;  // a box of MkDocs
    default: break;
  }
  std::size_t digits = 0;
  while (digits < line.size() && base::is_digit(line[digits])) ++digits;
  const char after = at(line, digits);
  const bool item = digits > 0 && (after == '.' || after == ')') && text::is_space(at(line, digits + 1));
  return item ? digits : std::string_view::npos;
}

/// The position of trailing # characters that would be read as the closing sequence of a heading; npos if
/// there are none.
std::size_t closing_sign(std::string_view line) {
  const std::size_t last = line.find_last_not_of('#');
  const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  if (begin == line.size()) return std::string_view::npos;
  return begin == 0 || text::is_space(line[begin - 1]) ? begin : std::string_view::npos;
}

bool begins_with(std::string_view text, std::string_view word) {
  return text::equal_text(text.substr(0, word.size()), word, text::TextCase::ignore);
}

/// Whether the character at `i` makes a bare URL, which GitHub turns into a link: the colon of `http://` or
/// the dot of `www.`.
bool is_address_sign(std::string_view line, std::size_t i) {
  const std::string_view before = line.substr(0, i);
  const auto follows = [before](std::string_view word) {
    return before.size() >= word.size() && begins_with(before.substr(before.size() - word.size()), word);
  };
  if (line[i] == '.') return follows("www");
  if (line[i] != ':' || !line.substr(i).starts_with("://")) return false;
  return follows("http") || follows("https") || follows("ftp");
}

class LineWriter {
 public:
  LineWriter(std::string& out, std::string_view line, MarkdownPlace place)
      : out_(out), line_(line), place_(place) {
    if (place == MarkdownPlace::block) forced_ = block_sign(line);
    if (place == MarkdownPlace::heading) forced_ = closing_sign(line);
    // Two dollar signs in a line may enclose a formula.
    dollars_ = place == MarkdownPlace::inside || std::ranges::count(line, '$') > 1;
  }

  void write() {
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (i >= word_end_) decide_autolink(i);
      if (i == forced_ || is_sign(i) || (no_address_ && is_address_sign(line_, i))) out_ += '\\';
      out_ += line_[i];
    }
  }

 private:
  [[nodiscard]] bool is_sign(std::size_t i) const {
    return is_inline_sign(line_, i) || (place_ == MarkdownPlace::cell && line_[i] == '|') ||
           (dollars_ && line_[i] == '$');
  }

  /// Decides whether the word that begins here may become a link. In an autolinked URL a backslash is not an
  /// escape, so a word that needs one must not become a link. A word that is a whole paragraph must not
  /// either, because it would become a link block, nor a word inside a link.
  void decide_autolink(std::size_t begin) {
    word_end_ = begin;
    while (word_end_ < line_.size() && !text::is_space(line_[word_end_])) ++word_end_;
    no_address_ = (begin == 0 && word_end_ == line_.size()) || place_ == MarkdownPlace::link;
    for (std::size_t i = begin; i < word_end_ && !no_address_; ++i) no_address_ = is_sign(i) || i == forced_;
    if (word_end_ == begin) ++word_end_;
  }

  std::string& out_;
  std::string_view line_;
  MarkdownPlace place_;
  std::size_t forced_ = std::string_view::npos;
  bool dollars_ = false;  // whether dollar signs must be escaped
  std::size_t word_end_ = 0;
  bool no_address_ = false;  // the current word must not become a link
};

}  // namespace

void append_markdown_text(std::string& out, std::string_view line, MarkdownPlace place) {
  LineWriter(out, line, place).write();
}

void append_link_destination(std::string& out, std::string_view url) {
  static constexpr std::string_view kPlain = "-._~:/?#@!$&+,;=%";
  const bool is_plain = !url.empty() && std::ranges::all_of(url, [](char c) {
    return base::is_alphanumeric(c) || kPlain.find(c) != std::string_view::npos;
  });
  // A URL with a semicolon may have a character reference, which would be decoded.
  if (is_plain && url.find(';') == std::string_view::npos) {
    out += url;
    return;
  }
  out += '<';
  for (const char c : url) {
    if (c == '<' || c == '>' || c == '\\' || c == '{') out += '\\';
    if (c == '\n' || c == '\r') continue;
    out += c;
  }
  out += '>';
}

}  // namespace sheaf::markdown
