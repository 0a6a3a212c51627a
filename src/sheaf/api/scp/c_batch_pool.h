#pragma once

#include "sheaf/api/scp/c_inside.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sheaf::c_api {

/// Memory of batches that were freed, for the next ones of the same cursor. New memory comes from the kernel
/// page by page, which takes longer than filling it.
class BatchPool : public std::enable_shared_from_this<BatchPool> {
 public:
  /// An empty batch with room for about so many bytes, which returns here when it is freed.
  std::unique_ptr<sheaf_batch> make(std::size_t bytes) {
    auto batch = take(bytes);
    if (!batch) batch = std::make_unique<sheaf_batch>();
    batch->data.clear();
    batch->data.reserve(bytes);  // growing would copy it several times
    batch->table.clear();
    batch->pool = shared_from_this();
    return batch;
  }

  void take_back(std::unique_ptr<sheaf_batch> batch) {
    const std::lock_guard lock(mutex_);
    if (batch->data.capacity() <= kMaxBytes && spare_.size() < kMaxSpare) spare_.push_back(std::move(batch));
  }

 private:
  static constexpr std::size_t kMaxSpare = 8;
  static constexpr std::size_t kMaxBytes = 2 * kBatchBytes;

  /// A caller may keep the batch, so it must not be much too large.
  static bool fits(const sheaf_batch& batch, std::size_t bytes) {
    return batch.data.capacity() <= 4 * bytes + kBatchBytes / 16;
  }

  std::unique_ptr<sheaf_batch> take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (spare_.empty() || !fits(*spare_.back(), bytes)) return nullptr;
    auto batch = std::move(spare_.back());
    spare_.pop_back();
    return batch;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<sheaf_batch>> spare_;
};

}  // namespace sheaf::c_api
