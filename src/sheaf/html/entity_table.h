#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace sheaf::html
