#include "sheaf/grep/line_pattern.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sheaf::grep {
namespace {

using text::LetterCase;

/// A shorter text is in almost every page.
constexpr std::size_t kMinLength = 2;

/// Whether JSON may have a byte of a text in another form, not counting \u escapes.
bool is_escaped_in_json(char c) {
  return c == '"' || c == '\\' || c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// If case is ignored, U+017F matches s and U+212A matches k, and letters outside ASCII have other forms.
bool has_other_cases(char c) {
  const char lower = base::lower_ascii(c);
  return lower == 's' || lower == 'k' || static_cast<unsigned char>(c) >= 0x80;
}

/// The longest piece of a text that JSON has unchanged; empty if all pieces are too short. U+FFFD ends a
/// piece, because an encoder may write it for an invalid character.
std::string longest_piece(std::string_view text, LetterCase letters) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string_view longest;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends = i == text.size() || is_escaped_in_json(text[i]) ||
                      (letters == LetterCase::ignore_ascii && has_other_cases(text[i])) ||
                      text.substr(i).starts_with(kReplacement);
    if (!ends) continue;
    if (i - start > longest.size()) longest = text.substr(start, i - start);
    start = i + 1;
  }
  return longest.size() < kMinLength ? std::string() : std::string(longest);
}

/// Reads a pattern in RE2's syntax from left to right and keeps the literal texts outside of groups. It
/// understands only as much syntax as it needs to be sure that these texts are required, and gives up at
/// anything else.
class PatternReader {
 public:
  PatternReader(std::string_view pattern, LetterCase letters) : rest_(pattern), letters_(letters) {}

  /// Returns nullopt if nothing is known.
  std::optional<std::vector<std::string>> read() {
    while (!rest_.empty()) {
      if (!read_item()) return std::nullopt;
    }
    if (!end_alternative()) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool read_item() {
    const char c = rest_.front();
    if (c == '|') {
      rest_.remove_prefix(1);
      return end_alternative();
    }
    if (c == '(') return end_text() && pass_group();
    if (c == '[') return end_text() && pass_class();
    if (c == '\\') return read_escape();
    if (c == '*' || c == '?' || c == '+') return read_repetition();
    if (c == '{' && passes_count()) return drop_character();
    if (c == '.' || c == '^' || c == '$') {
      rest_.remove_prefix(1);
      return end_text();
    }
    text_ += c;
    rest_.remove_prefix(1);
    return true;
  }

  /// `a*` and `a?` do not require the character; `a+` does, once.
  bool read_repetition() {
    const bool required = rest_.front() == '+';
    rest_.remove_prefix(1);
    return required ? end_text() : drop_character();
  }

  /// The last character of the text is optional, and the text ends before it.
  bool drop_character() {
    while (!text_.empty() && (static_cast<unsigned char>(text_.back()) & 0xC0U) == 0x80) text_.pop_back();
    if (!text_.empty()) text_.pop_back();
    return end_text();
  }

  /// Skips {2}, {2,} or {2,3}; anything else in braces is literal text.
  bool passes_count() {
    const std::size_t end = rest_.find_first_not_of("0123456789,", 1);
    if (end == std::string_view::npos || rest_[end] != '}' || !base::is_digit(rest_[1])) return false;
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// An escaped punctuation mark is a literal character. Of the other escapes, only one-letter classes and
  /// word boundaries are understood.
  bool read_escape() {
    constexpr std::string_view kOneLetter = "dDsSwWbB";
    if (rest_.size() < 2) return false;
    const char c = rest_[1];
    const bool is_class = kOneLetter.find(c) != std::string_view::npos;
    if (!is_class && (base::is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80)) return false;
    rest_.remove_prefix(2);
    if (is_class) return end_text();
    text_ += c;
    return true;
  }

  /// Skips a group. A group can require texts too, but patterns that require texts only in groups are rare.
  bool pass_group() {
    if (rest_.starts_with("(?") && !rest_.starts_with("(?:") && !rest_.starts_with("(?P<")) return false;
    std::size_t depth = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '\\') {
        if (rest_.size() < 2 || rest_[1] == 'Q') return false;
        rest_.remove_prefix(2);
        continue;
      }
      if (c == '[') {
        if (!pass_class()) return false;
        continue;
      }
      rest_.remove_prefix(1);
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) return true;
    }
    return false;
  }

  /// Skips a character class: [abc], [^abc], []abc], [[:alpha:]\]]
  bool pass_class() {
    std::size_t i = 1;
    if (i < rest_.size() && rest_[i] == '^') ++i;
    if (i < rest_.size() && rest_[i] == ']') ++i;
    for (; i < rest_.size(); ++i) {
      if (rest_[i] == ']') {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\') {
        ++i;
      } else if (rest_.substr(i).starts_with("[:")) {
        i = rest_.find(":]", i + 2);
        if (i == std::string_view::npos) return false;
        ++i;
      }
    }
    return false;
  }

  bool end_text() {
    std::string piece = longest_piece(text_, letters_);
    if (piece.size() > best_.size()) best_ = std::move(piece);
    text_.clear();
    return true;
  }

  bool end_alternative() {
    end_text();
    if (best_.empty()) return false;
    found_.push_back(std::move(best_));
    best_.clear();
    return true;
  }

  std::string_view rest_;
  LetterCase letters_;
  std::string text_;                ///< consecutive literal characters
  std::string best_;                ///< longest text of the current alternative
  std::vector<std::string> found_;  ///< one text per alternative
};

}  // namespace

