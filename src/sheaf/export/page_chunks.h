#pragma once

#include <sheaf/page.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

/// What a page is cut into.
struct ChunkRules {
  enum class Unit : std::uint8_t { chunks, blocks };
  Unit unit = Unit::chunks;
  std::size_t max_chars = 2'000;  ///< characters of a chunk
  std::size_t overlap = 0;        ///< characters of the chunk before that a chunk begins with
};

using ChunkId = std::array<std::uint8_t, 16>;

/// A piece of a page for retrieval: text that belongs together, and where it is.
struct PageChunk {
  ChunkId id{};
  std::vector<std::string_view> headings;  ///< from the outermost; of the page
  std::string_view type = {};              ///< of the block, if the unit is blocks
  std::uint32_t position = 0;              ///< in the page, from 0
  std::uint32_t first_block = 0;
  std::string text;
};

/// Cuts a page at block boundaries. A heading begins a new chunk and is part of the path of what follows, not
/// of its text; below it, blocks are joined up to max_chars. A longer block is cut at white space. So an edit
/// changes the chunks of its own heading only.
///
/// The id is a hash of site, URL, headings and text (and of how many equal pieces came before): text that did
/// not change in a place that did not change keeps its id, whatever happens elsewhere in the page.
/// The views are into the page.
std::vector<PageChunk> chunk_page(std::string_view site, const Page& page, const ChunkRules& rules);

std::string chunk_id_text(const ChunkId& id);

/// Appends {"id":..,"url":..,"title":..,"headings":[..],"position":0,...,"text":..} without a line feed.
struct ChunkPlace {
  std::string_view site;
  std::string_view section;
};
void append_chunk_json(std::string& out, const PageChunk& chunk, const ChunkPlace& place, const Page& page,
                       const ChunkRules& rules);

}  // namespace sheaf::exporting
