#pragma once

#include "sheaf/http/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http {

/// A head over this is answered 431.
constexpr std::size_t kLargestHead = 16'384;
/// So is one with more fields than this: it would be looked at again with every line that comes.
constexpr std::size_t kMostFields = 200;
/// Bodies mean nothing to us; small ones are read and dropped, so that the connection can go on.
constexpr std::uint64_t kLargestBody = 65'536;

/// A request that is answered with an error before anyone looks at what it asks for. The connection ends
/// with it: where the next request would begin can no longer be told.
struct RequestFault {
  unsigned status = 400;
  std::string text;
};

/// What RFC 9112 demands of a head beyond its grammar: one Host that can be one, well-formed
/// names and values, one Content-Length that is a number, nothing that two servers could frame differently
/// (RFC 9112 6.3, 11.2: Transfer-Encoding beside Content-Length, unknown codings, a list of lengths), and no
/// expectation but 100-continue.
std::optional<RequestFault> check_head(std::string_view method, std::string_view version,
                                       const Fields& fields, std::size_t head_size);

/// Whether the head announces a body. Asked only of heads without a fault.
bool announces_body(const Fields& fields);

/// Whether this request ends its connection: by its word, or by its version.
bool asks_to_close(std::string_view version, const Fields& fields);

}  // namespace sheaf::http
