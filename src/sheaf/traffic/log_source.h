#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::traffic {

/// Calls `use` with each line of a log, without its line feed, in constant memory. Lines over 64 KiB are
/// skipped. "-" is standard input; gzip is recognised by its first bytes. `progress` gets the number of bytes
/// read so far. Fails if the file cannot be read or its gzip data is damaged; `use` has then been called for
/// the lines before.
base::Result<void> each_log_line(const std::string& file, const std::function<void(std::string_view)>& use,
                                 const std::function<void(std::uint64_t)>& progress);

}  // namespace sheaf::traffic
