#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// Returns the page of docs/commands for a command, as it was when the program was built; "README" is the
/// page about all commands. Returns an empty text if there is none.
[[nodiscard]] std::string_view command_page(std::string_view name);

/// Escapes text for roff, so that it has no control lines and no escape sequences.
[[nodiscard]] std::string roff(std::string_view text);

/// Returns the lines unchanged, as an indented block.
[[nodiscard]] std::string roff_lines(std::string_view text);

/// Converts Markdown to roff. A table becomes a list: its first column is the term, the others explain it.
[[nodiscard]] std::string roff_from_markdown(std::string_view text);

/// The text below a second-level heading; the first part has no title. Generated parts are omitted, because a
/// manual page gets them from the program itself.
struct PagePart {
  std::string title;
  std::string text;
};
[[nodiscard]] std::vector<PagePart> split_page(std::string_view page);

}  // namespace sheaf::cli
