#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sheaf::base {

/// Opens a file that was found in a folder, not named by the user. Fails immediately with Errc::io if it is
/// not a regular file; for a named pipe, open_source() would wait for a writer. Otherwise like open_source(),
/// except that "-" is an ordinary name.
Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path);

/// Reads up to `limit + 1` bytes of such a file: the extra byte shows the caller that it is longer.
Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit);
/// Reads such a file to its end. Fails with Errc::invalid_data if it is longer than `limit` bytes.
Result<std::string> read_whole_file(const std::string& path, std::uint64_t limit);

}  // namespace sheaf::base
