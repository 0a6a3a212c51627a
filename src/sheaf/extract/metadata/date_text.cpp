#include "sheaf/extract/metadata/date_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/extract/metadata/date_tokens.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

namespace sheaf::extract {
namespace {

constexpr int kFirstYear = 1990;  // the web is not older; earlier dates are historical events
constexpr int kLastYear = 2199;

/// Whether four digits may be a year from 1990 to 2999; few other numbers of four digits are in that range.
constexpr bool may_be_year(std::string_view digits) { return digits[0] == '2' || digits.starts_with("199"); }

struct Day {
  int year = 0;
  int month = 0;
  int day = 0;
  std::size_t tokens = 0;  // number of tokens it takes; 0 if there is no date
};

/// Days since 1970; nullopt if the day does not exist or is out of range.
std::optional<std::int64_t> day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (year < kFirstYear || year > kLastYear || month < 1 || month > 12 || day < 1 || day > 31)
    return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{static_cast<int>(year)},
                            std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date}.time_since_epoch().count();
}

Day make_day(std::int64_t year, std::int64_t month, std::int64_t day, std::size_t tokens) {
  if (!day_number(year, month, day)) return {};
  return {static_cast<int>(year), static_cast<int>(month), static_cast<int>(day), tokens};
}

/// Whether the window begins with three numbers with the same sign between them. Spaces are allowed only
/// after dots ("15. 3. 2021") and on both sides of bars ("15 | 03 | 2021").
bool is_triple(const DateWindow& w) {
  const char sign = w[1].sign;
  if (is_sign(w[1], '|')) return is_sign(w[3], '|') && is_number(w[2], 2, 2) && is_number(w[4], 4, 4);
  if (w[1].kind != DateTokenKind::sign || (sign != '-' && sign != '/' && sign != '.') || !is_sign(w[3], sign))
    return false;
  if (w[2].kind != DateTokenKind::number || w[4].kind != DateTokenKind::number) return false;
  const bool spaced = w[2].space_before || w[4].space_before;
  if (w[1].space_before || w[3].space_before || (spaced && sign != '.')) return false;
  // 1.2.3.4 is an IP address or a version.
  return !(is_sign(w[5], sign) && !w[5].space_before && w[6].kind == DateTokenKind::number &&
           !w[6].space_before);
}

Day read_day_month_year(const DateWindow& w, DateOrder order) {
  const bool short_year = w[4].digits == 2;
  // 15.03.21 is a date; 1.5.21 and 15-03-21 may be something else.
  if (short_year && (w[1].sign == '-' || w[0].digits != 2 || w[2].digits != 2)) return {};
  const std::int64_t year = short_year ? 2000 + w[4].value : w[4].value;
  const std::int64_t first = w[0].value;
  const std::int64_t second = w[2].value;
  if (w[1].sign == '.' || first > 12 || first == second) return make_day(year, second, first, 5);
  if (second > 12 || order == DateOrder::month_first) return make_day(year, first, second, 5);
  // Only Americans put the month first, and they write slashes, not hyphens.
  if (w[1].sign == '-' || order == DateOrder::day_first) return make_day(year, second, first, 5);
  return {};
}

Day read_numeric(const DateWindow& w, DateOrder order) {
  if (is_number(w[0], 4, 4) && is_sign(w[1], 'Y') && is_number(w[2], 1, 2) && is_sign(w[3], 'M') &&
      is_number(w[4], 1, 2) && is_sign(w[5], 'D'))
    return make_day(w[0].value, w[2].value, w[4].value, 6);
  if (!is_triple(w)) return {};
  if (is_number(w[0], 4, 4) && is_number(w[2], 1, 2) && is_number(w[4], 1, 2))
    return make_day(w[0].value, w[2].value, w[4].value, 5);
  if (is_number(w[0], 1, 2) && is_number(w[2], 1, 2) && (is_number(w[4], 4, 4) || is_number(w[4], 2, 2)))
    return read_day_month_year(w, order);
  return {};
}

/// Skips what may be between the parts of a written date: dots, commas, "of", "th", a hyphen.
std::size_t skip_links(const DateWindow& w, std::size_t at) {
  const std::size_t end = std::min(at + 4, DateWindow::kSize - 1);
  for (; at < end; ++at) {
    const DateToken& token = w[at];
    const bool link = is_word(token, DateWord::ordinal) || is_word(token, DateWord::of) ||
                      is_sign(token, '.') || is_sign(token, ',') || is_sign(token, '-') ||
                      is_sign(token, '/') || is_sign(token, '\'') || is_sign(token, '~');
    if (!link) break;
  }
  return at;
}

