#pragma once

#include <cstddef>
#include <cstdint>

namespace sheaf::html {

// The named character references, sorted by name bytewise. Names (without `&`, with `;` if they have one) and
// UTF-8 values are in two strings, to which the rows refer: 34 KB in total.

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
/// Index of the first name for each first letter, from `A` to one past `z`.
extern const std::uint16_t kEntityFirst[kEntityLetters + 1];

}  // namespace sheaf::html
