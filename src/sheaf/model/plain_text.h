#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::model {

/// Appends the readable text of a block, without markup. List items and table rows are on separate lines;
/// cells are separated by tabs. The text of an image is its alternative text; the text of video and audio is
/// the name, summary and transcript. Structured data and unknown blocks have no text.
void append_block_text(std::string& out, const Block& block);

/// Appends the texts of all blocks, separated by an empty line.
void append_page_text(std::string& out, const Page& page);

/// Counts the words of a text, which are separated by white space. Each Chinese character and each kana
/// counts as a word, because these scripts are written without spaces.
std::uint64_t count_words(std::string_view text);

}  // namespace sheaf::model

// Converts positions in a text between UTF-8 bytes, our representation, and UTF-16 code units, in which
// inline ranges are written (as in JavaScript and Java). Each function reads the text only once, although
// positions may be in any order.
namespace sheaf::model {

/// The UTF-16 positions of byte positions. Each byte position must be the start of a character or the end of
/// the text.
std::vector<std::uint32_t> utf16_offsets(std::string_view text, std::span<const std::size_t> bytes);

inline constexpr std::size_t kNoOffset = static_cast<std::size_t>(-1);

/// The byte positions of UTF-16 positions; kNoOffset for a position after the end of the text or inside a
/// character.
std::vector<std::size_t> byte_offsets(std::string_view text, std::span<const std::uint32_t> units);

}  // namespace sheaf::model
