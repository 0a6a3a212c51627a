#pragma once

#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::model {

/// Appends the readable text of a block, without markup. List items and table rows are on separate lines;
/// cells are separated by tabs. The text of an image is its alternative text; the text of video and audio is
/// the name, summary and transcript. Structured data and unknown blocks have no text.
void append_block_text(std::string& out, const Block& block);

/// Appends the texts of all blocks, separated by an empty line.
void append_page_text(std::string& out, const Page& page);

/// Counts the words of a text, which are separated by white space. Each Chinese character and each kana
/// counts as a word, because these scripts are written without spaces.
std::uint64_t count_words(std::string_view text);

}  // namespace sheaf::model
