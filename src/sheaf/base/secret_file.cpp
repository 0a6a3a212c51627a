#include "sheaf/base/secret_file.h"

#include "sheaf/base/file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

namespace sheaf::base {

Result<void> write_secret_file(const std::filesystem::path& file, std::string_view bytes) {
  SHEAF_TRY_ASSIGN(AtomicFile out, AtomicFile::create(file, 0600));
  SHEAF_TRY(out.write(bytes));
  const auto written = out.commit_new();
  if (!written && written.error().code == Errc::already_exists)
    return fail(Errc::already_exists,
                fmt::format("{} exists; a key is never replaced, name another file", file.string()));
  return written;
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
