#pragma once

#include "sheaf/cli/output/json_output.h"
#include "sheaf/http/server/server.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared_stores.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

/// The workers of a shared store, one per line, after a line with their number.
std::string describe_workers(const std::vector<store::shared::WorkerInfo>& workers);

/// Writes the same as the member "workers".
void write_workers(JsonOutput& out, const std::vector<store::shared::WorkerInfo>& workers);

/// Returns the same for monitors: a series for each live worker. Every worker reports all of them.
std::string worker_metrics_text(const std::vector<store::shared::WorkerInfo>& workers);

/// Serves /metrics in Prometheus text format, and nothing else.
class MetricsPage final : public http::server::RequestHandler {
 public:
  explicit MetricsPage(std::function<std::string()> text) : text_(std::move(text)) {}

  http::server::Response respond(const http::server::Request& request) override {
    http::server::Response answer;
    answer.text = "metrics are at /metrics";
    if (request.path != "/metrics") return answer;
    answer.status = 200;
    answer.text = text_();
    answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return answer;
  }

  /// Options for a server with few clients.
  [[nodiscard]] static http::server::ServerOptions server_options() {
    http::server::ServerOptions small;
    small.threads = 1;
    small.most_connections = 64;
    return small;
  }

 private:
  std::function<std::string()> text_;
};

}  // namespace sheaf::cli
