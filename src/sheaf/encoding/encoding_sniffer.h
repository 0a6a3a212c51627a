#pragma once

#include "sheaf/encoding/encoding.h"

#include <optional>
#include <string_view>

namespace sheaf::encoding {

/// The encoding of the byte order mark at the start of the bytes; nullopt if there is none.
std::optional<Encoding> encoding_of_bom(std::string_view bytes);

/// The bytes without the byte order mark of `encoding`, if they start with it.
std::string_view without_bom(std::string_view bytes, Encoding encoding);

/// The encoding that a <meta> or an XML declaration in the first 1024 bytes declares: the HTML standard's
/// "prescan a byte stream to determine its encoding", then "get an XML encoding".
std::optional<Encoding> prescan(std::string_view bytes);

/// The HTML standard's "extracting a character encoding from a meta element", for the value of the content
/// attribute.
std::optional<Encoding> encoding_of_meta_content(std::string_view content);

}  // namespace sheaf::encoding
