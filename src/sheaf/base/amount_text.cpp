#include "sheaf/base/amount_text.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string>

namespace sheaf::base {
namespace {

/// The factor of "", "B", "KB", "kib", "G"...; nullopt for anything else.
std::optional<std::uint64_t> byte_unit(std::string_view text) {
  const std::string unit = lower_text(text);
  if (unit.empty() || unit == "b") return 1;
  constexpr std::string_view kPrefixes = "kmgt";
  const std::size_t power = kPrefixes.find(unit.front());
  const std::string_view rest = std::string_view(unit).substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib")) return std::nullopt;
  const std::uint64_t step = rest == "ib" ? 1024 : 1000;
  std::uint64_t factor = step;
  for (std::size_t i = 0; i < power; ++i) factor *= step;
  return factor;
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::int64_t seconds = unit == "s"   ? 1
                               : unit == "m" ? 60
                               : unit == "h" ? 3600
                               : unit == "d" ? 86'400
                                             : 0;
  if (error != std::errc() || seconds == 0)
    return fail(Errc::invalid_argument,
                fmt::format("\"{}\" is not a duration: give a number with s, m, h or d, such as 30m", text));
  return number * seconds;
}

Result<std::uint64_t> parse_byte_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto unit = byte_unit(rest);
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (error != std::errc() || !unit || number > kMax / *unit)
    return fail(
        Errc::invalid_argument,
        fmt::format("\"{}\" is not a size: give a number of bytes with an optional unit, such as 10GiB",
                    text));
  return number * *unit;
}

}  // namespace sheaf::base
