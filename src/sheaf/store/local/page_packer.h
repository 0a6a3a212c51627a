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

/// Packs files of pages on background threads while more pages are written. Packing takes longer than
/// everything else, so packing at the end would keep a pull busy for minutes after its last page. A writer
/// that is faster than the packing has to wait, so a store is never much larger than twice its packed size.
///
/// Failures are not reported: the files stay unpacked, and PageStore::pack() tries again.
class PagePacker {
 public:
  explicit PagePacker(database::Database& database) : database_(database) {}
  ~PagePacker();  ///< leaves the remaining files unpacked
  PagePacker(const PagePacker&) = delete;
  PagePacker& operator=(const PagePacker&) = delete;

  /// Queues an ingested file of a run for packing. Starts a thread unless there are `threads` already.
  void add(std::uint64_t run, database::KeyRange file, unsigned threads);
  /// Waits until the files to be packed have at most half of the bytes of the store, or at most `allowance`
  /// bytes.
  void wait_for_room(std::uint64_t allowance);
  /// Waits until all files that were added before are packed. Returns false if there were none.
  bool finish(const database::CompactProgress& progress = {});
  /// Removes the files of the run that are not being packed yet from the queue.
  void abandon(std::uint64_t run);

 private:
  struct Job {
    std::uint64_t number;
    std::uint64_t run;
    database::KeyRange file;
  };

  void start_thread();
  void work();
  void end(const Job& job);                                         ///< requires the mutex
  [[nodiscard]] std::uint64_t bytes_left(std::uint64_t end) const;  ///< bytes of the jobs before `end`
  [[nodiscard]] std::uint64_t store_bytes() const;

  database::Database& database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::uint64_t next_number_ = 0;                 ///< number of the next job
  std::map<std::uint64_t, std::uint64_t> bytes_;  ///< by number of the job; jobs that are waiting or running
  std::uint64_t unpacked_ = 0;                    ///< sum of `bytes_`
  std::uint64_t whole_ = 0;                       ///< size of the store
  std::atomic<bool> stopped_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace sheaf::store::local
