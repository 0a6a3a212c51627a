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

namespace sheaf::http {

enum class AccessLogFormat : std::uint8_t {
  combined,  ///< the combined format of Apache and nginx
  json,      ///< one object a line
};

/// One request and its answer. The views are read before the call that takes them returns.
struct AccessRecord {
  std::string_view client;
  std::int64_t time = 0;  ///< seconds since 1970, when the answer ended
  std::string_view method;
  std::string_view target;
  std::string_view version;
  unsigned status = 0;
  std::uint64_t body_bytes = 0;
  std::string_view referer;
  std::string_view user_agent;
  std::chrono::microseconds duration{0};
  bool complete = true;  ///< false: the client went away before the end
};

/// The line with its line feed. Whatever a client sent, it stays one line and cannot leave its field: control
/// characters, quotes, backslashes and bytes outside ASCII are escaped.
void append_access_line(std::string& out, AccessLogFormat format, const AccessRecord& record);

/// Writes records from a thread of its own, so that a slow disk slows no answer down. When the disk falls so
/// far behind that 8 MiB wait, further lines are dropped and counted.
class AccessLog {
 public:
  /// Appends to the file, or writes to standard output for "-".
  static base::Result<std::unique_ptr<AccessLog>> open(const std::filesystem::path& path,
                                                       AccessLogFormat format);
  /// Writes what waits.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void write(const AccessRecord& record);
  /// Opens the path anew, after a rotation has moved the file away. On failure the old one stays in use.
  base::Result<void> reopen();
  /// How many lines were dropped or could not be written.
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

}  // namespace sheaf::http
