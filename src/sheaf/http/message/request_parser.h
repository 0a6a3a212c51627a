#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_check.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::http::message {

/// The head of a request. All views borrow the bytes it was parsed from.
struct RequestHead {
  std::string_view method;
  std::string_view target;
  std::string_view version;  ///< "HTTP/1.0", or "HTTP/1.1" for every other 1.x
  std::vector<Field> fields;
};

enum class HeadStatus : std::uint8_t { incomplete, complete, faulty };

struct HeadResult {
  HeadStatus status = HeadStatus::incomplete;
  std::size_t size = 0;  ///< if complete: bytes of the head, including blank lines before it
  RequestFault fault = {};
};

/// Parses a request head at the front of `bytes` (RFC 9112, sections 2 to 5), strictly: one space between the
/// words of the request line, no space before a colon, no folded lines, every line ends in CR LF. Blank lines
/// before the request are skipped. A head that exceeds kMaxHeadBytes is `faulty`, not `incomplete`.
/// For `complete` and `faulty`, `head` has everything that was parsed.
HeadResult parse_head(std::string_view bytes, RequestHead& head);

}  // namespace sheaf::http::message
