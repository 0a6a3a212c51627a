#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::serve {

enum class Lookup : std::uint8_t {
  file,       ///< an ordinary file, open
  folder,     ///< a folder
  missing,    ///< no such file, or one that is not served: hidden, temporary, outside the folder, a device
  forbidden,  ///< the file exists, but must not be read
  failed,     ///< the lookup failed: out of descriptors, a broken disk
};

/// Identity and version of a file. Equal values mean equal bytes.
struct FileVersion {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  ///< since 1970
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

struct Found {
  Lookup lookup = Lookup::missing;
  base::FileDescriptor file;
  FileVersion version;
  int error = 0;  ///< errno for forbidden and failed
};

/// Whether a file with this name is served. Names that begin with a dot (except `.well-known`) are not, nor
/// are temporary or backup files of publishers and editors (`x~`, `x.tmp`, `x.part`, `x.swp`).
bool is_served_name(std::string_view name) noexcept;

/// A folder whose files are served. Nothing outside it can be reached: the kernel resolves every path beneath
/// it (RESOLVE_BENEATH) and follows symbolic links only if they stay inside. On kernels without this, no
/// symbolic link is followed.
class Folder {
 public:
  /// `below` is the URL path of the folder, "/docs/". The first and the last slash are optional.
  static base::Result<Folder> open(const std::filesystem::path& path, std::string_view below = "/");

  /// The decoded URL path of a file in the folder: "/docs/a.html" for "a.html".
  [[nodiscard]] std::string address_of(std::string_view relative) const;
  /// The inverse of address_of(); "." is the folder itself. nullopt for a path outside the folder.
  [[nodiscard]] std::optional<std::string> relative_of(std::string_view path) const;

  /// The file for a decoded URL path, which begins with '/'. A path with an empty segment, such as "//a",
  /// matches nothing.
  [[nodiscard]] Found find(std::string_view path) const;
  /// The version of the file at this path now, without opening it. Use it only to check whether the result of
  /// find() is still current. nullopt if there is no file.
  [[nodiscard]] std::optional<FileVersion> version_at(std::string_view path) const;

  /// Opens the folder again if its path now leads to another folder: the site was deleted and built again, or
  /// a symbolic link was switched to a new release. While there is no folder at the path, the old one stays.
  /// Thread-safe with lookups.
  void follow_path();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Folder(std::filesystem::path path, base::FileDescriptor descriptor, std::string below);
  [[nodiscard]] base::FileDescriptor open_beneath(const std::string& relative) const;
  [[nodiscard]] base::FileDescriptor walk(std::string_view relative) const;

  std::filesystem::path path_;
  base::FileDescriptor descriptor_;
  std::string below_;  ///< "/docs", or empty
  bool kernel_resolves_ = true;
};

}  // namespace sheaf::serve
