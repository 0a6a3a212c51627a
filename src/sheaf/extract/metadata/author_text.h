#pragma once

#include <sheaf/arena.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Where a text with names comes from. A field for authors holds names and little else; a line of the visible
/// page must look like names to be taken for them.
enum class AuthorText : std::uint8_t { field, visible };

/// The names in a byline: "By Jane Doe and John Roe, Staff Writers | March 3, 2021" has two. Left out are
/// what leads in ("by", "von", "Autor:"), dates and what follows them, roles, addresses, handles, and names
/// of generic accounts ("admin"). Empty when nothing is left that could be a name. Views of `text`, which
/// must be clean (text_value.h).
std::vector<std::string_view> names_in(std::string_view text, AuthorText kind);

/// Whether the first word of a text may lead in an author: of most texts it does not, which is seen at once.
bool may_lead_in_author(std::string_view text);

/// Whether a text begins with words that lead in an author: "By ", "Von ", "Par "...
bool leads_in_author(std::string_view text);

/// Whether a text is nothing but such words, so that what follows it is the name: "Written by", "Autor:".
bool is_author_label(std::string_view text);

}  // namespace sheaf::extract
