#pragma once

#include "sheaf/http/message/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// Maximum size of a request head. A larger one is answered with 431.
constexpr std::size_t kMaxHeadBytes = 16'384;
/// Maximum number of fields in a head. More are answered with 431, because checking them takes time quadratic
/// in their number.
constexpr std::size_t kMaxFields = 200;
/// The largest body of a request. An unused body is read and dropped, so the connection stays usable.
constexpr std::uint64_t kMaxBodyBytes = 65'536;
/// The largest request body that is passed on piece by piece instead of being kept in memory.
constexpr std::uint64_t kMaxUploadBytes = std::uint64_t{1} << 30U;

/// A malformed request, answered with an error. The connection is then closed, because it is unclear where
/// the next request begins.
struct RequestFault {
  unsigned status = 400;
  std::string text;
};

/// Checks what RFC 9112 requires of a head beyond its grammar: one valid Host (optional in HTTP/1.0),
/// well-formed names and values, at most one Content-Length, which is a number, and no expectation other than
/// 100-continue. Refuses everything that two servers could frame differently (RFC 9112 6.3, 11.2):
/// Transfer-Encoding with Content-Length, unknown codings, a list of lengths.
std::optional<RequestFault> check_head(std::string_view method, std::string_view version,
                                       const Fields& fields, std::size_t head_size,
                                       std::uint64_t largest_body = kMaxBodyBytes);

/// Whether the head announces a body. The head must have passed check_head().
bool announces_body(const Fields& fields);

/// Whether the client wants the connection closed after this request, by the Connection field or the HTTP
/// version.
bool asks_to_close(std::string_view version, const Fields& fields);

}  // namespace sheaf::http::message
