#include "sheaf/http/server/access_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <iterator>

namespace sheaf::http::server {
namespace {

constexpr std::size_t kMaxWaiting = 8U << 20U;
/// Lines are collected for this long and then written together.
constexpr std::chrono::milliseconds kGather{200};

/// Escapes as \xHH like Apache and nginx, or as \u00HH for JSON. A log line is ASCII, even if the client
/// sends other bytes.
void append_escaped(std::string& out, std::string_view text, AccessLogFormat format) {
  constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else if (format == AccessLogFormat::json && (c == '"' || c == '\\')) {
      out += '\\';
      out += c;
    } else {
      out += format == AccessLogFormat::json ? "\\u00" : "\\x";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    }
  }
}

void append_combined(std::string& out, const AccessRecord& record) {
  const auto format = AccessLogFormat::combined;
  const auto time = fmt::gmtime(static_cast<std::time_t>(record.time));
  out += record.client;
  out += " - ";
  append_escaped(out, record.identity.empty() ? "-" : record.identity, format);
  fmt::format_to(std::back_inserter(out), " [{:%d/%b/%Y:%H:%M:%S +0000}] \"", time);
  append_escaped(out, record.method, format);
  out += ' ';
  append_escaped(out, record.target, format);
  out += ' ';
  append_escaped(out, record.version, format);
  fmt::format_to(std::back_inserter(out), "\" {} {} \"", record.status, record.body_bytes);
  append_escaped(out, record.referer.empty() ? "-" : record.referer, format);
  out += "\" \"";
  append_escaped(out, record.user_agent.empty() ? "-" : record.user_agent, format);
  out += "\"\n";
}

void append_json(std::string& out, const AccessRecord& record) {
  const auto member = [&](std::string_view name, std::string_view value) {
    out += ",\"";
    out += name;
    out += "\":\"";
    append_escaped(out, value, AccessLogFormat::json);
    out += '"';
  };
  fmt::format_to(std::back_inserter(out), "{{\"time\":\"{:%Y-%m-%dT%H:%M:%SZ}\"",
                 fmt::gmtime(static_cast<std::time_t>(record.time)));
  member("client", record.client);
  member("method", record.method);
  member("target", record.target);
  member("version", record.version);
  fmt::format_to(std::back_inserter(out), ",\"status\":{},\"bytes\":{},\"microseconds\":{},\"complete\":{}",
                 record.status, record.body_bytes, record.duration.count(), record.complete);
  if (!record.identity.empty()) member("identity", record.identity);
  if (!record.referer.empty()) member("referer", record.referer);
  if (!record.user_agent.empty()) member("agent", record.user_agent);
  out += "}\n";
}

base::Result<base::FileDescriptor> open_log(const std::filesystem::path& path) {
  const bool standard_output = path == "-";
  base::FileDescriptor file(standard_output
                                ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                                : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  if (!file.is_open())
    return std::unexpected(base::system_error(errno, "cannot open access log " + path.string()));
  return file;
}

}  // namespace

void append_access_line(std::string& out, AccessLogFormat format, const AccessRecord& record) {
  if (format == AccessLogFormat::json)
    append_json(out, record);
  else
    append_combined(out, record);
}

base::Result<std::unique_ptr<AccessLog>> AccessLog::open(const std::filesystem::path& path,
                                                         AccessLogFormat format) {
  SHEAF_TRY_ASSIGN(auto file, open_log(path));
  return std::unique_ptr<AccessLog>(new AccessLog(path, format, std::move(file)));
}

AccessLog::AccessLog(std::filesystem::path path, AccessLogFormat format, base::FileDescriptor file)
    : path_(std::move(path)), format_(format), file_(std::move(file)), thread_([this] { run(); }) {}

AccessLog::~AccessLog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void AccessLog::write(const AccessRecord& record) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() > kMaxWaiting) {
    ++lost_;
    return;
  }
  append_access_line(waiting_, format_, record);
  // The thread sleeps without a timeout while there is nothing to write.
  if (++lines_waiting_ == 1) wake_.notify_one();
}

base::Result<void> AccessLog::reopen() {
  SHEAF_TRY_ASSIGN(auto file, open_log(path_));
  const std::lock_guard lock(mutex_);
  next_file_ = std::move(file);
  return {};
}

std::uint64_t AccessLog::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void AccessLog::run() {
  std::string lines;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (!stopping_) wake_.wait_for(lock, kGather, [this] { return stopping_; });
    if (next_file_.is_open()) file_ = std::move(next_file_);
    const bool last = stopping_;
    const std::uint64_t count = std::exchange(lines_waiting_, 0);
    lines.clear();
    lines.swap(waiting_);
    lock.unlock();
    const bool written = base::write_all(file_.get(), lines, "access log").has_value();
    lock.lock();
    if (!written) lost_ += count;
    if (last && waiting_.empty()) return;
  }
}

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
