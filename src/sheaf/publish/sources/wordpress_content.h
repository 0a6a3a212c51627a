#pragma once

#include <string>
#include <string_view>

namespace sheaf::publish {

/// The HTML of a post as WordPress shows it, from what it stores: text of the classic editor gets paragraphs
/// and line breaks, block editor markup stays. Of shortcodes, those of WordPress itself become HTML; a
/// gallery is left out, because its pictures are in other rows. Others stay as text, as WordPress shows them
/// if their plugin is gone. Linear in the size.
std::string html_of_wordpress(std::string_view stored);

}  // namespace sheaf::publish
