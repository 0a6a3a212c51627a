#pragma once

#include "sheaf/html/dom.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// The URL of the real image, as written in the page: resolves lazy loading, chooses the largest sensible
/// image of a set, and uses a `source` of the `picture` if the image itself has no URL. Empty for what is not
/// an image of the content: tracking pixels, spacers, icons, data: URLs.
std::string_view image_source(const html::Document& document, html::NodeId image);

/// The best candidate of a srcset: the largest up to a full screen's width, else the smallest. Empty if there
/// is no candidate.
std::string_view best_candidate(std::string_view srcset);

/// Whether the image stands for a character of the text. The character is its alt.
bool is_emoji(const html::Document& document, html::NodeId image);

}  // namespace sheaf::extract
