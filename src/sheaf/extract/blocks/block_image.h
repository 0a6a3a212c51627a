#pragma once

#include "sheaf/html/dom.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// The address an image really comes from, as written in the page: behind lazy loading, the largest sensible
/// of a set, from a `source` of its `picture` where the image itself has none. Empty if it is not a picture
/// of the page: tracking pixels, spacers, icons, data: addresses.
std::string_view image_source(const html::Document& document, html::NodeId image);

/// The best candidate of a srcset: the largest up to a full screen's width, else the smallest. Empty if there
/// is none.
std::string_view best_candidate(std::string_view srcset);

/// Whether the image stands for a character of the text, which its alt then is.
bool is_emoji(const html::Document& document, html::NodeId image);

}  // namespace sheaf::extract
