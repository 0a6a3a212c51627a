#include "sheaf/http/fetch/retry.h"

#include <algorithm>
#include <cstdint>

namespace sheaf::http::fetch {

std::chrono::milliseconds wait_before(unsigned retry, const RetryPolicy& policy, double random) {
  std::chrono::milliseconds whole = policy.first;
  for (unsigned i = 1; i < retry && whole < policy.longest; ++i) whole *= 2;
  whole = std::min(whole, policy.longest);
  const double part = 0.5 + std::clamp(random, 0.0, 1.0) / 2;
  return std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * part));
}

bool is_temporary(int status) {
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

}  // namespace sheaf::http::fetch
