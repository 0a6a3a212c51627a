#include "sheaf/base/make_folder.h"

#include "sheaf/base/file.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

namespace sheaf::base {

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

}  // namespace sheaf::base
