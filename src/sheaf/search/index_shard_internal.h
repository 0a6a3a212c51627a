#pragma once

#include "sheaf/search/index_documents_internal.h"

#include <xapian.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace sheaf::search {

/// One of the databases of an index. Xapian allows one writing thread per database. So each shard has its own
/// thread, and an index with several shards is written by several processors.
///
/// Not thread-safe. If the thread throws an exception, it drops all waiting tasks, and every later call
/// throws that exception.
class IndexShard {
 public:
  explicit IndexShard(Xapian::WritableDatabase database);
  ~IndexShard();
  IndexShard(const IndexShard&) = delete;
  IndexShard& operator=(const IndexShard&) = delete;

  /// Adds or replaces a page, later, on the thread. Waits while too many pages are waiting. `is_new` means
  /// that the shard certainly does not have the page. A new page gets the number `fresh`, which must be above
  /// all others.
  void put(std::unique_ptr<XapianPage> page, bool is_new, Xapian::docid fresh);
  /// Removes a page that the shard has.
  void remove(const std::string& key);
  /// These start an operation on the thread; idle_database() waits for its end.
  void begin_commit();
  void begin_compact(const std::filesystem::path& target);

  /// Waits until the thread has done everything, and returns the database. The caller may use it until it
  /// calls another function.
  Xapian::WritableDatabase& idle_database();

 private:
  struct Task {
    std::function<void()> run;
    std::uint64_t terms = 0;
  };

  void push(Task task);
  void work();
  void write(const XapianPage& page, bool is_new, Xapian::docid fresh);
  void count_change(std::uint64_t terms);

  Xapian::WritableDatabase database_;
  std::uint64_t held_terms_ = 0;  ///< terms that Xapian has not written yet
  std::uint64_t changes_ = 0;     ///< changes that Xapian has not written yet

  std::mutex mutex_;
  std::condition_variable filled_;  ///< wakes the thread
  std::condition_variable done_;    ///< wakes the caller
  std::deque<Task> tasks_;
  std::uint64_t waiting_terms_ = 0;  ///< terms of all tasks
  bool is_busy_ = false;
  bool is_stopped_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace sheaf::search
