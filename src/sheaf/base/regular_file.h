#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"

#include <memory>
#include <string>

namespace sheaf::base {

/// Opens a file that was found in a folder, not named by the user. Fails immediately with Errc::io if it is
/// not a regular file; for a named pipe, open_source() would wait for a writer. Otherwise like open_source(),
/// except that "-" is an ordinary name.
Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path);

}  // namespace sheaf::base
