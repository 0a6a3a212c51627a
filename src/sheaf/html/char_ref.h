#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

enum class RefPlace : std::uint8_t { text, attribute };

/// A character reference, parsed by the standard's "character reference state".
struct CharRef {
  std::size_t consumed = 0;  ///< bytes after the `&`; 0: not a reference, the `&` is text
  std::string_view text;     ///< the replacement text: a static string, or a view of the caller's buffer
};

/// Reads the reference whose `&` is just before `p`. The character of a numeric reference is written to
/// `buffer`.
CharRef read_char_ref(const char* p, const char* end, RefPlace place, std::array<char, 4>& buffer);

/// Writes a scalar value as UTF-8 and returns the number of bytes.
std::size_t encode_utf8(std::uint32_t code_point, char* out);

}  // namespace sheaf::html
