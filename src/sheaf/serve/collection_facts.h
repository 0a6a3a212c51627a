#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/format/codec.h"
#include "sheaf/model/collection.h"

#include <optional>
#include <string>

namespace sheaf::serve {

/// What the head of a collection file says that matters for serving it.
struct CollectionFacts {
  std::string section;
  model::CollectionType type = model::CollectionType::snapshot;
  base::Instant generated;
  std::optional<std::string> checksum;  ///< "sha256:...", as it stands in the head
};

/// The codec by the file's first bytes, the descriptor's place left alone.
format::Codec codec_of(int descriptor);

/// Reads as far as the metadata line, from a descriptor at its start. Nothing after it is looked at: a
/// checksum is what the file claims. The error says what is wrong with the head.
base::Result<CollectionFacts> read_facts(int descriptor, const std::string& name);

}  // namespace sheaf::serve
