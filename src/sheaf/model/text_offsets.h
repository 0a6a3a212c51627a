#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Converts positions in a text between bytes of UTF-8, our representation, and UTF-16 code units, in which
// inline ranges are written (the unit of JavaScript and Java). Each function reads the text once, in whatever
// order the positions are.
namespace sheaf::model {

/// The UTF-16 position of each byte position, which must be the start of a character or the end of the text.
std::vector<std::uint32_t> utf16_places(std::string_view text, std::span<const std::size_t> bytes);

inline constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

/// The byte position of each UTF-16 position; kNoPlace after the end of the text and inside a character.
std::vector<std::size_t> byte_places(std::string_view text, std::span<const std::uint32_t> units);

}  // namespace sheaf::model
