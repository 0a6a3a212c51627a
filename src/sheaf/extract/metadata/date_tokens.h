#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The parts of a text that may contain a date: numbers, words and signs. Used by date_text.cpp.
namespace sheaf::extract {

/// Only this many bytes of a text are searched for dates.
inline constexpr std::size_t kScannedDateBytes = 4096;

enum class DateTokenKind : std::uint8_t { none, number, word, sign };
enum class DateWord : std::uint8_t { other, month, ordinal, of, at, clock_t, zulu, am, pm, hours };

struct DateToken {
  DateTokenKind kind = DateTokenKind::none;
  DateWord word = DateWord::other;
  char sign = '\0';
  bool space_before = false;
  std::uint8_t digits = 0;
  std::uint8_t month = 0;
  std::int64_t value = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Cuts a text into numbers, words and signs.
class DateLexer {
 public:
  explicit DateLexer(std::string_view text) : text_(text.substr(0, kScannedDateBytes)) {}

  /// The next token; its kind is `none` at the end of the text.
  DateToken next();

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(at_); }
  void skip_space(DateToken& token);
  void read_number(DateToken& token);
  void read_word_or_sign(DateToken& token);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The next kSize tokens from the current position on. Tokens past the end have the kind `none`.
class DateWindow {
 public:
  explicit DateWindow(std::string_view text) : lexer_(text) {
    for (DateToken& token : tokens_) token = lexer_.next();
  }
  const DateToken& operator[](std::size_t i) const { return tokens_[(first_ + i) % tokens_.size()]; }
  const DateToken& before() const { return before_; }
  void advance() {
    before_ = tokens_[first_];
    tokens_[first_] = lexer_.next();
    first_ = (first_ + 1) % tokens_.size();
  }

  static constexpr std::size_t kSize = 32;  // twice the longest date with clock and offset

 private:
  DateLexer lexer_;
  std::array<DateToken, kSize> tokens_;
  std::size_t first_ = 0;
  DateToken before_;
};

inline bool is_number(const DateToken& token, int least, int most) {
  return token.kind == DateTokenKind::number && token.digits >= least && token.digits <= most;
}
inline bool is_sign(const DateToken& token, char sign) {
  return token.kind == DateTokenKind::sign && token.sign == sign;
}
inline bool is_word(const DateToken& token, DateWord word) {
  return token.kind == DateTokenKind::word && token.word == word;
}

}  // namespace sheaf::extract
