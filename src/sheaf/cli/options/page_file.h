#pragma once

#include "sheaf/base/error.h"
#include "sheaf/html/parser.h"
#include <sheaf/time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// Reads an HTML or Markdown page; "-" is standard input. Fails if it has more than `limit` bytes.
base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit);

/// Returns the modification time of a regular file, and the current time for standard input and everything
/// else.
Instant page_file_time(const std::string& path);

/// Returns one sentence for the user about each limit that a page reached.
std::vector<std::string_view> describe_limits(const html::LimitsHit& hit);

}  // namespace sheaf::cli
