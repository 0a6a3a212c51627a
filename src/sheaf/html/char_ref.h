#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

enum class RefPlace : std::uint8_t { text, attribute };

/// A character reference as the standard's "character reference state" takes it.
struct CharRef {
  std::size_t consumed = 0;  ///< bytes after the `&`; 0 when it begins no reference and stands for itself
  std::string_view text;     ///< what it stands for: a static string, or a view of the caller's buffer
};

/// Reads the reference whose `&` stands just before `p`. Numbers are written to `buffer`.
CharRef read_char_ref(const char* p, const char* end, RefPlace place, std::array<char, 4>& buffer);

/// Writes a scalar value as UTF-8, gives the number of bytes.
std::size_t encode_utf8(std::uint32_t code_point, char* out);

}  // namespace sheaf::html
