#pragma once

#include <chrono>
#include <cstdint>

namespace sheaf::http {

/// The pace that every transfer has to keep, from the connection to the last byte. A stall timeout alone is
/// not enough: a server that drips a kilobyte a second stays above it and keeps a connection for hours.
///
/// A transfer ends when it has taken longer than `grace` plus a second for every `minimum_rate` bytes that
/// have arrived. So the total time is bounded by `grace + limit / minimum_rate` for any size limit, and a
/// server that drips is given up right after the grace period, whatever size it announces.
struct TransferPace {
  std::chrono::milliseconds grace{60'000};    ///< for the connection, the head and the first bytes
  std::uint64_t minimum_rate = 16ULL * 1024;  ///< bytes a second, on average, beyond the grace period
  std::chrono::milliseconds longest{std::chrono::hours(12)};  ///< for one transfer, however large

  /// The time in which this many bytes must have arrived.
  [[nodiscard]] std::chrono::milliseconds allowed(std::uint64_t received) const;
  /// How long after the first try of a request the last one may begin.
  [[nodiscard]] std::chrono::milliseconds retry_window() const { return 2 * grace; }
};

}  // namespace sheaf::http
