#include "sheaf/http/server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sheaf::http::server {
namespace {

void append_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help,
                   std::uint64_t value) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type,
                 value);
}

}  // namespace

void Metrics::count_request(unsigned status, std::uint64_t body_bytes, std::chrono::nanoseconds duration) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  if (status < by_status_.size()) by_status_[status].fetch_add(1, kRelaxed);
  body_bytes_.fetch_add(body_bytes, kRelaxed);
  const double seconds = std::chrono::duration<double>(duration).count();
  const auto bucket = std::lower_bound(kBuckets.begin(), kBuckets.end(), seconds) - kBuckets.begin();
  latency_[static_cast<std::size_t>(bucket)].fetch_add(1, kRelaxed);
  latency_ns_sum_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count())),
                            kRelaxed);
}

std::uint64_t Metrics::requests(unsigned status) const {
  return status < by_status_.size() ? by_status_[status].load(std::memory_order_relaxed) : 0;
}

std::string Metrics::prometheus_text() const {
  std::string out =
      "# HELP sheaf_http_requests_total Requests answered, by status.\n"
      "# TYPE sheaf_http_requests_total counter\n";
  auto append = std::back_inserter(out);
  for (unsigned status = 0; status < by_status_.size(); ++status) {
    // 304 and 429 show how well caching and limits work, so they are reported from the start.
    if (const auto count = requests(status); count > 0 || status == 304 || status == 429)
      fmt::format_to(append, "sheaf_http_requests_total{{status=\"{}\"}} {}\n", status, count);
  }
  append_metric(out, "sheaf_http_body_bytes_total", "counter", "Bytes of bodies sent.", body_bytes_.load());
  append_metric(out, "sheaf_http_connections_total", "counter", "Connections accepted.",
                connections_total_.load());
  append_metric(out, "sheaf_http_connections_open", "gauge", "Connections open now.", connections_.load());
  append_metric(out, "sheaf_http_connections_refused_total", "counter",
                "Connections over a limit, answered 503 or 429 or closed.", refused_total_.load());
  append_metric(out, "sheaf_http_timeouts_total", "counter",
                "Connections closed because the client was too slow.", timeouts_total_.load());
  append_metric(out, "sheaf_http_malformed_total", "counter", "Requests that were not valid HTTP.",
                malformed_total_.load());
  append_metric(out, "sheaf_http_aborted_total", "counter", "Responses that the client aborted.",
                aborted_total_.load());
  out +=
      "# HELP sheaf_http_request_seconds Time from the request head to the end of the response.\n"
      "# TYPE sheaf_http_request_seconds histogram\n";
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kBuckets.size(); ++i) {
    total += latency_[i].load();
    fmt::format_to(append, "sheaf_http_request_seconds_bucket{{le=\"{}\"}} {}\n", kBuckets[i], total);
  }
  total += latency_.back().load();
  fmt::format_to(append, "sheaf_http_request_seconds_bucket{{le=\"+Inf\"}} {}\n", total);
  fmt::format_to(append, "sheaf_http_request_seconds_sum {:.9f}\n",
                 static_cast<double>(latency_ns_sum_.load()) / 1e9);
  fmt::format_to(append, "sheaf_http_request_seconds_count {}\n", total);
  return out;
}

}  // namespace sheaf::http::server
