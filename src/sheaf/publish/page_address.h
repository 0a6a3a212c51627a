#pragma once

#include "sheaf/base/url.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// What becomes of `about.html` in an address. `index.html` is always its folder.
enum class Extension : std::uint8_t {
  keep,    ///< /about.html
  drop,    ///< /about
  folder,  ///< /about/
};

/// The address of a file by its place below the folder that `base` stands for. `base` ends in a slash.
std::string address_of_file(const base::Url& base, std::string_view relative_path, Extension extension);

}  // namespace sheaf::publish
