#pragma once

#include "sheaf/extract/blocks/blocks.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// One line for a block: its kind and text. A line feed is shown as '|'; items and rows are separated by " /
/// ", cells by " ; ".
std::string dump_block(const Block& block);
std::string dump_blocks(const List<Block>& blocks);

/// The blocks of a page at https://e.org/dir/page, all of which is content.
std::string dump_blocks(std::string_view html, BlockOptions options = {}, const Metadata& metadata = {});

}  // namespace sheaf::extract
