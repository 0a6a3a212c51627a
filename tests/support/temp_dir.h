#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sheaf::test {

/// A folder of its own for one test, removed with everything in it at the end.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file in the folder and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// The whole file; fails the running test if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace sheaf::test
