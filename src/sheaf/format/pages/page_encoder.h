#pragma once

#include "sheaf/format/json/byte_buffer.h"
#include "sheaf/model/collection.h"
#include <sheaf/page.h>

#include <array>
#include <cstdint>
#include <string>

namespace sheaf::format {

/// Appends the page as one compact JSON object without a line feed. Member order: url title description
/// author published modified language canonical schema content robots, then the unknown ones unchanged. Equal
/// pages give equal bytes.
void encode_page(const Page& page, ByteBuffer& out);
void encode_page(const Page& page, std::string& out);

/// Appends the metadata line without a line feed. Member order: id section type generated since version state
/// removed checksum, then the unknown ones.
void encode_head(const model::CollectionHead& head, ByteBuffer& out);
void encode_head(const model::CollectionHead& head, std::string& out);

/// Hash of everything in a page except `modified`: equal fingerprints mean equal content.
using PageFingerprint = std::array<std::uint8_t, 16>;

PageFingerprint fingerprint_of(const Page& page);

}  // namespace sheaf::format
