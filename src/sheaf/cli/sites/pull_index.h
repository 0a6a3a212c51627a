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

/// Updates the search index after a pull. Problems with single pages are printed.
base::Result<void> index_after_pull(const store::PageStore& store, const std::string& location,
                                    Progress& line, const std::function<bool()>& cancelled);

/// Keeps the index up to date while pulls are running: a thread checks every 30 seconds whether the store has
/// changed. If an update fails, the error is printed, and the next check tries again.
class IndexUpdater {
 public:
  IndexUpdater(const store::PageStore& store, std::string location);
  /// Stops an update in progress; the next one continues from there.
  ~IndexUpdater();
  IndexUpdater(const IndexUpdater&) = delete;
  IndexUpdater& operator=(const IndexUpdater&) = delete;

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
