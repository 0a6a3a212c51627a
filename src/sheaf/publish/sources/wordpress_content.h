#pragma once

#include <string>
#include <string_view>

namespace sheaf::publish {

/// The HTML of a post as WordPress shows it, from what WordPress stores. Text of the classic editor gets
/// paragraphs and line breaks; markup of the block editor is kept. Shortcodes that are built into WordPress
/// become HTML, except galleries, whose pictures are in other rows: these are removed. Other shortcodes stay
/// as text, as in WordPress if their plugin is missing. Linear in the size.
std::string html_of_wordpress(std::string_view stored);

}  // namespace sheaf::publish
