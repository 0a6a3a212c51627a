#include "sheaf/base/make_folder.h"

#include <fmt/format.h>

#include <system_error>

namespace sheaf::base {

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return std::unexpected(
      system_error(error.value(), fmt::format("cannot create the folder {}", folder.string())));
}

}  // namespace sheaf::base
