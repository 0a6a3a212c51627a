#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/traffic/line_cutter.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::traffic {

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
