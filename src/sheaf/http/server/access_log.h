#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

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

}  // namespace sheaf::http::server
