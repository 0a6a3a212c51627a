#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http::message {

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

}  // namespace sheaf::http::message
