#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/model/block.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::extract {

/// Joins neighbouring blocks until there are at most `max_blocks` (at least one). Texts are joined first,
/// then lists, code and quotes of one kind; then, as text, what loses least by it: links and quotes before
/// deep headings, lists, code, tables. Joins of equal cost are spread over the page. Nothing said is lost.
/// Returns how many blocks were joined to the one before.
std::size_t merge_blocks(std::vector<model::Block>& blocks, std::size_t max_blocks, base::Arena& arena);

/// A block as plain text: what a reader would see of it.
void append_plain_text(const model::Block& block, std::string& out);

}  // namespace sheaf::extract
