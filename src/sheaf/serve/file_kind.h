#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/model/collection.h"
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::serve {

/// Whether a file name or path belongs to a collection: .scp, .scp.gz, .scp.zst.
bool is_collection_name(std::string_view name) noexcept;

/// The Content-Type of a file that is not a collection, by its extension (case-insensitive);
/// application/octet-stream if unknown.
std::string_view content_type_of(std::string_view name) noexcept;

/// Cache-Control of files that are not collections. Short, because a cached sitemap hides new deltas.
constexpr std::string_view kPlainCacheControl = "public, max-age=60";

/// The facts from a collection's metadata line that matter for serving it.
struct ServedCollection {
  std::string section;
  model::CollectionType type = model::CollectionType::snapshot;
  Instant generated;
  std::optional<std::string> checksum;  ///< "sha256:...", as the metadata line states it
};

/// Detects the codec from the first bytes. Does not move the file offset.
format::Codec codec_of(int descriptor);

/// Reads the metadata line from a descriptor at offset 0. The rest of the file is not read, so the checksum
/// is only what the file claims. The error message says what is wrong with the metadata line.
base::Result<ServedCollection> read_facts(int descriptor, const std::string& name);

}  // namespace sheaf::serve
