#pragma once

#include "sheaf/http/message/byte_range.h"
#include "sheaf/http/message/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::http::message {

/// The properties of a representation that conditional and range requests depend on.
struct Representation {
  std::uint64_t size = 0;
  std::string entity_tag = {};                     ///< a strong tag with its quotes; empty if there is none
  std::optional<std::int64_t> last_modified = {};  ///< seconds since 1970
};

/// How a request for an existing representation is answered.
struct Decision {
  unsigned status = 200;          ///< 200, 206, 304, 412 or 416
  std::vector<ByteRange> ranges;  ///< for 206: one, or several for a multipart answer
};

/// Evaluates the preconditions and ranges of a GET or HEAD request (RFC 9110 13.2.2 and 14.2). `now` is the
/// time of the response: a Last-Modified within a second of it is not a strong validator, so If-Range ignores
/// it.
Decision decide(Method method, const Fields& fields, const Representation& representation, std::int64_t now);

}  // namespace sheaf::http::message
