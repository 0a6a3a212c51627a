#pragma once

#include "sheaf/base/url.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Gives a page the required fields it lacks, from its own content and address: a title from its first
/// heading, else from the last part of the URL's path; a description from its first real
/// paragraph, cut at a word near 300 characters; a language from its text, else `und`. `url` may be null.
void fill_required_fields(Page& page, const base::Url* url, Arena& arena);

/// A title for a page that has none, from what its file or the last part of its path is called:
/// "my-first%20post.html" gives "my first post".
std::string title_from_name(std::string_view name);

}  // namespace sheaf::extract
