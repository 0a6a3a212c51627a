#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/time.h"
#include "sheaf/model/block.h"

#include <optional>
#include <string_view>

namespace sheaf::model {

/// One page of a collection. A view, like its blocks: copy it into an Arena to keep it.
/// Optional fields that are absent are nullopt, which is not the same as empty.
struct Page {
  Text url;
  Text title;
  Text description;
  OptionalText author;
  OptionalText published;
  Text modified;  ///< as it stands in the file; the state digest is over these characters
  base::Instant modified_at;
  Text language;
  OptionalText canonical;
  OptionalText schema;  ///< a JSON object as it came
  List<Block> content;
  std::optional<List<Text>> robots;  ///< draft 1
  Members extra;

  friend bool operator==(const Page&, const Page&) = default;
};

/// A deep copy whose every string and span lives in `arena`.
Page copy(const Page& page, base::Arena& arena);

}  // namespace sheaf::model
