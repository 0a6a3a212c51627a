#pragma once

#include "sheaf/base/error.h"
#include "sheaf/html/parse_limits.h"
#include <sheaf/time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// The bytes of an HTML or Markdown page; "-" is standard input. Fails for more than `limit` bytes.
base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit);

/// Modification time of a file; the current time for standard input and other things that are not files.
Instant page_file_time(const std::string& path);

/// One sentence for each limit that a page reached, for the user.
std::vector<std::string_view> describe_limits(const html::LimitsHit& hit);

}  // namespace sheaf::cli