/// 15. March 2021
Day read_day_name_year(const DateWindow& w) {
  const std::size_t month = skip_links(w, 1);
  if (!is_word(w[month], DateWord::month)) return {};
  const std::size_t year = skip_links(w, month + 1);
  if (!is_number(w[year], 4, 4)) return {};
  return make_day(w[year].value, w[month].month, w[0].value, year + 1);
}

/// March 15, 2021
Day read_name_day_year(const DateWindow& w) {
  const std::size_t day = skip_links(w, 1);
  if (!is_number(w[day], 1, 2)) return {};
  const std::size_t year = skip_links(w, day + 1);
  if (!is_number(w[year], 4, 4)) return {};
  return make_day(w[year].value, w[0].month, w[day].value, year + 1);
}

/// 2021. March 15.
Day read_year_name_day(const DateWindow& w) {
  const std::size_t month = skip_links(w, 1);
  if (!is_word(w[month], DateWord::month)) return {};
  const std::size_t day = skip_links(w, month + 1);
  if (!is_number(w[day], 1, 2) || is_sign(w[day + 1], ':')) return {};
  return make_day(w[0].value, w[month].month, w[day].value, day + 1);
}

Day read_day(const DateWindow& w, DateOrder order) {
  const DateToken& token = w[0];
  if (is_word(token, DateWord::month)) return read_name_day_year(w);
  if (token.kind != DateTokenKind::number || token.digits > 4) return {};
  // The middle of a longer number: 1.15.03.2021, 3-2021-03-15.
  const DateToken& before = w.before();
  if (!token.space_before && before.kind == DateTokenKind::sign &&
      (before.sign == '.' || before.sign == '/' || before.sign == '-'))
    return {};
  if (const Day day = read_numeric(w, order); day.tokens != 0) return day;
  if (is_number(token, 1, 2)) return read_day_name_year(w);
  if (is_number(token, 4, 4)) return read_year_name_day(w);
  return {};
}

struct Clock {
  std::int64_t seconds = 0;  // since midnight, minus the offset
  std::uint32_t nanoseconds = 0;
  std::size_t end = 0;  // the token after the clock; 0 if there is no clock
};

/// Reads the offset from UTC after a clock: +0100, +01:00, +01.
void read_offset(const DateWindow& w, Clock& clock) {
  std::size_t at = clock.end;
  if (is_word(w[at], DateWord::zulu)) clock.end = ++at;
  const bool plus = is_sign(w[at], '+');
  if ((!plus && !is_sign(w[at], '-')) || w[at + 1].space_before) return;
  std::int64_t minutes = 0;
  if (is_number(w[at + 1], 4, 4)) {
    minutes = w[at + 1].value / 100 * 60 + w[at + 1].value % 100;
    clock.end = at + 2;
  } else if (is_number(w[at + 1], 2, 2) && is_sign(w[at + 2], ':') && is_number(w[at + 3], 2, 2)) {
    minutes = w[at + 1].value * 60 + w[at + 3].value;
    clock.end = at + 4;
  } else if (is_number(w[at + 1], 2, 2) && !w[at].space_before) {
    minutes = w[at + 1].value * 60;
    clock.end = at + 2;
  }
  constexpr std::int64_t kFarthest = 840;  // minutes: no place on earth is further from UTC
  if (minutes > kFarthest) return;
  clock.seconds += plus ? -minutes * 60 : minutes * 60;
}

/// The digits after the decimal point, in nanoseconds; further digits are ignored.
std::uint32_t read_fraction(const DateToken& token) {
  constexpr int kDigits = 9;
  std::int64_t value = token.value;
  const int digits = std::min<int>(token.digits, 18);  // the lexer ignores further ones
  for (int i = digits; i < kDigits; ++i) value *= 10;
  for (int i = kDigits; i < digits; ++i) value /= 10;
  return static_cast<std::uint32_t>(value);
}

