#pragma once

#include "sheaf/markup/own_path.h"

#include <array>
#include <string>
#include <string_view>

// Style sheet, script and icon: the files in assets/, which are compiled into the program.
namespace sheaf::browse {

struct Asset {
  std::string_view name;  ///< "app.js"
  std::string_view content_type;
  std::string_view bytes;
};

/// All assets. CMake generates the definition from the files in the folder `assets`.
extern const std::array<Asset, 3> kAssets;

/// Returns nullptr if there is no asset of this name.
const Asset* find_asset(std::string_view name);

/// The path of an asset, with a version that depends on its bytes, so that browsers can cache it.
markup::OwnPath asset_path(markup::Literal name);

}  // namespace sheaf::browse
