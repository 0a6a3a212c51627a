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
  missing,    ///< no such file, or one that is not shown: hidden, temporary, outside, a device
  forbidden,  ///< it is there and we may not read it
  failed,     ///< the system could not say: out of descriptors, a broken disk
};

/// Which file it is and which version of it: as long as this is the same, so are its bytes.
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

/// Whether a name is shown: not one that begins with a dot (but for `.well-known`), nor a temporary or backup
/// file as publishers and editors leave them (`x~`, `x.tmp`, `x.part`, `x.swp`).
bool is_served_name(std::string_view name) noexcept;

/// A folder whose files are served. Nothing outside it can be reached: the kernel resolves every path beneath
/// it, symbolic links that stay inside included (RESOLVE_BENEATH). Where the kernel cannot, no symbolic link
/// is followed at all.
class Folder {
 public:
  /// `below` is the path that the folder stands for, "/docs/"; slashes at its ends may be left out.
  static base::Result<Folder> open(const std::filesystem::path& path, std::string_view below = "/");

  /// The decoded path of the address of a file in the folder: "/docs/a.html" for "a.html".
  [[nodiscard]] std::string address_of(std::string_view relative) const;
  /// The other way; "." is the folder itself. Nothing for what is never served from here.
  [[nodiscard]] std::optional<std::string> relative_of(std::string_view path) const;

  /// The file of a decoded path of an address, which begins with '/'. A path with an empty segment, such as
  /// "//a", names nothing.
  [[nodiscard]] Found find(std::string_view path) const;
  /// What is at that path now, without opening it: only good for telling whether something that find() gave
  /// is still what it would give. nullopt if there is nothing.
  [[nodiscard]] std::optional<FileVersion> version_at(std::string_view path) const;

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
