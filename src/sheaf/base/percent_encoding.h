#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::base {

/// Which characters a part of an http(s) URL may not hold as they are. C0 controls, DEL and everything
/// outside ASCII are encoded in every part. URL Standard, "Percent-encoded bytes".
enum class EncodeSet : std::uint8_t {
  fragment = 1,
  query = 2,  ///< the standard's special-query set, which has the apostrophe too
  path = 4,
  userinfo = 8,
};

/// Appends `text` with the characters of `set` as %XX, upper-case. A percent sign is left alone, so text that
/// is encoded already stays as it is. Bytes that are not UTF-8 are encoded as U+FFFD.
void append_percent_encoded(std::string& out, std::string_view text, EncodeSet set);

/// Every well-formed %XX as its byte; anything else unchanged.
std::string percent_decode(std::string_view text);

}  // namespace sheaf::base
