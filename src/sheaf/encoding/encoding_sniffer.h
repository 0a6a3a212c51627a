#pragma once

#include "sheaf/encoding/encoding.h"

#include <optional>
#include <string_view>

namespace sheaf::encoding {

/// The encoding whose byte order mark the bytes start with.
std::optional<Encoding> encoding_of_bom(std::string_view bytes);

/// The bytes without the byte order mark of `encoding`, if they start with it.
std::string_view without_bom(std::string_view bytes, Encoding encoding);

/// "Prescan a byte stream to determine its encoding" of the HTML standard over the first 1024 bytes, then
/// "get an XML encoding": the encoding in <meta> or an XML declaration.
std::optional<Encoding> prescan(std::string_view bytes);

/// "Extracting a character encoding from a meta element", from the value of its content attribute.
std::optional<Encoding> encoding_of_meta_content(std::string_view content);

}  // namespace sheaf::encoding
