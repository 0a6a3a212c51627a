#include "sheaf/base/scratch_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace sheaf::base {

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
