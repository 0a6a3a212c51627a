#pragma once

#include <string>
#include <string_view>

namespace sheaf::model {

/// The media type of a file that a page or a draft-1 collection names: `format` is a media type, a container
/// ("mp4") or empty, in which case the URL's extension decides. `family` is "video" or "audio", for
/// extensions that both use. "application/octet-stream" if unknown.
std::string media_type(std::string_view format, std::string_view url, std::string_view family);

}  // namespace sheaf::model
