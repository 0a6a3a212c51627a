#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The percent-encode sets of the parts of an http(s) URL (URL Standard, "Percent-encoded bytes"). C0
/// controls, DEL and non-ASCII characters are encoded in every part.
enum class EncodeSet : std::uint8_t {
  fragment = 1,
  query = 2,  ///< the standard's special-query set, which includes the apostrophe
  path = 4,
  userinfo = 8,
};

/// Appends `text` with the characters of `set` encoded as %XX (upper case). Percent signs are not encoded, so
/// text that is already encoded does not change. Invalid UTF-8 is encoded as U+FFFD.
void append_percent_encoded(std::string& out, std::string_view text, EncodeSet set);

/// Decodes every well-formed %XX; anything else is unchanged.
std::string percent_decode(std::string_view text);

/// Escapes text for HTML, for use in an element or in a quoted attribute value. A parser restores the text.
void append_html_text(std::string& out, std::string_view text);
std::string html_text(std::string_view text);

/// The same, for text from sites that is shown to people. Replaces characters that could deceive them
/// (control characters, bidirectional overrides) and invalid UTF-8 with U+FFFD.
void append_visible_html(std::string& out, std::string_view text);

}  // namespace sheaf::base
