#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

struct ChunkedBody {
  std::string bytes;
  bool is_whole = false;  ///< the body ended with its last chunk
};

/// Decodes a body with the transfer coding "chunked" (RFC 9112, 7.1), which archives keep. Returns nullopt if
/// the body does not begin with a chunk: programs that remove the coding often leave the header that
/// announces it. If the body is truncated or damaged later, returns the content before the damage.
std::optional<ChunkedBody> decode_chunked(std::string_view body);

}  // namespace sheaf::http::message
