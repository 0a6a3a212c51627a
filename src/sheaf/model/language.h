#pragma once

#include <string_view>

namespace sheaf::model {

/// Whether a language tag has the form the drafts' schema asks of BCP 47 tags: two or three lower-case
/// letters, then subtags of letters and digits, each after a hyphen ("en", "zh-Hans-CN", "de-CH-1996").
bool is_language_tag(std::string_view tag) noexcept;

}  // namespace sheaf::model
