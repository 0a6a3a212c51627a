#include "sheaf/base/secret_file.h"

#include "sheaf/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sheaf::base {

Result<void> write_secret_file(const std::filesystem::path& file, std::string_view bytes) {
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!out.is_open() && errno == EEXIST)
    return fail(Errc::already_exists,
                fmt::format("{} exists; a key is never replaced, name another file", file.string()));
  if (!out.is_open())
    return std::unexpected(system_error(errno, fmt::format("cannot write {}", file.string())));
  SHEAF_TRY(write_all(out.get(), bytes, file.string()));
  if (::fsync(out.get()) != 0)
    return std::unexpected(system_error(errno, fmt::format("cannot write {}", file.string())));
  return {};
}

Result<void> check_secret_file(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0)
    return std::unexpected(system_error(errno, fmt::format("cannot read {}", file.string())));
  if ((status.st_mode & 077U) == 0) return {};
  return fail(
      Errc::refused,
      fmt::format("the secret key {} can be used by other users of this machine (mode {:04o}); protect it: "
                  "chmod 600 {}",
                  file.string(), status.st_mode & 07777U, file.string()));
}

}  // namespace sheaf::base
