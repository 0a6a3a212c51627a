#pragma once

#include "sheaf/api/scp/c_inside.h"
#include "sheaf/base/threads.h"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

namespace sheaf::c_api {

inline constexpr std::size_t kBatchesWaiting = 4;

/// Turns a walk, which calls back, into batches that the caller asks for: the walk runs in a thread of its
/// own, a few batches ahead, and waits while the caller has not taken what it made.
class WalkThread {
 public:
  using Batch = std::unique_ptr<sheaf_batch>;
  /// Hands over a full batch; false: stop.
  using Give = std::function<bool(Batch batch)>;
  using Walk = std::function<Result<void>(const Give& give)>;

  explicit WalkThread(Walk walk)
      : queue_(kBatchesWaiting), thread_([this, work = std::move(walk)] { run(work); }) {}
  ~WalkThread() { queue_.close(); }
  WalkThread(const WalkThread&) = delete;
  WalkThread& operator=(const WalkThread&) = delete;

  Result<Batch> next() {
    auto batch = queue_.pop();
    if (!batch) return Batch();
    if (!*batch) return std::unexpected((*batch).error());
    return std::move(**batch);
  }

 private:
  void run(const Walk& walk) {
    try {
      const auto walked = walk([this](Batch batch) { return queue_.push(Result<Batch>(std::move(batch))); });
      if (!walked) queue_.push(std::unexpected(walked.error()));
    } catch (const std::exception& exception) {
      queue_.push(sheaf::fail(Errc::io, exception.what()));
    }
    queue_.close();
  }

  base::BoundedQueue<Result<Batch>> queue_;
  std::jthread thread_;
};

}  // namespace sheaf::c_api
