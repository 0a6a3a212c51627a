#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Parses lines of access logs: the combined format of Apache, nginx and sheaf, and the JSON of sheaf, Caddy
// and nginx (with the names of its variables).
namespace sheaf::traffic {

/// One request. The views are valid until the parser reads the next line.
struct LogEntry {
  std::string_view client = {};
  std::int64_t time = 0;  ///< seconds since 1970
  std::string_view method = {};
  std::string_view target = {};  ///< path and query
  unsigned status = 0;
  std::uint64_t bytes = 0;  ///< size of the body
  std::string_view user_agent = {};
  std::string_view identity = {};  ///< the client's verified identity, in logs of sheaf
};

class LogLineParser {
 public:
  LogLineParser();
  ~LogLineParser();
  LogLineParser(LogLineParser&&) noexcept;
  LogLineParser& operator=(LogLineParser&&) noexcept;

  /// Returns nullopt for a line that is not a request: another format, a truncated line, a message.
  std::optional<LogEntry> parse(std::string_view line);

 private:
  std::optional<LogEntry> parse_combined(std::string_view line);
  std::optional<LogEntry> parse_json(std::string_view line);

  struct Json;
  std::unique_ptr<Json> json_;
  std::string request_;  ///< unescaped fields that the views in LogEntry refer to
  std::string agent_;
};

/// Longer lines are skipped: no real request produces one.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} * 1024;

/// Splits a stream of bytes into lines. Only a line that spans two pieces is copied.
class LineCutter {
 public:
  template <class Use>
  void add(std::string_view bytes, const Use& use) {
    while (!bytes.empty()) {
      const void* found = std::memchr(bytes.data(), '\n', bytes.size());
      if (found == nullptr) return keep(bytes);
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
      if (rest_.empty() && !is_skipping_) {
        if (size <= kMaxLineBytes) use(bytes.substr(0, size));
      } else {
        keep(bytes.substr(0, size));
        finish(use);
      }
      bytes.remove_prefix(size + 1);
    }
  }

  /// Ends the current line; call it at the end of the file.
  template <class Use>
  void finish(const Use& use) {
    if (!rest_.empty() && !is_skipping_) use(std::string_view(rest_));
    rest_.clear();
    is_skipping_ = false;
  }

 private:
  void keep(std::string_view bytes) {
    is_skipping_ = is_skipping_ || rest_.size() + bytes.size() > kMaxLineBytes;
    if (is_skipping_) return rest_.clear();
    rest_ += bytes;
  }

  std::string rest_;
  bool is_skipping_ = false;
};

/// Calls `use` with each line of a log, without its line feed, in constant memory. Lines over 64 KiB are
/// skipped. "-" is standard input; gzip is recognised by its first bytes. `progress` gets the number of bytes
/// read so far. Fails if the file cannot be read or its gzip data is damaged; `use` has then been called for
/// the lines before.
base::Result<void> each_log_line(const std::string& file, const std::function<void(std::string_view)>& use,
                                 const std::function<void(std::uint64_t)>& progress);

/// Follows a log that a server is writing. When the log is rotated, the rest of the old file is read before
/// the new one.
class LogTail {
 public:
  explicit LogTail(std::string file) : file_(std::move(file)) {}

  /// Calls `use` with each new line, in constant memory; an incomplete line waits for its end. Returns false
  /// if `stopped` returned true before the end of the file. A file that does not exist (yet) has no lines.
  /// Fails if the file cannot be read.
  base::Result<bool> read_more(const std::function<void(std::string_view)>& use,
                               const std::function<bool()>& stopped);

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Bytes read so far, of all files with this name.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  base::Result<bool> read_to_end(const std::function<void(std::string_view)>& use,
                                 const std::function<bool()>& stopped);
  [[nodiscard]] bool is_replaced() const;

  std::string file_;
  base::FileDescriptor open_;
  LineCutter lines_;
  std::uint64_t offset_ = 0;  ///< in the open file
  std::uint64_t bytes_ = 0;
};

}  // namespace sheaf::traffic
