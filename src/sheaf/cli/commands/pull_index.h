#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/store/page_store.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace sheaf::cli {

/// Brings the search index up to date after a pull. What is wrong with single pages is printed.
base::Result<void> index_after_pull(const store::PageStore& store, const std::string& location,
                                    Progress& line, const std::function<bool()>& cancelled);

/// Keeps the index current beside pulls that go on: a thread that looks every half minute whether the store
/// has changed. A failure is printed and the next look tries again.
class IndexKeeper {
 public:
  IndexKeeper(const store::PageStore& store, std::string location);
  /// Stops an update under way; the next one goes on from there.
  ~IndexKeeper();
  IndexKeeper(const IndexKeeper&) = delete;
  IndexKeeper& operator=(const IndexKeeper&) = delete;

 private:
  void run();
  bool wait();

  const store::PageStore& store_;
  std::string location_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<bool> is_stopped_ = false;
  std::thread thread_;
};

}  // namespace sheaf::cli
