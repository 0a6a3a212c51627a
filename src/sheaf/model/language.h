#pragma once

#include <string>
#include <string_view>

namespace sheaf::model {

/// Whether a language tag has the form that the drafts' schema requires: two or three lower-case letters,
/// then subtags of letters and digits, each after a hyphen ("en", "zh-Hans-CN", "de-CH-1996").
bool is_language_tag(std::string_view tag) noexcept;

/// Normalises a tag: "en-US" for "en_us", " EN-us" and "en_US.UTF-8". Empty if it is not a language tag.
std::string normal_language_tag(std::string_view raw);

}  // namespace sheaf::model
