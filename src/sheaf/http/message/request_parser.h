#pragma once

#include "sheaf/http/message/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// A longer target is answered with 414. RFC 9110 4.1 requires support for at least 8000 octets.
constexpr std::size_t kMaxTargetLength = 8'192;

enum class TargetKind : std::uint8_t {
  path,       ///< origin-form "/a?b", or the path of an absolute-form "http://host/a?b"
  asterisk,   ///< "*", for OPTIONS
  malformed,  ///< 400
  too_long,   ///< 414
};

struct RequestTarget {
  TargetKind kind = TargetKind::malformed;
  std::string path;        ///< percent-decoded; begins with '/' and has no dot segment and no NUL
  std::string_view query;  ///< without the '?', as received; borrows the target
  /// The target has a percent-encoded '/', which no file name can contain. As it is decoded in `path`, that
  /// may be the path of another file.
  bool has_encoded_slash = false;
};

/// Parses the target of a request line. Malformed: a control character, space or '#', a percent sign without
/// two hex digits, an encoded NUL, a "." or ".." segment (plain or encoded: clients resolve these, so only
/// probes send them), a scheme other than http(s), the authority-form of CONNECT.
RequestTarget parse_request_target(std::string_view target);

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
