#include "sheaf/traffic/log_tail.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr std::size_t kTailBytes = std::size_t{256} * 1024;

}  // namespace

/// Whether the name now belongs to another file, or the file was truncated.
bool LogTail::is_replaced() const {
  struct stat now{};
  struct stat ours{};
  if (stat(file_.c_str(), &now) != 0 || fstat(open_.get(), &ours) != 0) return false;
  return now.st_ino != ours.st_ino || now.st_dev != ours.st_dev ||
         static_cast<std::uint64_t>(now.st_size) < offset_;
}

base::Result<bool> LogTail::read_to_end(const std::function<void(std::string_view)>& use,
                                        const std::function<bool()>& stopped) {
  std::vector<char> buffer(kTailBytes);
  while (!stopped()) {
    SHEAF_TRY_ASSIGN(const std::size_t count, base::read_some(open_.get(), buffer, file_));
    if (count == 0) return true;
    lines_.add({buffer.data(), count}, use);
    offset_ += count;
    bytes_ += count;
  }
  return false;
}

base::Result<bool> LogTail::read_more(const std::function<void(std::string_view)>& use,
                                      const std::function<bool()>& stopped) {
  if (open_.is_open()) {
    // Checked before reading, so that everything that was written before the rotation is read.
    const bool replaced = is_replaced();
    SHEAF_TRY_ASSIGN(const bool at_end, read_to_end(use, stopped));
    if (!at_end || !replaced) return at_end;
    lines_.finish(use);
  }
  open_ = base::FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  offset_ = 0;
  if (!open_.is_open() && errno == ENOENT) return true;
  if (!open_.is_open())
    return std::unexpected(base::system_error(errno, fmt::format("cannot read {}", file_)));
  return read_to_end(use, stopped);
}

}  // namespace sheaf::traffic
