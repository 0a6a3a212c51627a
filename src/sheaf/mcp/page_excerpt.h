#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::mcp {

/// Returns the blocks from a heading, included, to the next heading of the same or a higher level. The
/// heading is the first whose text equals `heading`, ignoring case and white space; otherwise the first that
/// contains it. Returns nullopt if there is none.
std::optional<List<Block>> blocks_below(const Page& page, std::string_view heading);

/// The headings of a page, indented by their level, a line each; at most `most` of them.
std::string heading_list(const Page& page, std::size_t most);

/// A part of a text that has at most `size` bytes, from `offset`, cut at the end of a line if one is near and
/// never inside of a character.
struct TextPart {
  std::string_view text;
  std::size_t offset = 0;  ///< offset of its first byte
  std::size_t next = 0;    ///< where the rest begins; the size of the text if there is none
};
TextPart part_of(std::string_view text, std::size_t offset, std::size_t size);

}  // namespace sheaf::mcp
