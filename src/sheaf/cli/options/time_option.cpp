#include "sheaf/cli/options/time_option.h"

#include <fmt/format.h>

namespace sheaf::cli {
namespace {

constexpr std::size_t kDateLength = std::string_view("2026-01-31").size();

}  // namespace

base::Result<std::optional<Instant>> parse_time_option(std::string_view option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parse_time(text.size() == kDateLength ? text + "T00:00:00Z" : text);
  if (parsed) return parsed->instant;
  return base::fail(
      base::Errc::invalid_argument,
      fmt::format("{} takes a date like 2026-01-31 or a time like 2026-01-31T08:00:00Z, found {}", option,
                  text));
}

}  // namespace sheaf::cli
