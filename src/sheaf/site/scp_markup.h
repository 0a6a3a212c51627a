#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/advertised.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The SCP elements of a sitemap as ASCII XML, one string each: version, compression, key, sections,
/// then collections, in the given order. Fails if an element would violate the drafts' schema: a missing
/// value, or invalid characters.
base::Result<std::vector<std::string>> write_elements(const Advertised& advertised, std::string_view prefix);

/// Escapes text for XML, in attributes and elsewhere. Non-ASCII characters become references. Characters that
/// XML does not allow become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace sheaf::site
