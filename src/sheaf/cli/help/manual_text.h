#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// The page of docs/commands for a command, as it was when the program was built; README for the one on all
/// of them. Empty if there is none.
[[nodiscard]] std::string_view command_page(std::string_view name);

/// Escapes text for roff: no control lines and no escape sequences.
[[nodiscard]] std::string roff(std::string_view text);

/// The lines unchanged, indented.
[[nodiscard]] std::string roff_lines(std::string_view text);

/// Markdown as roff. A table becomes a list: its first column what is explained, the others the explanation.
[[nodiscard]] std::string roff_from_markdown(std::string_view text);

/// The text below each second-level heading; the first part has no title. Generated parts are left out: a
/// manual page gets them from the program itself.
struct PagePart {
  std::string title;
  std::string text;
};
[[nodiscard]] std::vector<PagePart> split_page(std::string_view page);

}  // namespace sheaf::cli
