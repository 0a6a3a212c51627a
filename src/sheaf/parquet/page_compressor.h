#pragma once

#include "sheaf/base/bounded_queue.h"

#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::parquet {

/// Compresses the pages of a file with zstd, in its own threads. An export spends most of its time here. The
/// result does not depend on the number of threads.
class PageCompressor {
 public:
  /// With 0 threads, add() compresses in the calling thread.
  PageCompressor(unsigned threads, int level);
  ~PageCompressor();
  PageCompressor(const PageCompressor&) = delete;
  PageCompressor& operator=(const PageCompressor&) = delete;

  /// Compresses a page in the background. Waits while too many pages are in progress, which bounds the memory
  /// use. The future throws std::bad_alloc if memory ran out.
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
