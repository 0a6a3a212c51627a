#pragma once

#include "sheaf/model/page.h"

#include <string>

namespace sheaf::cli {

/// The page's content for people: headings marked with #, lists with - or numbers, code indented, cells
/// joined by |. Control characters from outside do not reach the terminal.
std::string page_text(const model::Page& page);

/// A string from outside made safe for a terminal: control characters become '?', line feeds and tabs stay or
/// become spaces.
enum class Lines : std::uint8_t { keep, join };
std::string printable(std::string_view text, Lines lines);

}  // namespace sheaf::cli
