#pragma once

#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::extract {

/// Joins adjacent blocks until there are at most `max_blocks`, which is treated as at least one. Joins texts
/// first, then lists, code and quotes of one kind. After that, blocks become text, those first that lose the
/// least: links and quotes, then deep headings, lists, code, tables. Joins of equal cost are spread over the
/// page. No text is lost. Returns the number of blocks that were joined to the previous one.
std::size_t merge_blocks(std::vector<Block>& blocks, std::size_t max_blocks, Arena& arena);

/// Appends a block as plain text.
void append_plain_text(const Block& block, std::string& out);

}  // namespace sheaf::extract
