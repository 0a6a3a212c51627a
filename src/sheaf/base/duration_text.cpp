#include "sheaf/base/duration_text.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace sheaf::base {

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

}  // namespace sheaf::base
