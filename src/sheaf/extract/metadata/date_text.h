#pragma once

#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::extract {

/// Which number comes first in 3/4/2021, where the numbers leave it open. Americans write the month
/// first, nearly everybody else the day; `unknown` gives such a date up rather than guess.
enum class DateOrder : std::uint8_t { unknown, day_first, month_first };

/// How the readers of a language write 3/4/2021: month first for English of the United States or of no
/// country.
DateOrder date_order_of(std::string_view language_tag);

struct FoundDate {
  Instant instant;         ///< without an offset read as UTC, without a clock its day's midnight
  bool has_clock = false;  ///< a time of day was given
  std::size_t begin = 0;   ///< where in the text it stands
  std::size_t end = 0;
};

/// Whether a text has digits as dates have them: four that begin like a year's, or two after a dot or slash.
bool has_date_digits(std::string_view text);

/// Whether a text has what every date has: a year of four digits, or three numbers of two digits, one of them
/// after a dot or slash. Most texts have neither, and this is much cheaper than to read them.
bool may_have_date(std::string_view text);

/// The first date in a text. Understood are the numeric forms (2021-03-15, 20210315, 15.03.2021, 15/3/21)
/// with a clock and an offset if there is one (ISO 8601, RFC 2822, what browsers print), and those with a
/// month's name in about thirty languages (March 15, 2021; 15. Maerz 2021; 15 de marzo de 2021), also in
/// Cyrillic, Greek, Chinese, Japanese and Korean. Only the first kilobytes are looked at. A day that no
/// calendar has, a year without a day, a date before 1990 are passed over.
std::optional<FoundDate> find_date(std::string_view text, DateOrder order);

/// The date a value is: as find_date, but the value must begin with it (a weekday or a short label may stand
/// before), or be a count of seconds or milliseconds since 1970.
std::optional<FoundDate> parse_date_value(std::string_view value, DateOrder order);

/// `year_first`: /2021/03/15/, /2021-03/15/, /2021-03-15-name, /20210315/, which content systems write.
/// `day_first`: /15-03-2021-name, /name_15.03.2021, which people write.
enum class PathDate : std::uint8_t { year_first, day_first };

/// The date in the path of a URL.
std::optional<Instant> find_path_date(std::string_view path, PathDate form);

}  // namespace sheaf::extract
