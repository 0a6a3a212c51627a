#pragma once

#include <chrono>

namespace sheaf::http::fetch {

/// When to retry a request, for crawling and for object storage alike. Only temporary failures are retried:
/// no connection, a lost connection, a timeout, and the statuses of is_temporary(). Retry-After is obeyed:
/// the next try waits at least that long, and there is no retry if the server asks for more than `longest`.
struct RetryPolicy {
  unsigned tries = 6;                         ///< in total, including the first
  std::chrono::milliseconds first{500};       ///< wait before the first retry
  std::chrono::milliseconds longest{30'000};  ///< maximum wait
};

/// Wait before the next try: exponential backoff with jitter (between half and all of a time that doubles
/// with each try). Without jitter, all clients of a failed server would return at once. `random` is 0 to 1.
std::chrono::milliseconds wait_before(unsigned retry, const RetryPolicy& policy, double random);

/// Whether the same request may succeed soon: 408, 429 and most of 5xx.
bool is_temporary(int status);

}  // namespace sheaf::http::fetch