/// The clock that begins at token `at`: 10:30, 10:30:05.123, 10h30, 10:30 pm.
Clock read_clock_at(const DateWindow& w, std::size_t at) {
  const bool colon = is_sign(w[at + 1], ':') || is_word(w[at + 1], DateWord::hours);
  if (!is_number(w[at], 1, 2) || !colon || !is_number(w[at + 2], 2, 2)) return {};
  std::int64_t hour = w[at].value;
  const std::int64_t minute = w[at + 2].value;
  std::int64_t second = 0;
  std::uint32_t nanoseconds = 0;
  std::size_t end = at + 3;
  if (is_sign(w[end], ':') && is_number(w[end + 1], 2, 2)) {
    second = w[end + 1].value;
    end += 2;
    if ((is_sign(w[end], '.') || is_sign(w[end], ',')) && !w[end + 1].space_before &&
        w[end + 1].kind == DateTokenKind::number) {
      nanoseconds = read_fraction(w[end + 1]);
      end += 2;
    }
  }
  if (is_word(w[end], DateWord::pm) && hour < 12) hour += 12;
  if (is_word(w[end], DateWord::am) && hour == 12) hour = 0;
  if (is_word(w[end], DateWord::am) || is_word(w[end], DateWord::pm)) ++end;
  if (hour > 23 || minute > 59 || second > 60) return {};
  Clock clock{hour * 3600 + minute * 60 + std::min<std::int64_t>(second, 59), nanoseconds, end};
  read_offset(w, clock);
  return clock;
}

/// The clock after a date that ends before token `at`.
Clock read_clock(const DateWindow& w, std::size_t at) {
  for (std::size_t skipped = 0; skipped < 4; ++skipped, ++at) {
    const DateToken& token = w[at];
    if (token.kind == DateTokenKind::number) return read_clock_at(w, at);
    const bool passed = is_word(token, DateWord::clock_t) || is_word(token, DateWord::at) ||
                        is_sign(token, ',') || is_sign(token, '-') || is_sign(token, '|') ||
                        is_sign(token, '~') || is_sign(token, '.') || is_sign(token, '/') ||
                        is_sign(token, '(');
    if (!passed) return {};
  }
  return {};
}

constexpr std::int64_t kSecondsPerDay = 86'400;

FoundDate make_date(const DateWindow& w, const Day& day) {
  FoundDate date;
  const std::int64_t midnight = *day_number(day.year, day.month, day.day) * kSecondsPerDay;
  const Clock clock = read_clock(w, day.tokens);
  const std::size_t end = clock.end != 0 ? clock.end : day.tokens;
  date.instant = {midnight + clock.seconds, clock.nanoseconds};
  date.has_clock = clock.end != 0;
  date.begin = w[0].begin;
  date.end = w[end - 1].end;
  return date;
}

/// Reads 20210315, 20210315T103000 or 20210315103000, of which `digits` has only the digits.
std::optional<FoundDate> read_compact(std::string_view digits) {
  const auto number = [digits](std::size_t begin, std::size_t size) {
    std::int64_t value = 0;
    for (const char c : digits.substr(begin, size)) value = value * 10 + (c - '0');
    return value;
  };
  const auto day = day_number(number(0, 4), number(4, 2), number(6, 2));
  if (!day) return std::nullopt;
  FoundDate date;
  date.instant.seconds = *day * kSecondsPerDay;
  if (digits.size() < 12) return date;
  const std::int64_t second = digits.size() == 14 ? number(12, 2) : 0;
  if (number(8, 2) > 23 || number(10, 2) > 59 || second > 59) return std::nullopt;
  date.instant.seconds += number(8, 2) * 3600 + number(10, 2) * 60 + second;
  date.has_clock = true;
  return date;
}

/// Reads seconds (ten digits) or milliseconds (thirteen digits) since 1970. Times before 2001 have fewer
/// digits.
std::optional<FoundDate> read_epoch(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  FoundDate date;
  if (digits.size() == 13) {
    date.instant.nanoseconds = static_cast<std::uint32_t>(value % 1000 * 1'000'000);
    value /= 1000;
  }
  date.instant.seconds = value;
  date.has_clock = true;
  return date;
}

}  // namespace

bool has_date_digits(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!base::is_digit(text[at])) continue;
    const std::size_t begin = at;
    while (at < text.size() && base::is_digit(text[at])) ++at;
    const std::size_t size = at - begin;
    if (size == 4 && (text[begin] == '1' || text[begin] == '2')) return true;
    if (size == 2 && begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '/')) return true;
  }
  return false;
}

bool may_have_date(std::string_view text) {
  std::size_t pairs = 0;  // numbers of two digits
  bool in_row = false;    // one of them comes after a sign
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!base::is_digit(text[at])) continue;
    const std::size_t begin = at;
    while (at < text.size() && base::is_digit(text[at])) ++at;
    const std::size_t size = at - begin;
    if (size == 4 && may_be_year(text.substr(begin, size))) return true;
    if (size != 2) continue;
    ++pairs;
    in_row = in_row || (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '/'));
    if (pairs >= 3 && in_row) return true;
  }
  return false;
}

