#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <chrono>

namespace sheaf {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr Instant kFirst{-62'167'219'200, 0};           // 0000-01-01T00:00:00Z
constexpr Instant kLast{253'402'300'799, 999'999'999};  // 9999-12-31T23:59:59.999999999Z

/// Reads fixed-width numbers and single characters off the front of a string; every read checks its bounds.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool number(int digits, int& value) {
    if (text_.size() < static_cast<std::size_t>(digits)) return false;
    value = 0;
    for (int i = 0; i < digits; ++i) {
      const char c = text_[static_cast<std::size_t>(i)];
      if (!base::is_digit(c)) return false;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(static_cast<std::size_t>(digits));
    return true;
  }

  bool accept(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// Takes one digit; -1 if there is none.
  int digit() {
    if (text_.empty() || !base::is_digit(text_.front())) return -1;
    const int value = text_.front() - '0';
    text_.remove_prefix(1);
    return value;
  }

  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar.
std::int64_t days_from_civil(int year, int month, int day) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  return sys_days{date}.time_since_epoch().count();
}

bool parse_date(Cursor& cursor, std::int64_t& days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!cursor.number(4, year) || !cursor.accept('-') || !cursor.number(2, month) || !cursor.accept('-') ||
      !cursor.number(2, day))
    return false;
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
  days = days_from_civil(year, month, day);
  return true;
}

bool parse_clock(Cursor& cursor, int& seconds_of_day, std::uint32_t& nanoseconds) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!cursor.number(2, hour) || !cursor.accept(':') || !cursor.number(2, minute) || !cursor.accept(':') ||
      !cursor.number(2, second))
    return false;
  if (hour > 23 || minute > 59 || second > 60) return false;
  if (second == 60) second = 59;  // Instant cannot represent leap seconds
  seconds_of_day = hour * 3600 + minute * 60 + second;
  if (!cursor.accept('.')) return true;
  std::uint32_t scale = 100'000'000;
  int digit = cursor.digit();
  if (digit < 0) return false;
  for (; digit >= 0; digit = cursor.digit()) {
    nanoseconds += static_cast<std::uint32_t>(digit) * scale;
    scale /= 10;
  }
  return true;
}

/// Parses the offset from UTC into `east`, in seconds. A missing offset is not an error; see `offset`.
bool parse_offset(Cursor& cursor, int& east, Offset& offset) {
  east = 0;
  offset = Offset::given;
  if (cursor.accept('Z') || cursor.accept('z')) return true;
  const bool plus = cursor.accept('+');
  if (!plus && !cursor.accept('-')) {
    offset = Offset::missing;
    return true;
  }
  int hour = 0;
  int minute = 0;
  if (!cursor.number(2, hour) || !cursor.accept(':') || !cursor.number(2, minute)) return false;
  if (hour > 23 || minute > 59) return false;
  east = (hour * 3600 + minute * 60) * (plus ? 1 : -1);
  return true;
}

}  // namespace

std::optional<ParsedTime> parse_time(std::string_view text) noexcept {
  Cursor cursor(text);
  std::int64_t days = 0;
  int seconds_of_day = 0;
  int east = 0;
  ParsedTime parsed;
  if (!parse_date(cursor, days) || !(cursor.accept('T') || cursor.accept('t')) ||
      !parse_clock(cursor, seconds_of_day, parsed.instant.nanoseconds) ||
      !parse_offset(cursor, east, parsed.offset) || !cursor.at_end())
    return std::nullopt;
  parsed.instant.seconds = days * kSecondsPerDay + seconds_of_day - east;
  return parsed;
}

std::string format_time(Instant instant) {
  using namespace std::chrono;
  instant = std::clamp(instant, kFirst, kLast);
  const sys_seconds time{seconds{instant.seconds}};
  const auto day_start = floor<days>(time);
  const year_month_day date{day_start};
  const hh_mm_ss clock{time - day_start};
  // Written digit by digit because every page has times, and fmt would parse its format string each time.
  std::string text = "0000-00-00T00:00:00";
  const auto put = [&text](std::size_t at, auto number) {
    text[at] = static_cast<char>('0' + number / 10);
    text[at + 1] = static_cast<char>('0' + number % 10);
  };
  put(0, static_cast<int>(date.year()) / 100);
  put(2, static_cast<int>(date.year()) % 100);
  put(5, static_cast<unsigned>(date.month()));
  put(8, static_cast<unsigned>(date.day()));
  put(11, clock.hours().count());
  put(14, clock.minutes().count());
  put(17, clock.seconds().count());
  if (instant.nanoseconds != 0) {
    text += fmt::format(".{:09}", instant.nanoseconds);
    while (text.back() == '0') text.pop_back();
  }
  text += 'Z';
  return text;
}

Instant now() {
  using namespace std::chrono;
  const auto since_epoch = system_clock::now().time_since_epoch();
  const auto whole = floor<seconds>(since_epoch);
  return {whole.count(), static_cast<std::uint32_t>(duration_cast<nanoseconds>(since_epoch - whole).count())};
}

}  // namespace sheaf
