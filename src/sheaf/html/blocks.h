#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/url.h"
#include "sheaf/html/content.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/metadata.h"
#include "sheaf/model/block.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sheaf::html {

class BlockWalker;

/// A link inside a paragraph is part of its text. `all` adds a link block for each after the paragraph, for
/// users who want the link graph.
enum class LinkBlocks : std::uint8_t { standalone, all };

struct BlockOptions {
  const base::Url* base = nullptr;  ///< what relative URLs are resolved against; without it they are dropped
  LinkBlocks links = LinkBlocks::standalone;
  std::size_t max_blocks = 1000;  ///< the protocol's limit for a page
};

struct BuiltBlocks {
  model::List<model::Block> blocks;  ///< in the arena
  std::size_t merged = 0;            ///< blocks that were joined to a neighbour to stay within max_blocks
  std::uint64_t steps = 0;           ///< work done, in nodes visited; linear in the document
};

/// Turns the kept part of a page into blocks in document order. Keeps its working memory between pages; one
/// thread at a time. Strings of the result are views of the document or lie in the arena.
class BlockBuilder {
 public:
  BlockBuilder();
  ~BlockBuilder();
  BlockBuilder(BlockBuilder&& other) noexcept;
  BlockBuilder& operator=(BlockBuilder&& other) noexcept;

  BuiltBlocks build(const Document& document, const ContentMap& content, const Metadata& metadata,
                    const BlockOptions& options, base::Arena& arena);

 private:
  std::unique_ptr<BlockWalker> walker_;
};

}  // namespace sheaf::html
