#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

enum class Base64 : std::uint8_t {
  standard,  ///< RFC 4648, 4: with `+`, `/` and padding
  url,       ///< RFC 4648, 5: with `-` and `_`, without padding, as JSON Web Keys have it
};

std::string to_base64(std::string_view bytes, Base64 form = Base64::standard);

/// Decodes a text. Returns nullopt for anything that to_base64() would not write: other characters, white
/// space, missing or extra padding, or non-zero bits after the last byte. So each value has exactly one
/// encoding.
std::optional<std::string> from_base64(std::string_view text, Base64 form = Base64::standard);

}  // namespace sheaf::base
