#include "sheaf/http/message/message.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace sheaf::http::message {
namespace {

bool is_token_char(char c) {
  if (base::is_alphanumeric(c)) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

Method method_of(std::string_view name) noexcept {
  if (name == "GET") return Method::get;
  if (name == "HEAD") return Method::head;
  if (name == "POST") return Method::post;
  if (name == "OPTIONS") return Method::options;
  for (const std::string_view known : {"PUT", "DELETE", "CONNECT", "TRACE", "PATCH"})
    if (name == known) return Method::known;
  return Method::other;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return base::lower_ascii(x) == base::lower_ascii(y); });
}

bool is_html_type(std::string_view content_type) noexcept {
  const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
  return equal_ignoring_case(type, "text/html") || equal_ignoring_case(type, "application/xhtml+xml");
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_field_value(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

std::size_t Fields::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(std::count_if(
      lines_.begin(), lines_.end(), [&](const Field& line) { return equal_ignoring_case(line.name, name); }));
}

std::string_view Fields::first(std::string_view name) const noexcept {
  for (const Field& line : lines_)
    if (equal_ignoring_case(line.name, name)) return line.value;
  return {};
}

std::string Fields::joined(std::string_view name) const {
  std::string all;
  bool seen = false;
  for (const Field& line : lines_) {
    if (!equal_ignoring_case(line.name, name)) continue;
    if (seen) all += ", ";
    all += line.value;
    seen = true;
  }
  return all;
}

std::string_view reason_phrase(unsigned status) noexcept {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

namespace {

using std::chrono::sys_days;

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Consumes the pieces of a date from the front of a text. After the first mismatch every call fails.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  Cursor& literal(std::string_view wanted) {
    good_ = good_ && text_.starts_with(wanted);
    if (good_) text_.remove_prefix(wanted.size());
    return *this;
  }

  Cursor& number(std::size_t digits, int& value) {
    value = 0;
    good_ = good_ && text_.size() >= digits;
    for (std::size_t i = 0; good_ && i < digits; ++i) {
      good_ = text_[i] >= '0' && text_[i] <= '9';
      value = value * 10 + (text_[i] - '0');
    }
    if (good_) text_.remove_prefix(digits);
    return *this;
  }

  /// asctime's day of the month: two characters, the first a space or a digit.
  Cursor& padded_day(int& day) {
    if (!text_.starts_with(' ')) return number(2, day);
    return literal(" ").number(1, day);
  }

  Cursor& month(int& month) {
    const auto found = std::find(kMonths.begin(), kMonths.end(), text_.substr(0, 3));
    good_ = good_ && found != kMonths.end();
    month = static_cast<int>(found - kMonths.begin()) + 1;
    if (good_) text_.remove_prefix(3);
    return *this;
  }

  Cursor& clock(int& hour, int& minute, int& second) {
    return number(2, hour).literal(":").number(2, minute).literal(":").number(2, second);
  }

  [[nodiscard]] bool done() const { return good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool good_ = true;
};

struct DateFields {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

std::optional<std::int64_t> to_seconds(const DateFields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(static_cast<unsigned>(fields.month)),
                                         std::chrono::day(static_cast<unsigned>(fields.day))};
  // 60 is a leap second, which system clocks do not have.
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 60) return std::nullopt;
  const std::chrono::sys_seconds time = sys_days(date) + std::chrono::hours(fields.hour) +
                                        std::chrono::minutes(fields.minute) +
                                        std::chrono::seconds(std::min(fields.second, 59));
  return time.time_since_epoch().count();
}

int year_of(std::int64_t seconds) {
  const auto days =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  return static_cast<int>(std::chrono::year_month_day(days).year());
}

/// Splits off the leading day name, short or long.
std::optional<std::string_view> after_day_name(std::string_view text, bool& is_long) {
  for (const std::string_view name : kDays) {
    if (!text.starts_with(name.substr(0, 3))) continue;
    is_long = text.starts_with(name);
    return text.substr(is_long ? name.size() : 3);
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_long_form(std::string_view rest, std::int64_t now) {
  DateFields fields;
  Cursor cursor(rest);
  cursor.literal(", ").number(2, fields.day).literal("-").month(fields.month).literal("-");
  cursor.number(2, fields.year).literal(" ").clock(fields.hour, fields.minute, fields.second).literal(" GMT");
  if (!cursor.done()) return std::nullopt;
  const int latest = year_of(now) + 50;
  fields.year += latest - latest % 100;
  if (fields.year > latest) fields.year -= 100;
  return to_seconds(fields);
}

}  // namespace

std::optional<std::int64_t> parse_http_date(std::string_view text, std::int64_t now) noexcept {
  bool is_long = false;
  const auto rest = after_day_name(text, is_long);
  if (!rest) return std::nullopt;
  if (is_long) return parse_long_form(*rest, now);
  DateFields fields;
  Cursor cursor(*rest);
  if (rest->starts_with(',')) {
    cursor.literal(", ").number(2, fields.day).literal(" ").month(fields.month).literal(" ");
    cursor.number(4, fields.year)
        .literal(" ")
        .clock(fields.hour, fields.minute, fields.second)
        .literal(" GMT");
  } else {
    cursor.literal(" ").month(fields.month).literal(" ").padded_day(fields.day).literal(" ");
    cursor.clock(fields.hour, fields.minute, fields.second).literal(" ").number(4, fields.year);
  }
  if (!cursor.done()) return std::nullopt;
  return to_seconds(fields);
}

std::string format_http_date(std::int64_t seconds) {
  constexpr std::int64_t kFirst = -62'135'596'800;  // 0001-01-01
  constexpr std::int64_t kLast = 253'402'300'799;   // 9999-12-31T23:59:59Z
  const std::chrono::sys_seconds time{std::chrono::seconds(std::clamp(seconds, kFirst, kLast))};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()].substr(0, 3),
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace sheaf::http::message
