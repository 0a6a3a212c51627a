#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Places in a text in both units: bytes of UTF-8, in which we hold texts, and UTF-16 code units, in which
// ranges of inline structure are written. Each function goes over the text once, whatever the order of the
// places.
namespace sheaf::model {

/// The UTF-16 place of each byte place, which is at the beginning of a character or the end of the text.
std::vector<std::uint32_t> utf16_places(std::string_view text, std::span<const std::size_t> bytes);

inline constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

/// The byte place of each UTF-16 place; kNoPlace beyond the end of the text and inside a character.
std::vector<std::size_t> byte_places(std::string_view text, std::span<const std::uint32_t> units);

}  // namespace sheaf::model
