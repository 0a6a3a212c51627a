#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace sheaf::http::server {

/// Server counters in the Prometheus text format. Thread-safe.
class Metrics {
 public:
  /// Upper bounds in seconds of the latency histogram. Latency is measured from the request head to the last
  /// byte passed to the kernel.
  static constexpr std::array<double, 14> kBuckets = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                      0.025,  0.05,    0.1,    0.5,   1,      10,    60};

  void count_request(unsigned status, std::uint64_t body_bytes, std::chrono::nanoseconds duration);
  void count_connection() { connections_total_.fetch_add(1, std::memory_order_relaxed); }
  void count_refused_connection() { refused_total_.fetch_add(1, std::memory_order_relaxed); }
  void count_timeout() { timeouts_total_.fetch_add(1, std::memory_order_relaxed); }
  void count_malformed() { malformed_total_.fetch_add(1, std::memory_order_relaxed); }
  void count_aborted() { aborted_total_.fetch_add(1, std::memory_order_relaxed); }
  void set_connections(std::uint64_t open) { connections_.store(open, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t requests(unsigned status) const;
  [[nodiscard]] std::uint64_t connections() const { return connections_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t timeouts() const { return timeouts_total_.load(std::memory_order_relaxed); }

  /// All metrics in Prometheus text format 0.0.4.
  [[nodiscard]] std::string prometheus_text() const;

 private:
  using Counter = std::atomic<std::uint64_t>;

  // One counter per three-digit status.
  std::array<Counter, 600> by_status_{};
  std::array<Counter, kBuckets.size() + 1> latency_{};
  Counter latency_ns_sum_{0};
  Counter body_bytes_{0};
  Counter connections_total_{0};
  Counter refused_total_{0};
  Counter timeouts_total_{0};
  Counter malformed_total_{0};
  Counter aborted_total_{0};
  Counter connections_{0};
};

}  // namespace sheaf::http::server