DateOrder date_order_of(std::string_view language_tag) {
  if (language_tag.empty()) return DateOrder::unknown;
  if (language_tag == "en" || language_tag == "en-US") return DateOrder::month_first;
  return DateOrder::day_first;
}

std::optional<FoundDate> find_date(std::string_view text, DateOrder order) {
  if (!may_have_date(text.substr(0, kScannedDateBytes))) return std::nullopt;
  for (DateWindow window(text); window[0].kind != DateTokenKind::none; window.advance())
    if (const Day day = read_day(window, order); day.tokens != 0) return make_date(window, day);
  return std::nullopt;
}

std::optional<FoundDate> parse_date_value(std::string_view value, DateOrder order) {
  constexpr std::size_t kMaxLabelLength = 32;  // "Veroeffentlicht am Donnerstag, "
  value = text::trim_space(value);
  std::array<char, 14> digits{};
  std::size_t size = 0;
  bool compact = !value.empty();
  for (std::size_t i = 0; i < value.size() && compact; ++i) {
    if (i == 8 && (value[i] == 'T' || value[i] == 't' || value[i] == ' ')) continue;
    if (i == value.size() - 1 && i > 8 && value[i] == 'Z') continue;
    compact = base::is_digit(value[i]) && size < digits.size();
    if (compact) digits[size++] = value[i];
  }
  const std::string_view all(digits.data(), size);
  std::optional<FoundDate> date;
  if (compact && (size == 10 || size == 13) && size == value.size()) return read_epoch(all);
  if (compact && (size == 8 || size == 12 || size == 14)) return read_compact(all);
  date = find_date(value, order);
  if (date && date->begin > kMaxLabelLength) return std::nullopt;
  return date;
}

namespace {

/// Removes the digits from the front of `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && base::is_digit(text[size])) ++size;
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

std::int64_t small_number(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

/// Three numbers with the same sign between them at the front of `text`; all are empty if there are none.
/// Also accepts a folder of the month that contains a folder of the day ("2021-03/15").
std::array<std::string_view, 3> take_path_numbers(std::string_view text, std::string_view signs) {
  std::array<std::string_view, 3> numbers;
  numbers[0] = take_digits(text);
  if (text.empty() || signs.find(text.front()) == std::string_view::npos) return {};
  const char sign = text.front();
  text.remove_prefix(1);
  numbers[1] = take_digits(text);
  const bool day_folder = sign == '-' && numbers[1].size() == 2 && text.starts_with('/');
  if (text.empty() || (text.front() != sign && !day_folder)) return {};
  text.remove_prefix(1);
  numbers[2] = take_digits(text);
  // /2021/03/15-reasons is not a date: if the parts of a date are folders, the last one must be a whole
  // folder.
  if ((sign == '/' || day_folder) && !text.empty() && text.front() != '/') return {};
  return numbers;
}

std::optional<std::int64_t> read_path_day(std::string_view text, PathDate form) {
  const bool year_first = form == PathDate::year_first;
  auto numbers = take_path_numbers(text, year_first ? "/-" : "-._");
  if (!year_first) std::swap(numbers[0], numbers[2]);
  const auto is_short = [](std::string_view number) { return number.size() == 1 || number.size() == 2; };
  if (numbers[0].size() != 4 || !is_short(numbers[1]) || !is_short(numbers[2])) return std::nullopt;
  return day_number(small_number(numbers[0]), small_number(numbers[1]), small_number(numbers[2]));
}

bool is_path_border(char c) { return c == '/' || c == '-' || c == '_'; }

}  // namespace

std::optional<Instant> find_path_date(std::string_view path, PathDate form) {
  char before = '/';
  while (!path.empty()) {
    const std::string_view from_here = path;
    const std::string_view digits = take_digits(path);
    const bool starts = is_path_border(before) && !digits.empty();
    const bool ends = path.empty() || is_path_border(path.front());
    if (starts && digits.size() <= 4)
      if (const auto day = read_path_day(from_here, form)) return Instant{*day * kSecondsPerDay, 0};
    if (starts && ends && digits.size() == 8 && form == PathDate::year_first)
      if (const auto compact = read_compact(digits)) return compact->instant;
    if (path.empty()) break;
    before = path.front();
    path.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace sheaf::extract
