#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

struct ChunkedBody {
  std::string bytes;
  bool is_whole = false;  ///< the last chunk was there
};

/// Decodes a body with the transfer coding "chunked" (RFC 9112, 7.1), as archives keep it. Nothing if it does
/// not begin with a chunk: programs that remove the coding often leave the header that announces it. Of a
/// body that is cut or damaged further on, what precedes the damage.
std::optional<ChunkedBody> decode_chunked(std::string_view body);

}  // namespace sheaf::http::message
