#include "sheaf/html/blocks.h"

#include "sheaf/html/block_walker.h"

namespace sheaf::html {

BlockBuilder::BlockBuilder() : walker_(std::make_unique<BlockWalker>()) {}
BlockBuilder::~BlockBuilder() = default;
BlockBuilder::BlockBuilder(BlockBuilder&& other) noexcept = default;
BlockBuilder& BlockBuilder::operator=(BlockBuilder&& other) noexcept = default;

BuiltBlocks BlockBuilder::build(const Document& document, const ContentMap& content, const Metadata& metadata,
                                const BlockOptions& options, base::Arena& arena) {
  return walker_->run(document, content, metadata, options, arena);
}

}  // namespace sheaf::html
