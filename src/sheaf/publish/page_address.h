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

enum class Canonical : std::uint8_t {
  same,       ///< another spelling of the same page's address
  other,      ///< another page of this site, of which this one is a duplicate
  elsewhere,  ///< a page of another site
};

/// What a page's own canonical address says of it. Scheme, `www.`, index files, extensions and a slash at the
/// end make no difference: which of these a server wants, the page knows better than its file's name does.
Canonical judge_canonical(const base::Url& address, const base::Url& canonical);

}  // namespace sheaf::publish
