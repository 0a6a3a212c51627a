#include "sheaf/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::base {
namespace {

/// Suffix of an incomplete file, followed by eight random digits.
constexpr std::string_view kTemporaryMark = ".tmp-";
/// Name of a spool file between creation and unlinking.
constexpr std::string_view kSpoolName = ".sheaf-spool-";

/// The intended name of an incomplete file; nullopt for any other file.
std::optional<std::string_view> intended_name(std::string_view name) {
  constexpr std::size_t kDigits = 8;
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (mark == std::string_view::npos || mark == 0 || name.front() != '.' ||
      mark + kTemporaryMark.size() + kDigits != name.size())
    return std::nullopt;
  return name.substr(1, mark - 1);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return folder.empty() ? "." : folder;
}

/// Creates a file next to `path` with default permissions (mkstemp would make it private). Its name starts
/// with a dot, so listings and servers ignore it.
FileDescriptor create_beside(const std::filesystem::path& path, unsigned mode, std::string& temporary) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary =
        (folder_of(path) / fmt::format(".{}{}{:08x}", path.filename().string(), kTemporaryMark, random()))
            .string();
    FileDescriptor file(open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.is_open() || errno != EEXIST) return file;
  }
  return {};
}

/// Renames a file unless the new name exists. Some network file systems can only link.
bool rename_new(const char* from, const char* to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  return link(from, to) == 0 && unlink(from) == 0;
}

}  // namespace

void FileDescriptor::reset() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return std::unexpected(system_error(errno, "cannot write " + name));
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path& path = folder.empty() ? std::filesystem::path(".") : folder;
  const FileDescriptor handle(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open() && errno == EACCES) return {};
  if (!handle.is_open()) return std::unexpected(system_error(errno, "cannot open folder " + path.string()));
  if (fsync(handle.get()) != 0 && errno != EINVAL)
    return std::unexpected(system_error(errno, "cannot sync folder " + path.string()));
  return {};
}

Result<std::size_t> read_some(int descriptor, std::span<char> out, const std::string& name) {
  while (true) {
    const ssize_t count = read(descriptor, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return std::unexpected(system_error(errno, "cannot read " + name));
  }
}

AtomicFile::AtomicFile(std::filesystem::path path, std::string temporary, FileDescriptor file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      size_(other.size_) {}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path, unsigned mode) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    return fail(Errc::is_a_directory, path.string() + " is a folder; name the file to write");
  std::string temporary;
  FileDescriptor file = create_beside(path, mode, temporary);
  if (!file.is_open()) return std::unexpected(system_error(errno, "cannot create " + path.string()));
  return AtomicFile(path, std::move(temporary), std::move(file));
}

Result<void> AtomicFile::write(std::string_view bytes) {
  SHEAF_TRY(write_all(file_.get(), bytes, path_.string()));
  size_ += bytes.size();
  return {};
}

Result<void> AtomicFile::truncate() {
  if (ftruncate(file_.get(), 0) != 0 || lseek(file_.get(), 0, SEEK_SET) != 0)
    return std::unexpected(system_error(errno, "cannot rewrite " + path_.string()));
  size_ = 0;
  return {};
}

Result<void> AtomicFile::sync() const {
  if (fsync(file_.get()) == 0) return {};
  return std::unexpected(system_error(errno, "cannot write " + path_.string()));
}

Result<void> AtomicFile::rename_to_path() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    return std::unexpected(system_error(errno, "cannot rename to " + path_.string()));
  temporary_.clear();
  return {};
}

Result<void> AtomicFile::commit() {
  SHEAF_TRY(sync());
  SHEAF_TRY(rename_to_path());
  return sync_folder(folder_of(path_));
}

Result<void> AtomicFile::commit_new() {
  SHEAF_TRY(sync());
  if (!rename_new(temporary_.c_str(), path_.c_str())) {
    if (errno == EEXIST) return fail(Errc::already_exists, path_.string() + " exists");
    return std::unexpected(system_error(errno, "cannot rename to " + path_.string()));
  }
  temporary_.clear();
  return sync_folder(folder_of(path_));
}

Result<void> AtomicFile::commit_all(std::vector<AtomicFile> files) {
  for (const AtomicFile& file : files) SHEAF_TRY(file.sync());
  std::set<std::filesystem::path> folders;
  for (AtomicFile& file : files) {
    SHEAF_TRY(file.rename_to_path());
    folders.insert(folder_of(file.path_));
  }
  for (const auto& folder : folders) SHEAF_TRY(sync_folder(folder));
  return {};
}

Result<SpoolFile> SpoolFile::create(const std::filesystem::path& folder) {
  std::error_code error;
  const auto place = folder.empty() ? std::filesystem::temp_directory_path(error) : folder;
  if (error) return fail(Errc::not_found, "there is no folder for temporary files: " + error.message());
  std::string name = (place / fmt::format("{}XXXXXX", kSpoolName)).string();
  FileDescriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open())
    return std::unexpected(system_error(errno, "cannot create a temporary file in " + place.string()));
  unlink(name.c_str());
  return SpoolFile(std::move(file), "a temporary file in " + place.string());
}

Result<void> SpoolFile::append(std::string_view bytes) {
  SHEAF_TRY(write_all(file_.get(), bytes, name_));
  size_ += bytes.size();
  return {};
}

Result<void> SpoolFile::read_at(std::uint64_t offset, std::span<char> out) const {
  while (!out.empty()) {
    const ssize_t count = pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return std::unexpected(system_error(errno, "cannot read " + name_));
    }
    if (count == 0) return fail(Errc::io, name_ + " ends early");
    offset += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

std::uint64_t remove_leftover_files(const std::filesystem::path& folder,
                                    const std::function<bool(std::string_view name)>& is_selected) {
  std::uint64_t removed = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const auto intended = intended_name(name);
    if (!name.starts_with(kSpoolName) && !(intended && is_selected(*intended))) continue;
    std::error_code ignored;
    if (std::filesystem::remove(it->path(), ignored)) ++removed;
  }
  return removed;
}

Result<void> make_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> parents;  // those in which a folder is created, innermost first
  std::error_code error;
  for (auto path = folder; !path.empty() && !std::filesystem::exists(path, error); path = path.parent_path())
    parents.push_back(path.parent_path());
  std::filesystem::create_directories(folder, error);
  if (error)
    return std::unexpected(
        system_error(error.value(), fmt::format("cannot create the folder {}", folder.string())));
  for (const auto& parent : parents) SHEAF_TRY(sync_folder(parent));
  return {};
}

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

Result<ScratchFolder> ScratchFolder::make(std::string_view what) {
  std::error_code error;
  const std::filesystem::path among = std::filesystem::temp_directory_path(error);
  if (error) return std::unexpected(system_error(error.value(), "there is no folder for temporary files"));
  std::string name = (among / fmt::format("sheaf-{}-XXXXXX", what)).string();
  if (mkdtemp(name.data()) == nullptr)
    return std::unexpected(system_error(errno, fmt::format("cannot create the folder {}", name)));
  return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace sheaf::base
