#pragma once

#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::extract {

/// Joins neighbouring blocks until there are at most `max_blocks` (at least one). Texts are joined first,
/// then lists, code and quotes of one kind; then, as text, what loses least by it: links and quotes before
/// deep headings, lists, code, tables. Joins of equal cost are spread over the page. No text is lost.
/// Returns how many blocks were joined to the one before.
std::size_t merge_blocks(std::vector<Block>& blocks, std::size_t max_blocks, Arena& arena);

/// A block as plain text: what a reader would see of it.
void append_plain_text(const Block& block, std::string& out);

}  // namespace sheaf::extract
