#pragma once

#include <string_view>

namespace sheaf::base {

/// Bidi class R, AL or AN: one such code point makes the whole domain a Bidi domain name (RFC 5893
/// section 1.4).
bool is_right_to_left(char32_t code_point);

/// RFC 5893 section 2: what each label of a Bidi domain name must satisfy. The label must not be empty and
/// must have been mapped. Spacing marks pass for the other marks, which matters only where scripts of both
/// directions mix.
bool satisfies_bidi_rule(std::u32string_view label);

}  // namespace sheaf::base
