#pragma once

#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"

#include <string>
#include <vector>

namespace sheaf::extract {

/// The addresses that a page links to and that a crawler may follow: absolute, without fragments, each once,
/// in the order of the page. Links marked `nofollow` are passed over.
std::vector<std::string> followable_links(const html::Document& document, const base::Url* page);

}  // namespace sheaf::extract
