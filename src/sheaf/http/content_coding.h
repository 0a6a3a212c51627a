#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http {

/// What to send as Accept-Encoding by those who use decode_content.
inline constexpr std::string_view kAcceptedEncodings = "gzip";

/// A body without the coding that its Content-Encoding names: none, identity, gzip or deflate (which we do
/// not ask for, but some servers send it all the same). What is called gzip but is not is taken as it is,
/// since servers get that wrong. Errors, invalid_data: another coding, damaged data, or more than `limit`
/// bytes.
base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit);

/// The first `limit` bytes of the decoded body, however long the rest is. `is_cut`: `body` is only the
/// beginning of what the server has, so an end in the middle is no damage.
base::Result<std::string> decode_content_prefix(std::string body, std::string_view content_encoding,
                                                std::size_t limit, bool is_cut);

}  // namespace sheaf::http
