#pragma once

#include "sheaf/html/dom.h"

#include <string_view>

namespace sheaf::extract {

/// Whether an element of these classes is the title of a box: a note, a tip, a warning.
bool is_box_title(std::string_view classes);

/// What kind of box an element is the title of ("Note"), by the classes of the elements around it; empty if
/// none names one.
std::string_view kind_of_box(const html::Document& document, html::NodeId title);

/// The kind that an icon stands for, in the cell that Asciidoctor puts before the text of a box; empty if it
/// has text of its own.
std::string_view kind_of_icon(const html::Document& document, html::NodeId cell);

}  // namespace sheaf::extract
