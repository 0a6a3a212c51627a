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
  content,  ///< a paragraph that is one link; a link inside a text is part of it
  all,      ///< those inside texts too, each after its text: the link graph
};

/// As users write it: "none", "content", "all".
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
  const base::Url* base = nullptr;  ///< what relative URLs are resolved against; without it they are dropped
  LinkBlocks links = LinkBlocks::content;
  InlineStructure inline_structure = InlineStructure::leave_out;
  std::size_t max_blocks = 1000;  ///< the protocol's limit for a page
};

struct BuiltBlocks {
  List<Block> blocks;       ///< in the arena
  std::size_t merged = 0;   ///< blocks that were joined to a neighbour to stay within max_blocks
  std::uint64_t steps = 0;  ///< work done, in nodes visited; linear in the document
};

/// Turns the kept part of a page into blocks in document order. Keeps its working memory between pages; one
/// thread at a time. Strings of the result are views of the document or lie in the arena.
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
