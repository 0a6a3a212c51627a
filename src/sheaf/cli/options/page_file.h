#pragma once

#include "sheaf/base/error.h"
#include "sheaf/html/parse_limits.h"
#include <sheaf/time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// The bytes of an HTML or Markdown page; "-" is standard input. Over `limit` bytes are refused.
base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit);

/// When a file was last written; for standard input and other things that are no files, now.
Instant page_file_time(const std::string& path);

/// What the limits did to a page, a sentence for each: for the person, not part of the result.
std::vector<std::string_view> describe_limits(const html::LimitsHit& hit);

}  // namespace sheaf::cli
