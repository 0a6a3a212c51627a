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

/// One of the databases of an index. Xapian has one writing thread per database, so each shard has a thread
/// of its own, and an index of several is written by several processors.
///
/// One caller at a time. The first exception of the thread is thrown by the next call of anything; what was
/// waiting is dropped then.
class IndexShard {
 public:
  explicit IndexShard(Xapian::WritableDatabase database);
  ~IndexShard();
  IndexShard(const IndexShard&) = delete;
  IndexShard& operator=(const IndexShard&) = delete;

  /// Puts or replaces a page, later, on the thread. Waits while too many pages are waiting. `is_new`: the
  /// shard certainly does not have the page.
  /// A page that is not there yet gets the number `fresh`, above all others.
  void put(std::unique_ptr<XapianPage> page, bool is_new, Xapian::docid fresh);
  /// Removes a page that is there.
  void remove(const std::string& key);
  /// These begin something on the thread. idle_database() waits for the end.
  void begin_commit();
  void begin_compact(const std::filesystem::path& target);

  /// The database when the thread has done everything; the caller's until its next other call.
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
  std::uint64_t held_terms_ = 0;  ///< that Xapian has not written yet
  std::uint64_t changes_ = 0;     ///< the same of changes

  std::mutex mutex_;
  std::condition_variable filled_;  ///< for the thread
  std::condition_variable done_;    ///< for the caller
  std::deque<Task> tasks_;
  std::uint64_t waiting_terms_ = 0;  ///< of all tasks
  bool is_busy_ = false;
  bool is_stopped_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace sheaf::search
