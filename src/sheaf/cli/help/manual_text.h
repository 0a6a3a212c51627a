#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// The page of docs/commands for a command, as it was when the program was built; README for the one on all
/// of them. Empty if there is none.
[[nodiscard]] std::string_view command_page(std::string_view name);

/// Text as roff has it: no control lines, no escapes of its own.
[[nodiscard]] std::string roff(std::string_view text);

/// Lines as they stand, indented.
[[nodiscard]] std::string roff_lines(std::string_view text);

/// Markdown as roff. A table becomes a list: its first column what is explained, the others the explanation.
[[nodiscard]] std::string roff_from_markdown(std::string_view text);

/// What stands below a heading of the second level; the first part has no title. Without what
/// tests/tools/command_pages.py put there, which a manual page gets from the program itself.
struct PagePart {
  std::string title;
  std::string text;
};
[[nodiscard]] std::vector<PagePart> split_page(std::string_view page);

}  // namespace sheaf::cli
