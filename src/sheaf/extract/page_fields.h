#pragma once

#include "sheaf/base/url.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Sets required fields that the page lacks, from its content and URL: the title from its first heading, else
/// from the last part of the URL's path; the description from its first real paragraph, cut at a word near
/// 300 characters; the language guessed from its text, else `und`. `url` may be null.
void fill_required_fields(Page& page, const base::Url* url, Arena& arena);

/// Makes a title from a file name or the last part of a URL's path: "my-first%20post.html" gives "my first
/// post".
std::string title_from_name(std::string_view name);

}  // namespace sheaf::extract
