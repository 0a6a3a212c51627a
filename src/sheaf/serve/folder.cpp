#include "sheaf/serve/folder.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sheaf::serve {
namespace {

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

int open_below(int folder, const char* path) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(kFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof how));
}

/// Whether every segment of "/a/b/" is visible. A trailing slash marks a folder.
bool is_served_path(std::string_view path) {
  if (!path.starts_with('/')) return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment.empty() || !is_served_name(segment)) return false;
    path.remove_prefix(segment.size());
    if (!path.empty()) path.remove_prefix(1);
  }
  return true;
}

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileVersion version_of(const struct stat& status) {
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

Found failure(int error) {
  Found found;
  switch (error) {
    case EACCES:
    case EPERM: found.lookup = Lookup::forbidden; break;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EIO: found.lookup = Lookup::failed; break;
    default: found.lookup = Lookup::missing; break;  // not there, a link outside, a loop, a name too long
  }
  found.error = error;
  return found;
}

}  // namespace

bool is_served_name(std::string_view name) noexcept {
  if (name.empty() || (name.front() == '.' && name != ".well-known")) return false;
  for (const std::string_view ending : {"~", ".tmp", ".part", ".swp", ".sheaf"})
    if (name.ends_with(ending)) return false;
  return name != "sheaf.toml";
}

Folder::Folder(std::filesystem::path path, base::FileDescriptor descriptor, std::string below)
    : path_(std::move(path)), descriptor_(std::move(descriptor)), below_(std::move(below)) {
  const base::FileDescriptor self(open_below(descriptor_.get(), "."));
  kernel_resolves_ = self.is_open();
}

base::Result<Folder> Folder::open(const std::filesystem::path& path, std::string_view below) {
  if (below.starts_with('/')) below.remove_prefix(1);
  if (below.ends_with('/')) below.remove_suffix(1);
  std::string prefix;
  if (!below.empty()) prefix.append("/").append(below);
  if (!prefix.empty() && !is_served_path(prefix))
    return base::fail(base::Errc::invalid_argument,
                      "no folder can be served below " + prefix + ": name a path such as /docs");
  base::FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open())
    return std::unexpected(base::system_error(errno, "cannot serve folder " + path.string()));
  return Folder(path, std::move(descriptor), prefix);
}

std::string Folder::address_of(std::string_view relative) const {
  return below_ + "/" + std::string(relative);
}

std::optional<std::string> Folder::relative_of(std::string_view path) const {
  if (!path.starts_with(below_)) return std::nullopt;
  path.remove_prefix(below_.size());
  if (path == "/" || (path.empty() && !below_.empty())) return ".";
  if (!is_served_path(path)) return std::nullopt;
  return std::string(path.substr(1));
}

base::FileDescriptor Folder::walk(std::string_view relative) const {
  base::FileDescriptor place(openat(descriptor_.get(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  while (place.is_open()) {
    const std::size_t slash = relative.find('/');
    const std::string segment(relative.substr(0, slash));
    if (slash == std::string_view::npos || slash + 1 == relative.size())
      return base::FileDescriptor(openat(place.get(), segment.c_str(), kFlags | O_NOFOLLOW));
    place = base::FileDescriptor(
        openat(place.get(), segment.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    relative.remove_prefix(slash + 1);
  }
  return place;
}

base::FileDescriptor Folder::open_beneath(const std::string& relative) const {
  if (!kernel_resolves_) return walk(relative);
  // The kernel returns EAGAIN if a folder is renamed at the same moment.
  for (int attempt = 0; attempt < 8; ++attempt) {
    base::FileDescriptor file(open_below(descriptor_.get(), relative.c_str()));
    if (file.is_open() || errno != EAGAIN) return file;
  }
  return {};
}

std::optional<FileVersion> Folder::version_at(std::string_view path) const {
  const auto relative = relative_of(path);
  if (!relative) return std::nullopt;
  struct stat status{};
  if (fstatat(descriptor_.get(), relative->c_str(), &status, AT_NO_AUTOMOUNT) != 0) return std::nullopt;
  return version_of(status);
}

void Folder::follow_path() {
  base::FileDescriptor now(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat there{};
  struct stat held{};
  if (!now.is_open() || fstat(now.get(), &there) != 0 || fstat(descriptor_.get(), &held) != 0) return;
  if (there.st_dev == held.st_dev && there.st_ino == held.st_ino) return;
  // The kernel replaces a descriptor in one step, so lookups see either folder and need no lock.
  dup3(now.get(), descriptor_.get(), O_CLOEXEC);
}

Found Folder::find(std::string_view path) const {
  const auto relative = relative_of(path);
  if (!relative) return {};
  Found found;
  found.file = open_beneath(*relative);
  if (!found.file.is_open()) return failure(errno);
  struct stat status{};
  if (fstat(found.file.get(), &status) != 0) return failure(errno);
  found.version = version_of(status);
  if (S_ISREG(status.st_mode) && !path.ends_with('/'))
    found.lookup = Lookup::file;
  else if (S_ISDIR(status.st_mode))
    found.lookup = Lookup::folder;
  return found;
}

}  // namespace sheaf::serve
