#pragma once

#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::extract {

/// Whether 3/4/2021 begins with the day or the month, if the numbers leave it open. Americans write the month
/// first, nearly everybody else the day. With `unknown`, such dates are ignored.
enum class DateOrder : std::uint8_t { unknown, day_first, month_first };

/// The order in a language: month first for "en-US" and for "en" without a country, `unknown` for an empty
/// tag, else day first.
DateOrder date_order_of(std::string_view language_tag);

struct FoundDate {
  Instant instant;         ///< UTC if the date has no offset, midnight if it has no time of day
  bool has_clock = false;  ///< the date has a time of day
  std::size_t begin = 0;   ///< position in the text
  std::size_t end = 0;
};

/// Whether a text has digits as in dates: four that begin like a year, or two after a dot or slash.
bool has_date_digits(std::string_view text);

/// Whether a text has what every date has: a year of four digits, or three numbers of two digits, one of them
/// after a dot or slash. Most texts have neither, and this check is much cheaper than parsing them.
bool may_have_date(std::string_view text);

/// Finds the first date in the first kScannedDateBytes of a text. Understands numeric dates (2021-03-15,
/// 15.03.2021, 15/03/21) and dates with the name of a month in about thirty languages (March 15, 2021; 15.
/// Maerz 2021; 15 de marzo de 2021), also in Cyrillic, Greek, Chinese, Japanese and Korean, each optionally
/// with a time of day and an offset (ISO 8601, RFC 2822, what browsers print). Ignores days that do not
/// exist, years without a day, and dates before 1990.
std::optional<FoundDate> find_date(std::string_view text, DateOrder order);

/// Parses a value that is a date. Like find_date(), but only a weekday or a short label may precede the date.
/// Also understands compact dates (20210315, 20210315T103000Z) and seconds or milliseconds since 1970.
std::optional<FoundDate> parse_date_value(std::string_view value, DateOrder order);

/// `year_first`: /2021/03/15/, /2021-03/15/, /2021-03-15-name, /20210315/, as content management systems
/// write. `day_first`: /15-03-2021-name, /name_15.03.2021, as people write.
enum class PathDate : std::uint8_t { year_first, day_first };

/// The date in the path of a URL.
std::optional<Instant> find_path_date(std::string_view path, PathDate form);

}  // namespace sheaf::extract
