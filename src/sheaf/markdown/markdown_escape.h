#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::markdown {

/// Where a text stands in Markdown, which decides what its characters would mean.
enum class MarkdownPlace : std::uint8_t {
  block,    ///< at the front of a line: `#`, `-`, `1.` begin something
  heading,  ///< in one line that a # at its end would end
  cell,     ///< in a table
  link,     ///< between brackets
  inside,   ///< in a line, behind its front
};

/// Appends one line of text so that a Markdown reader shows it as it is.
void append_markdown_text(std::string& out, std::string_view line, MarkdownPlace place);

/// Appends an address for the place after a link's text: as it is, or as `<...>` where it has signs that
/// would end it.
void append_markdown_address(std::string& out, std::string_view url);

}  // namespace sheaf::markdown
