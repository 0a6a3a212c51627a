#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

// The named character references, sorted bytewise by name. The rows refer to two strings: one with the names
// (without `&`, with `;` if they have one), one with the UTF-8 values. All of it takes 34 KB.

inline constexpr std::size_t kEntityCount = 2231;
inline constexpr std::size_t kEntityLetters = 'z' - 'A' + 1;

struct EntityRow {
  std::uint16_t name_begin;
  std::uint16_t value_begin;
  std::uint8_t name_size;
  std::uint8_t value_size;
};

extern const char kEntityNames[];
extern const char kEntityValues[];
extern const EntityRow kEntityRows[kEntityCount];
/// The index of the first row for each first letter, from `A` to one past `z`.
extern const std::uint16_t kEntityFirst[kEntityLetters + 1];

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
