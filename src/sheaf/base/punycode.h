#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The label in Punycode (RFC 3492), without the "xn--". nullopt if the label is longer than
/// 2048 code points.
std::optional<std::string> encode_punycode(std::u32string_view label);

/// The label that `text` (without the "xn--") stands for. nullopt if it is not Punycode or stands for
/// something that is no code point.
std::optional<std::u32string> decode_punycode(std::string_view text);

}  // namespace sheaf::base
