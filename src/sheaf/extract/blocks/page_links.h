#pragma once

#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"

#include <string>
#include <vector>

namespace sheaf::extract {

/// The URLs that a page links to and that a crawler may follow: absolute, without fragments or duplicates, in
/// the order of the page. Skips links marked `nofollow`.
std::vector<std::string> followable_links(const html::Document& document, const base::Url* page);

}  // namespace sheaf::extract