std::vector<std::string> required_texts(std::string_view pattern, LetterCase letters) {
  return PatternReader(pattern, letters).read().value_or(std::vector<std::string>());
}

std::vector<std::string> required_texts_of_literal(std::string_view literal, LetterCase letters) {
  std::string piece = longest_piece(literal, letters);
  if (piece.empty()) return {};
  return {std::move(piece)};
}

namespace {

using base::Errc;
using base::fail;
using base::Result;

/// Memory for the automaton of one thread. If it is not enough, RE2 continues more slowly, still in linear
/// time.
constexpr std::int64_t kAutomatonBytes = std::int64_t{32} << 20;

RE2::Options engine_options(const PatternOptions& options) {
  RE2::Options engine;
  engine.set_literal(options.is_fixed);
  engine.set_case_sensitive(!options.ignores_case);
  engine.set_never_nl(true);
  engine.set_log_errors(false);
  engine.set_max_mem(kAutomatonBytes);
  return engine;
}

}  // namespace

struct LinePattern::Impl {
  /// RE2 reads (?m) only in a regular expression; a literal has no ^ and $.
  explicit Impl(PatternOptions given)
      : options(std::move(given)),
        expression(options.is_fixed ? options.text : "(?m)" + options.text, engine_options(options)) {}

  PatternOptions options;
  RE2 expression;
};

LinePattern::LinePattern(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LinePattern::~LinePattern() = default;
LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern& LinePattern::operator=(LinePattern&&) noexcept = default;

Result<LinePattern> LinePattern::compile(const PatternOptions& options) {
  if (options.text.find('\n') != std::string::npos)
    return fail(Errc::invalid_argument, "the pattern has a line feed, but lines are searched one by one");
  auto impl = std::make_unique<Impl>(options);
  if (!impl->expression.ok()) {
    const RE2 as_given(options.text, engine_options(options));  // its message does not mention (?m)
    const bool is_large = impl->expression.error_code() == RE2::ErrorPatternTooLarge;
    return fail(Errc::invalid_argument,
                fmt::format("the pattern is not a valid regular expression: {}{}",
                            as_given.ok() ? impl->expression.error() : as_given.error(),
                            is_large ? "" : "; -F searches for literal text"));
  }
  return LinePattern(std::move(impl));
}

std::optional<LinePattern::Found> LinePattern::find(std::string_view text, std::size_t from) const {
  re2::StringPiece match;
  const re2::StringPiece all(text.data(), text.size());
  if (!impl_->expression.Match(all, from, text.size(), RE2::UNANCHORED, &match, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(match.data() - text.data());
  return Found{begin, begin + match.size()};
}

const PatternOptions& LinePattern::options() const { return impl_->options; }

text::LetterCase LinePattern::letters() const {
  return impl_->options.ignores_case ? text::LetterCase::ignore_ascii : text::LetterCase::exact;
}

std::vector<std::string> LinePattern::required() const {
  return impl_->options.is_fixed ? required_texts_of_literal(impl_->options.text, letters())
                                 : required_texts(impl_->options.text, letters());
}

}  // namespace sheaf::grep
