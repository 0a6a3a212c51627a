#pragma once

#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::model {

/// Appends what a person reads in a block, without marks: items of a list and rows of a table on a line each,
/// cells separated by tabs, of an image its alternative text, of video and audio name, summary and
/// transcript. Nothing for structured data and unknown blocks.
void append_block_text(std::string& out, const Block& block);

/// Appends the texts of all blocks, separated by an empty line.
void append_page_text(std::string& out, const Page& page);

/// Words of a text: runs of characters between white space; each Chinese character and each kana is one,
/// since these scripts are written without spaces.
std::uint64_t count_words(std::string_view text);

}  // namespace sheaf::model
