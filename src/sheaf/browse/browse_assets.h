#pragma once

#include "sheaf/browse/own_path.h"

#include <array>
#include <string>
#include <string_view>

// Style sheet, script and icon: files in assets/, which are compiled into the program.
namespace sheaf::browse {

struct Asset {
  std::string_view name;  ///< "app.js"
  std::string_view content_type;
  std::string_view bytes;
};

/// All of them. CMake makes the definition of the files in the folder `assets`.
extern const std::array<Asset, 3> kAssets;

/// Nullptr if there is none of that name.
const Asset* find_asset(std::string_view name);

/// Its path, with a version that changes with its bytes, so that browsers may keep it.
OwnPath asset_path(Literal name);

}  // namespace sheaf::browse
