#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http {

/// What to send as Accept-Encoding by those who use decode_content.
inline constexpr std::string_view kAcceptedEncodings = "gzip";

/// A body without the coding that its Content-Encoding names: none, identity or gzip. What is called gzip but
/// is not is taken as it is, since servers get that wrong. Errors, invalid_data: a coding nobody asked for,
/// damaged data, or more than `limit` bytes.
base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit);

}  // namespace sheaf::http
