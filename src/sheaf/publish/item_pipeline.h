#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/publish/prepare.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace sheaf::publish {

// Items pass from the thread that reads the sources to the threads that extract pages, and from there to the
// thread that writes. A page that is already JSON costs little more than waking a thread, so such pages are
// passed in batches. Items that have to be extracted, or that arrive slowly from a live site, are passed one
// by one.
using Items = std::vector<SourceItem>;
using PreparedItems = std::vector<base::Result<PreparedItem>>;
using ItemPipeline = base::OrderedPipeline<Items, PreparedItems>;

/// Puts items into the pipeline, in batches if they are cheap.
class ItemSender {
 public:
  explicit ItemSender(ItemPipeline& pipeline) : pipeline_(pipeline) {}

  /// Returns false if the pipeline was stopped.
  bool send(SourceItem item) {
    const bool cheap = item.kind == ItemKind::page;
    bytes_ += item.bytes.size();
    items_.push_back(std::move(item));
    return (cheap && bytes_ < kBytesTogether) || flush();
  }

  bool flush() {
    bytes_ = 0;
    return items_.empty() || pipeline_.push(std::exchange(items_, {}));
  }

 private:
  static constexpr std::size_t kBytesTogether = std::size_t{32} << 10;

  ItemPipeline& pipeline_;
  Items items_;
  std::size_t bytes_ = 0;
};

}  // namespace sheaf::publish
