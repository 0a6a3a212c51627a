#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// UTS #46 "Processing", steps 1 and 2: every code point mapped (ASCII to lower case), the whole in NFC. The
/// three other full stops become '.'. nullopt on a code point that is disallowed or unknown to the Unicode
/// version of libidn2, on U+0000, and on a pile of marks too high for one DNS label.
std::optional<std::u32string> map_domain(std::u32string_view domain);

/// General category M: must not begin a label.
bool is_mark(char32_t code_point);

/// RFC 5892 appendices A.1 and A.2: whether the joiner (U+200C or U+200D) at `position` has the context it
/// needs.
bool is_joiner_allowed(std::u32string_view label, std::size_t position);

}  // namespace sheaf::base
