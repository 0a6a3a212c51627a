#pragma once

#include <chrono>
#include <cstdint>

namespace sheaf::http::fetch {

/// The minimum rate of a transfer, from connecting to the last byte. A stall timeout alone is not enough: a
/// server that drips a kilobyte per second stays above it and occupies a connection for hours.
///
/// A transfer is aborted when it has taken longer than `grace` plus one second per `minimum_rate` bytes
/// transferred. The total time is thus bounded by `grace + limit / minimum_rate` for any size limit, and a
/// tarpit is dropped right after the grace period, even if it announces a large size.
struct TransferPace {
  std::chrono::milliseconds grace{60'000};    ///< for the connection, the head and the first bytes
  std::uint64_t minimum_rate = 16ULL * 1024;  ///< bytes per second, on average, beyond the grace period
  std::chrono::milliseconds longest{std::chrono::hours(12)};  ///< maximum for one transfer of any size

  /// No minimum rate, for a server that the operator chose: an upload over a slow line may take hours.
  static TransferPace without_minimum();

  /// The time allowed for transferring this many bytes.
  [[nodiscard]] std::chrono::milliseconds allowed(std::uint64_t moved) const;
  /// How long after the first try the last retry may begin.
  [[nodiscard]] std::chrono::milliseconds retry_window() const { return 2 * grace; }
};

}  // namespace sheaf::http::fetch
