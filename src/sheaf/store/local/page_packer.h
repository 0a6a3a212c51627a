#pragma once

#include "sheaf/database/database.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace sheaf::store::local {

/// Packs files of pages on threads of its own while more pages are written: packing takes longer than all
/// else, and would keep a pull busy for minutes after its last page. A writer that is faster has to wait, so
/// a store is never much larger than twice its packed size.
///
/// Failures are not reported: such files stay as they are, and PageStore::pack tries again.
class PagePacker {
 public:
  explicit PagePacker(database::Database& database) : database_(database) {}
  ~PagePacker();  ///< leaves the rest as it is
  PagePacker(const PagePacker&) = delete;
  PagePacker& operator=(const PagePacker&) = delete;

  /// Packs an ingested file of a run, on one of that many threads.
  void add(std::uint64_t run, database::KeyRange file, unsigned threads);
  /// Waits until no more than half of the store, or `allowance` bytes, are waiting to be packed.
  void wait_for_room(std::uint64_t allowance);
  /// Waits until all files that were added before are packed. False if there were none.
  bool finish(const database::CompactProgress& progress = {});
  /// Drops the files of the run that are not being packed yet.
  void abandon(std::uint64_t run);

 private:
  struct Job {
    std::uint64_t number;
    std::uint64_t run;
    database::KeyRange file;
  };

  void start_thread();
  void work();
  void end(const Job& job);                                         ///< with the mutex
  [[nodiscard]] std::uint64_t bytes_left(std::uint64_t end) const;  ///< of the jobs before `end`
  [[nodiscard]] std::uint64_t store_bytes() const;

  database::Database& database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::uint64_t next_number_ = 0;                 ///< of a job
  std::map<std::uint64_t, std::uint64_t> bytes_;  ///< by number, of jobs that wait or are under way
  std::uint64_t unpacked_ = 0;                    ///< bytes of all of them
  std::uint64_t whole_ = 0;                       ///< bytes of the store
  std::atomic<bool> stopped_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace sheaf::store::local
