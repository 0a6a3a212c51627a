#pragma once

#include "sheaf/base/url.h"
#include "sheaf/extract/content/content.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace sheaf::extract {

class BlockWalker;

/// Which links become blocks of their own.
enum class LinkBlocks : std::uint8_t {
  none,
  content,  ///< paragraphs that are a single link; a link inside a text remains part of the text
  all,      ///< also links inside texts, each after its text: the link graph
};

/// Parses the names that users write: "none", "content", "all".
constexpr std::optional<LinkBlocks> find_link_blocks(std::string_view name) {
  if (name == "none") return LinkBlocks::none;
  if (name == "content") return LinkBlocks::content;
  if (name == "all") return LinkBlocks::all;
  return std::nullopt;
}

/// Whether blocks say which ranges of their texts are links, code and emphasis, and lists where they start.
/// Published schemas forbid members that they do not know.
enum class InlineStructure : std::uint8_t { leave_out, keep };

struct BlockOptions {
  const base::Url* base = nullptr;  ///< base of relative URLs, which are dropped if it is null
  LinkBlocks links = LinkBlocks::content;
  InlineStructure inline_structure = InlineStructure::leave_out;
  std::size_t max_blocks = 1000;  ///< the protocol's limit for a page
};

struct BuiltBlocks {
  List<Block> blocks;       ///< in the arena
  std::size_t merged = 0;   ///< blocks that were merged into a neighbour to stay within max_blocks
  std::uint64_t steps = 0;  ///< number of nodes visited; linear in the size of the document
};

/// Turns the kept part of a page into blocks in document order. Reuses its memory from page to page. Not
/// thread-safe. Strings of the result are views of the document or of the arena.
class BlockBuilder {
 public:
  BlockBuilder();
  ~BlockBuilder();
  BlockBuilder(BlockBuilder&& other) noexcept;
  BlockBuilder& operator=(BlockBuilder&& other) noexcept;

  BuiltBlocks build(const html::Document& document, const ContentMap& content, const Metadata& metadata,
                    const BlockOptions& options, Arena& arena);

 private:
  std::unique_ptr<BlockWalker> walker_;
};

}  // namespace sheaf::extract
