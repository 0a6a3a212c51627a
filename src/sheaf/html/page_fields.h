#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/url.h"
#include "sheaf/model/page.h"

namespace sheaf::html {

/// Gives a page the required fields it lacks, from its own content and address: a title from its first
/// heading, else from the last part of the URL's path; a description from its first real paragraph, cut at a
/// word near 300 characters; a language from its text, else `und`. `url` may be null.
void fill_required_fields(model::Page& page, const base::Url* url, base::Arena& arena);

}  // namespace sheaf::html
