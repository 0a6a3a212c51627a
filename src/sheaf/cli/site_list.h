#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// A site as a person writes it: https unless said otherwise.
base::Result<base::Url> parse_site_address(const std::string& text);

/// One site a line. Empty lines do not count, nor does what stands behind a # at the front of a line or after
/// a blank.
base::Result<void> read_site_list(const std::string& file, std::vector<base::Url>& sites);

}  // namespace sheaf::cli
