#pragma once

#include <sheaf/page.h>

#include <optional>
#include <string_view>

namespace sheaf::model {

/// The directive as draft 1 writes it ("noarchive"); nullopt if it is not one of those that draft 1 defines.
/// Case and surrounding spaces do not matter.
std::optional<std::string_view> known_directive(std::string_view text);

/// Whether robots directives, such as "noindex, nofollow", say noindex. `none` stands for these two. Words
/// are compared without regard to case. noindex counts for every crawler even if it is addressed to one
/// ("otherbot: noindex"); `none` does not count after a colon ("max-image-preview: none").
bool says_noindex(std::string_view directives);

/// Whether any of a page's directives says noindex.
bool is_noindex(const Page& page);

}  // namespace sheaf::model
