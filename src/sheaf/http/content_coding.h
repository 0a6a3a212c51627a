#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http {

/// The body of an answer without its content coding, for who asked for `Accept-Encoding: gzip`. What is not
/// coded is given as it is. Errors: invalid_data for damaged data, for a coding that nobody asked for, and
/// where more than `limit` bytes come out.
base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit);

}  // namespace sheaf::http
