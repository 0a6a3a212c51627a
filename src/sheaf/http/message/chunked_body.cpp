#include "sheaf/http/message/chunked_body.h"

#include "sheaf/base/hex.h"
#include "sheaf/http/message/message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sheaf::http::message {
namespace {

constexpr std::size_t kSizeDigits = 15;  // 60 bits: larger than any real chunk

/// Takes the line with the size of a chunk, without its extensions.
std::optional<std::uint64_t> take_chunk_size(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = rest.substr(0, end);
  line = trim_blanks(line.substr(0, line.find_first_of(";\r")));
  if (line.empty() || line.size() > kSizeDigits) return std::nullopt;
  std::uint64_t size = 0;
  for (const char c : line) {
    const auto digit = base::hex_value(c);
    if (digit < 0) return std::nullopt;
    size = size * 16 + static_cast<std::uint64_t>(digit);
  }
  rest.remove_prefix(end + 1);
  return size;
}

}  // namespace

std::optional<ChunkedBody> decode_chunked(std::string_view body) {
  ChunkedBody decoded;
  for (bool first = true;; first = false) {
    const auto size = take_chunk_size(body);
    if (!size && first) return std::nullopt;
    if (!size) return decoded;
    decoded.is_whole = *size == 0;
    if (decoded.is_whole) return decoded;  // trailers are not needed
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(*size, body.size()));
    decoded.bytes += body.substr(0, count);
    body.remove_prefix(count);
    if (body.starts_with('\r')) body.remove_prefix(1);
    if (!body.starts_with('\n')) return decoded;
    body.remove_prefix(1);
  }
}

}  // namespace sheaf::http::message
