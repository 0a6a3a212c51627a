#pragma once

#include <string>
#include <string_view>

namespace sheaf::model {

/// Whether a text is a duration by the drafts' schema: ISO 8601 with hours, minutes and seconds only
/// ("PT1H5M20.5S").
bool is_duration(std::string_view text) noexcept;

/// Whether a language tag has the form that the drafts' schema requires: two or three lower-case letters,
/// then subtags of letters and digits, each after a hyphen ("en", "zh-Hans-CN", "de-CH-1996").
bool is_language_tag(std::string_view tag) noexcept;

/// Normalises a tag: "en-US" for "en_us", " EN-us" and "en_US.UTF-8". Empty if it is not a language tag.
std::string normal_language_tag(std::string_view raw);

/// The media type of a video or audio file of a page or a draft-1 collection. `format` is a media type, a
/// container format ("mp4") or empty; if it is empty, the extension of the URL decides. `family` is "video"
/// or "audio", for formats that both use. Returns "application/octet-stream" if the format is unknown.
std::string media_type(std::string_view format, std::string_view url, std::string_view family);

}  // namespace sheaf::model
