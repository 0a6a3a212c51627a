#include "sheaf/extract/blocks/blocks.h"

#include "sheaf/extract/blocks/block_walker.h"

namespace sheaf::extract {

BlockBuilder::BlockBuilder() : walker_(std::make_unique<BlockWalker>()) {}
BlockBuilder::~BlockBuilder() = default;
BlockBuilder::BlockBuilder(BlockBuilder&& other) noexcept = default;
BlockBuilder& BlockBuilder::operator=(BlockBuilder&& other) noexcept = default;

BuiltBlocks BlockBuilder::build(const html::Document& document, const ContentMap& content,
                                const Metadata& metadata, const BlockOptions& options, Arena& arena) {
  return walker_->run(document, content, metadata, options, arena);
}

}  // namespace sheaf::extract
