#include "sheaf/http/fetch/transfer_pace.h"

#include <algorithm>

namespace sheaf::http::fetch {

TransferPace TransferPace::without_minimum() {
  constexpr std::chrono::hours kWeek{7 * 24};
  return {.grace = kWeek, .longest = kWeek};
}

std::chrono::milliseconds TransferPace::allowed(std::uint64_t moved) const {
  const std::uint64_t rate = std::max<std::uint64_t>(minimum_rate, 1);
  // Whole seconds first: moved * 1000 could overflow.
  const auto most = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(longest).count());
  const std::uint64_t seconds = std::min(moved / rate, most);
  const std::uint64_t rest = moved % rate * 1000 / rate;
  return std::min(longest, grace + std::chrono::milliseconds(seconds * 1000 + rest));
}

}  // namespace sheaf::http::fetch
