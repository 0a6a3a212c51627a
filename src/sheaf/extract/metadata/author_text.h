#pragma once

#include <sheaf/arena.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Where a text with names comes from. A field for authors contains names and little else; a line of the
/// visible page counts only if it looks like names.
enum class AuthorText : std::uint8_t { field, visible };

/// The names in a byline: "By Jane Doe and John Roe, Staff Writers | March 3, 2021" has two. Leaves out
/// introductory words ("by", "von", "Autor:"), dates and what follows them, roles, URLs, mail addresses,
/// handles and generic accounts ("admin"). Empty if no possible name is left. The names are views of `text`,
/// which must be clean (text_value.h).
std::vector<std::string_view> names_in(std::string_view text, AuthorText kind);

/// A quick check whether the first word of a text may introduce an author. Rejects most texts.
bool may_introduce_author(std::string_view text);

/// Whether a text begins with a word that introduces an author: "By ", "Von ", "Par "...
bool introduces_author(std::string_view text);

/// Whether a text consists of such words only, so that the name follows it: "Written by", "Autor:".
bool is_author_label(std::string_view text);

}  // namespace sheaf::extract
