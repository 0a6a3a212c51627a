#pragma once

#include "sheaf/http/client.h"

#include <chrono>
#include <functional>

namespace sheaf::http {

struct RetryPolicy {
  unsigned tries = 6;  ///< in all
  std::chrono::milliseconds first{500};
  std::chrono::milliseconds longest{30'000};
};

/// How long to wait before another try: a random part, at least half, of a time that doubles with each. All
/// clients that a server failed at once would come back at once without the random part. `random` is 0 to 1.
std::chrono::milliseconds wait_before(unsigned retry, const RetryPolicy& policy, double random);

/// Whether the same request may get another answer soon: 429 and most of 5xx, and 408.
bool is_temporary(int status);

using Sleep = std::function<void(std::chrono::milliseconds)>;

/// Sends until there is an answer that is not temporary, or the tries are used up; then the last answer or
/// error. What a server asks for in Retry-After is waited for, up to `longest`. `sleep` is for tests.
base::Result<ClientAnswer> send_with_retries(Client& client, const ClientRequest& request,
                                             const RetryPolicy& policy, const Sleep& sleep = {});

}  // namespace sheaf::http
