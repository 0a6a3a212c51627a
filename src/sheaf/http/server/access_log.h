#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace sheaf::http::server {

enum class AccessLogFormat : std::uint8_t {
  combined,  ///< the combined format of Apache and nginx
  json,      ///< one object per line
};

/// One request and its response. The views are not used after the call returns.
struct AccessRecord {
  std::string_view client;
  std::int64_t time = 0;  ///< when the response ended, in seconds since 1970
  std::string_view method;
  std::string_view target;
  std::string_view version;
  unsigned status = 0;
  std::uint64_t body_bytes = 0;
  std::string_view identity = {};  ///< the verified identity of the client; empty if there is none
  std::string_view referer;
  std::string_view user_agent;
  std::chrono::microseconds duration{0};
  bool complete = true;  ///< false: the client disconnected before the end
};

/// Appends the log line of a record, with a line feed. Control characters, quotes, backslashes and non-ASCII
/// bytes are escaped, so a client cannot forge lines or fields.
void append_access_line(std::string& out, AccessLogFormat format, const AccessRecord& record);

/// Writes records in its own thread, so a slow disk does not delay responses. If more than 8 MiB are queued,
/// further lines are dropped and counted.
class AccessLog {
 public:
  /// Appends to the file, or writes to standard output for "-".
  static base::Result<std::unique_ptr<AccessLog>> open(const std::filesystem::path& path,
                                                       AccessLogFormat format);
  /// Writes the queued lines.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void write(const AccessRecord& record);
  /// Reopens the path after log rotation. On failure the old file stays in use.
  base::Result<void> reopen();
  /// Number of lines that were dropped or could not be written.
  [[nodiscard]] std::uint64_t lost() const;

 private:
  AccessLog(std::filesystem::path path, AccessLogFormat format, base::FileDescriptor file);
  void run();

  const std::filesystem::path path_;
  const AccessLogFormat format_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  base::FileDescriptor file_;  ///< replaced under the lock; written by the thread only
  base::FileDescriptor next_file_;
  std::string waiting_;
  std::uint64_t lines_waiting_ = 0;
  std::uint64_t lost_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

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
