#pragma once

#include <string>
#include <string_view>

namespace sheaf::model {

/// The media type of a video or audio file of a page or a draft-1 collection. `format` is a media type, a
/// container format ("mp4") or empty; if it is empty, the extension of the URL decides. `family` is "video"
/// or "audio", for formats that both use. Returns "application/octet-stream" if the format is unknown.
std::string media_type(std::string_view format, std::string_view url, std::string_view family);

}  // namespace sheaf::model
