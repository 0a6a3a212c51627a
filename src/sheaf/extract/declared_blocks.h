#pragma once

#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/extract/metadata/metadata.h"
#include <sheaf/arena.h>

#include <string>

namespace sheaf::extract {

/// The texts of blocks, a line each: at most a megabyte.
std::string text_of(List<Block> blocks);

/// Adds blocks for texts that the page's structured data contains but the page does not show: the text of an
/// article or a thread that scripts would load, answers behind a click, a product's properties, the steps of
/// a recipe. Skips texts that the blocks already have, compared by sequences of three words.
void add_declared_parts(const Metadata& metadata, Arena& arena, BuiltBlocks& built);

}  // namespace sheaf::extract
