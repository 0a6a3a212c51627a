#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <string_view>
#include <vector>

// Which sites are pulled, as a person writes it down.
namespace sheaf::pull {

/// A site, or one of its sitemaps: https unless said otherwise.
base::Result<base::Url> parse_site_address(std::string_view text);

/// One site a line. Empty lines do not count, nor does what stands behind a # at the front of a line or after
/// a blank. An error names the line, after `name`.
base::Result<std::vector<base::Url>> parse_site_list(std::string_view text, std::string_view name);

}  // namespace sheaf::pull
