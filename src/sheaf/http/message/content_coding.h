#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// The Accept-Encoding to send if the response goes through decode_content.
inline constexpr std::string_view kAcceptedEncodings = "gzip";

/// Decodes a body by its Content-Encoding: none, identity, gzip, deflate or br. Some servers send codings
/// that were not requested, and archives have the codings that browsers requested. A body labelled gzip that
/// is not gzip is returned unchanged, because servers get that wrong. Fails with Errc::invalid_data if the
/// coding is another one, the data is damaged, or the content is longer than `limit` bytes.
base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit);

/// The first `limit` bytes of the decoded body, however long the rest is. `is_cut`: `body` is only a prefix,
/// so an unexpected end is not an error.
base::Result<std::string> decode_content_prefix(std::string body, std::string_view content_encoding,
                                                std::size_t limit, bool is_cut);

}  // namespace sheaf::http::message
