#include "sheaf/extract/metadata/date_tokens.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/extract/metadata/month_names.h"

#include <algorithm>
#include <iterator>

namespace sheaf::extract {
namespace {

struct NamedWord {
  std::string_view name;
  DateWord word;
};

// Words inside dates and times, folded by fold_letter.
constexpr NamedWord kWords[] = {
    {"st", DateWord::ordinal}, {"nd", DateWord::ordinal}, {"rd", DateWord::ordinal},
    {"th", DateWord::ordinal}, {"er", DateWord::ordinal}, {"e", DateWord::ordinal},
    {"o", DateWord::ordinal},  {"de", DateWord::of},      {"del", DateWord::of},
    {"of", DateWord::of},      {"d", DateWord::of},       {"t", DateWord::clock_t},
    {"z", DateWord::zulu},     {"utc", DateWord::zulu},   {"gmt", DateWord::zulu},
    {"am", DateWord::am},      {"pm", DateWord::pm},      {"h", DateWord::hours},
    {"at", DateWord::at},      {"um", DateWord::at},      {"a", DateWord::at},
    {"as", DateWord::at},      {"om", DateWord::at},      {"kl", DateWord::at},
    {"klo", DateWord::at},     {"alle", DateWord::at},    {"ore", DateWord::at},
    {"v", DateWord::at},       {"saat", DateWord::at},    {"godz", DateWord::at},
    {"g", DateWord::at},       {"r", DateWord::at},
};

/// The characters for year, month and day in Chinese, Japanese and Korean become Y, M and D.
char sign_of(char32_t c) {
  switch (c) {
    case 0x5E74:
    case 0xB144: return 'Y';
    case 0x6708:
    case 0xC6D4: return 'M';
    case 0x65E5:
    case 0xC77C: return 'D';
    default: return c < 0x80 ? static_cast<char>(c) : '~';
  }
}

void name_word(DateToken& token, std::string_view folded) {
  constexpr std::size_t kMaxWordLength = 4;
  const auto* const named = folded.size() <= kMaxWordLength
                                ? std::ranges::find(kWords, folded, &NamedWord::name)
                                : std::end(kWords);
  if (named != std::end(kWords)) {
    token.word = named->word;
    return;
  }
  token.month = static_cast<std::uint8_t>(month_of(folded));
  if (token.month != 0) token.word = DateWord::month;
}

}  // namespace

DateToken DateLexer::next() {
  DateToken token;
  skip_space(token);
  token.begin = token.end = place();
  if (rest().empty()) return token;
  if (base::is_digit(rest().front()))
    read_number(token);
  else
    read_word_or_sign(token);
  token.end = place();
  return token;
}

void DateLexer::skip_space(DateToken& token) {
  while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= 0x20) {
    token.space_before = true;
    ++at_;
  }
}

void DateLexer::read_number(DateToken& token) {
  token.kind = DateTokenKind::number;
  for (; at_ < text_.size() && base::is_digit(text_[at_]); ++at_) {
    // With more than 18 digits it is not a date.
    if (token.digits < 18) token.value = token.value * 10 + (text_[at_] - '0');
    if (token.digits < 255) ++token.digits;
  }
}

void DateLexer::read_word_or_sign(DateToken& token) {
  std::array<char, kMaxMonthLength> folded{};
  std::size_t size = 0;
  while (at_ < text_.size()) {
    std::string_view after = rest();
    const char32_t c = base::take_code_point(after);
    const char letter = fold_letter(c);
    const bool accent = c >= 0x300 && c < 0x370;  // a letter and its accent as two characters
    if (letter == '\0' && !(accent && size > 0)) {
      if (size > 0) break;
      token.kind = DateTokenKind::sign;
      token.sign = sign_of(c);
      at_ = text_.size() - after.size();
      return;
    }
    if (letter != '\0') {
      if (size < folded.size()) folded[size] = letter;
      ++size;
    }
    at_ = text_.size() - after.size();
  }
  token.kind = DateTokenKind::word;
  if (size <= folded.size()) name_word(token, {folded.data(), size});
}

}  // namespace sheaf::extract
