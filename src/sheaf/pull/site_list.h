#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <string_view>
#include <vector>

// Parses the list of sites as a user writes it.
namespace sheaf::pull {

/// A site, or one of its sitemaps: https unless said otherwise.
base::Result<base::Url> parse_site_address(std::string_view text);

/// One site per line. Empty lines are ignored, and comments: a # at the start of a line or after a blank. An
/// error names the line, after `name`.
base::Result<std::vector<base::Url>> parse_site_list(std::string_view text, std::string_view name);

}  // namespace sheaf::pull
