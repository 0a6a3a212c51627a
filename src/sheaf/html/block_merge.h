#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/model/block.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::html {

/// Joins neighbouring blocks until there are at most `max_blocks` (at least one): texts first, then lists,
/// code and quotes of one kind, and only when that does not do, everything, as text. Groups are as small as
/// the limit allows, so that no part of the page is joined more than another. Nothing is lost.
/// Returns how many blocks were joined to the one before.
std::size_t merge_blocks(std::vector<model::Block>& blocks, std::size_t max_blocks, base::Arena& arena);

/// A block as plain text: what a reader would see of it.
void append_plain_text(const model::Block& block, std::string& out);

}  // namespace sheaf::html
