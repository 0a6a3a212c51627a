#pragma once

#include "sheaf/base/bounded_queue.h"

#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::parquet {

/// Compresses the pages of a file with zstd, on threads of its own. Most of the time of an export is spent
/// here. The bytes do not depend on the number of threads.
class PageCompressor {
 public:
  /// Without threads, the caller's thread compresses.
  PageCompressor(unsigned threads, int level);
  ~PageCompressor();
  PageCompressor(const PageCompressor&) = delete;
  PageCompressor& operator=(const PageCompressor&) = delete;

  /// Compresses a page in the background. Waits while too many pages are in progress, which bounds the
  /// memory. The future throws std::bad_alloc if memory ran out.
  std::future<std::string> add(std::string page);

 private:
  struct Job {
    std::string page;
    std::promise<std::string> result;
  };

  void work();

  int level_;
  base::BoundedQueue<Job> jobs_;
  std::vector<std::jthread> threads_;
};

}  // namespace sheaf::parquet
