#include "sheaf/http/transfer_pace.h"

#include <algorithm>

namespace sheaf::http {

std::chrono::milliseconds TransferPace::allowed(std::uint64_t received) const {
  const std::uint64_t rate = std::max<std::uint64_t>(minimum_rate, 1);
  // By whole seconds first: received * 1000 could overflow.
  const auto most = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(longest).count());
  const std::uint64_t seconds = std::min(received / rate, most);
  const std::uint64_t rest = received % rate * 1000 / rate;
  return std::min(longest, grace + std::chrono::milliseconds(seconds * 1000 + rest));
}

}  // namespace sheaf::http
