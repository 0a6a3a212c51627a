#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>

namespace sheaf::cli {

/// The bytes of an HTML page; "-" is standard input. Over `limit` bytes are refused.
base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit);

}  // namespace sheaf::cli
