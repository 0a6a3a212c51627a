#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::markdown {

/// The position of a text in Markdown, which determines the meaning of its characters.
enum class MarkdownPlace : std::uint8_t {
  block,    ///< at the start of a line: `#`, `-`, `1.` begin a block
  heading,  ///< in a heading, which a trailing # would close
  cell,     ///< in a table
  link,     ///< between brackets
  inside,   ///< inside a line
};

/// Appends one line of text, escaped so that it is rendered unchanged.
void append_markdown_text(std::string& out, std::string_view line, MarkdownPlace place);

/// Appends a link destination: unchanged, or as `<...>` if it contains characters that would end it.
void append_link_destination(std::string& out, std::string_view url);

}  // namespace sheaf::markdown
