#pragma once

#include "sheaf/format/codecs/codec.h"
#include "sheaf/model/collection.h"
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// The parts of a collection's file name: blog-snapshot-20260115T000000Z.scp.zst, or for a delta that was
/// merged from several: blog-delta-20260108T000000Z-20260115T000000Z.scp.zst.
struct CollectionName {
  std::string section;
  model::CollectionType type = model::CollectionType::snapshot;
  Instant generated;
  format::Codec codec = format::Codec::zstd;
  std::optional<Instant> since = std::nullopt;  ///< only for a merged delta

  friend bool operator==(const CollectionName&, const CollectionName&) = default;
};

std::string to_string(const CollectionName& name);
/// Returns nullopt if it is not a name that sheaf writes.
std::optional<CollectionName> parse_collection_name(std::string_view file_name);

}  // namespace sheaf::publish
