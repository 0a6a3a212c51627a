#pragma once

#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/extract/metadata/metadata.h"
#include <sheaf/arena.h>

namespace sheaf::extract {

/// Adds to a page's blocks what its structured data say and the page does not show: the text of an article or
/// a thread that scripts would load, answers behind a click, a product's properties, the steps of a recipe.
/// What the blocks have already is not added again: texts are compared by three words in a row.
void add_declared_parts(const Metadata& metadata, Arena& arena, BuiltBlocks& built);

}  // namespace sheaf::extract
