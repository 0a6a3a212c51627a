#pragma once

#include "sheaf/api/scp/c_inside.h"
#include <sheaf/store.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

// What is behind the handle of a store in sheaf_c.h.

namespace sheaf::c_api {

/// A store, its calls in progress and its open cursors. A cursor shares the ownership, so the store stays
/// open until its last cursor is freed, whichever of the two the caller frees first.
class OpenStore {
 public:
  explicit OpenStore(Store store) : store_(std::move(store)) {}

  [[nodiscard]] Store& store() { return store_; }

  void add_cursor() { ++cursors_; }
  void remove_cursor() { --cursors_; }
  /// Fails with Errc::in_use if a cursor is open: its thread reads the state that refresh() would replace.
  Result<void> refresh() {
    const std::unique_lock lock(calls_);
    if (cursors_ > 0)
      return fail(Errc::in_use, "a cursor of the store is open: finish the iteration, or free the cursor");
    return store_.refresh();
  }

 private:
  friend class StoreCall;

  Store store_;
  std::shared_mutex calls_;
  std::atomic<int> cursors_ = 0;
};

/// A call in progress. It keeps the store open, even if another thread frees the handle, and refresh() waits
/// for it.
class StoreCall {
 public:
  explicit StoreCall(std::shared_ptr<OpenStore> open) : open_(std::move(open)), lock_(open_->calls_) {}

  [[nodiscard]] Store& store() const { return open_->store(); }

 private:
  std::shared_ptr<OpenStore> open_;
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace sheaf::c_api

struct sheaf_store {
  std::shared_ptr<sheaf::c_api::OpenStore> open;
};
