#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::base {

/// Lower-case hexadecimal.
inline std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// The value of a hexadecimal digit (either case), or -1.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decodes exactly `2 * out.size()` digits (either case). False for any other text.
inline bool from_hex(std::string_view text, std::span<std::uint8_t> out) {
  if (text.size() != out.size() * 2) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = hex_value(text[2 * i]);
    const int low = hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

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
