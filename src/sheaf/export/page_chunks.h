#pragma once

#include <sheaf/page.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

/// How a page is cut into pieces.
struct ChunkRules {
  enum class Unit : std::uint8_t { chunks, blocks };
  Unit unit = Unit::chunks;
  std::size_t max_chars = 2'000;  ///< maximum characters of a chunk
  std::size_t overlap = 0;        ///< characters of the previous chunk that each chunk repeats
};

using ChunkId = std::array<std::uint8_t, 16>;

/// A piece of a page for retrieval: text that belongs together, and its place.
struct PageChunk {
  ChunkId id{};
  std::vector<std::string_view> headings;  ///< that it is under, outermost first; views into the page
  std::string_view type = {};              ///< block type, if the unit is blocks
  std::uint32_t position = 0;              ///< index among the chunks of the page
  std::uint32_t first_block = 0;
  std::string text;
};

/// Cuts a page at block boundaries. A heading begins a new chunk. It becomes part of the `headings` of the
/// following chunks, not of their text. Below a heading, blocks are joined up to max_chars; a longer block is
/// cut at white space. So an edit changes only the chunks under the same heading.
///
/// The id is a hash of site, URL, type, headings and text (and of the number of equal pieces before it). So
/// text that stays the same in the same place keeps its id, whatever else changes in the page.
///
/// The views in the result point into the page.
std::vector<PageChunk> chunk_page(std::string_view site, const Page& page, const ChunkRules& rules);

std::string chunk_id_text(const ChunkId& id);

/// The origin of a page.
struct ChunkPlace {
  std::string_view site;
  std::string_view section;
};
/// Appends {"id":..,"url":..,"title":..,"headings":[..],"position":0,...,"text":..} without a line feed.
void append_chunk_json(std::string& out, const PageChunk& chunk, const ChunkPlace& place, const Page& page,
                       const ChunkRules& rules);

}  // namespace sheaf::exporting
