#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/advertised.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The SCP elements of a sitemap as XML, one a string: version, compression, sections, then collections, in
/// the order given, all ASCII. An error when one would break the drafts' schema: a value is missing, or has
/// characters that may not stand there.
base::Result<std::vector<std::string>> write_elements(const Advertised& advertised, std::string_view prefix);

/// Text for XML, in attributes and outside: what needs it escaped, whatever is not ASCII as a reference.
/// Characters that XML cannot have become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace sheaf::site
