#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// The element that a type of a document's node means: an element's name; "=" for a leaf of text; "+" for a
/// node without an element of its own; "h" for a heading whose level is elsewhere; "ul>li" for an item
/// without a list around it; "list", "html", "codeline". Empty if it is unknown.
std::string_view tag_of_type(std::string_view type);

/// Whether what a member of that name has is beside the page's text: other pages, settings, labels. `weak`
/// names are of shorter versions of the text.
enum class StateKey : std::uint8_t { text, weak, beside };
StateKey state_key(std::string_view key);

/// Whether a text has HTML tags, and not just a `<`.
bool has_markup(std::string_view text);

}  // namespace sheaf::extract
