#pragma once

#include "sheaf/html/dom.h"

#include <string_view>

namespace sheaf::extract {

/// Whether an element with these classes is the title of a box: a note, a tip, a warning.
bool is_box_title(std::string_view classes);

/// The kind of the box that an element is the title of ("Note"), according to the classes of the two elements
/// around it; empty if they do not name a kind.
std::string_view kind_of_box(const html::Document& document, html::NodeId title);

/// The kind that the icon stands for in the cell that Asciidoctor puts before the text of a box; empty if the
/// cell has a text instead of an icon.
std::string_view kind_of_icon(const html::Document& document, html::NodeId cell);

}  // namespace sheaf::extract
