#pragma once

#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sheaf::cli {

/// Metrics about pulls. Thread-safe.
class PullMetrics {
 public:
  void count(const pull::PullReport& report);
  /// Returns the metrics in Prometheus text format.
  [[nodiscard]] std::string text() const;

 private:
  /// Upper bounds of the buckets of the duration histogram, in milliseconds. A pull with nothing new takes
  /// well under a second, one slice of fetching page by page a minute, a large snapshot an hour.
  static constexpr std::array<std::uint64_t, 9> kBounds = {100,    500,     1'000,   5'000,    15'000,
                                                           60'000, 300'000, 900'000, 3'600'000};

  [[nodiscard]] std::string failures_text() const;
  [[nodiscard]] std::string durations_text() const;

  std::atomic<std::uint64_t> pulls_ = 0;
  std::array<std::atomic<std::uint64_t>, pull::kFailureCodes> failures_{};
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1>
      durations_{};  ///< the last one counts longer pulls
  std::atomic<std::uint64_t> milliseconds_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> added_ = 0;
  std::atomic<std::uint64_t> changed_ = 0;
  std::atomic<std::uint64_t> removed_ = 0;
};

/// Returns metrics about a list of sites.
std::string fleet_metrics_text(const pull::FleetGauges& gauges);

/// Returns the size of a store: bytes on disk, pages, sections. Empty if the store cannot be read at the
/// moment, so that a monitor sees a gap instead of zeros.
std::string store_metrics_text(const store::PageStore& store);

}  // namespace sheaf::cli
