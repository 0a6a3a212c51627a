#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/model/collection.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sheaf::format {

/// A range of a line: [begin, end).
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct DecodedHead {
  model::CollectionHead head;
  /// Position of the `checksum` member in the line. The hash covers everything else.
  Cut checksum;
};

/// Reads the metadata line. Returns nullopt for a JSON object without `collection`. Fatal findings: not_utf8,
/// invalid_json, not_an_object, invalid_collection, unsupported_version. Other findings go to `sink`:
/// naive_time, invalid_field.
Read<std::optional<DecodedHead>> decode_head(const Line& line, const Limits& limits, const FindingSink& sink);

}  // namespace sheaf::format
