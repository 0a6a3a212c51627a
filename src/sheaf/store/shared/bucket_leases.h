#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/shared_database.h"
#include "sheaf/store/work_share.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

// Buckets are leased, not sites: that is a thousand rows that rarely change, while a queue of sites would
// leave a dead row for every pull. Nothing depends on a session (advisory locks, LISTEN, prepared
// statements), because connection pools break sessions.

namespace sheaf::store::shared {

/// A bucket that this process owns. Its epoch never changes: a bucket that was lost and claimed again gets a
/// new object. An operation keeps the object that it began with, so it can never commit with a later epoch.
struct HeldBucket {
  HeldBucket(int number, std::int64_t its_epoch) : b(number), epoch(its_epoch) {}

  const int b;
  const std::int64_t epoch;
  std::mutex commit_mutex;                   ///< serialises commits
  std::atomic<std::int64_t> renewed_at = 0;  ///< milliseconds on the monotonic clock
  std::atomic<bool> lost = false;            ///< this process no longer owns it
  std::atomic<std::uint64_t> next_pack = 0;  ///< counts packs within the epoch
  std::atomic<std::int64_t> next_run = 0;    ///< counts large changes within the epoch
};
using BucketPtr = std::shared_ptr<HeldBucket>;

/// How long a lease is valid. Only the clock of the database decides when another process may claim a bucket;
/// our own clock only makes us stop earlier. Leases are renewed every renew(), and a process stops using a
/// lease that was last renewed stop() ago.
struct LeaseTimes {
  std::chrono::milliseconds valid{15'000};
  [[nodiscard]] std::chrono::milliseconds renew() const { return valid / 3; }
  [[nodiscard]] std::chrono::milliseconds stop() const { return valid * 2 / 3; }
};

/// The buckets that this process owns. A background thread renews their leases. Thread-safe.
class BucketLeases {
 public:
  BucketLeases(SharedDatabase& database, std::int64_t buckets, LeaseTimes times, std::string version);
  /// Releases everything.
  ~BucketLeases();
  BucketLeases(const BucketLeases&) = delete;
  BucketLeases& operator=(const BucketLeases&) = delete;

  /// Returns the bucket, after claiming it if necessary. If another process owns it, waits until a lease that
  /// is not renewed must have ended, then fails with Errc::in_use and a message that names the owner. A
  /// member of the fleet does not claim single buckets, so it fails at once if it does not own the bucket.
  base::Result<BucketPtr> hold(int b);

  /// Renews the leases if this one is old. Fails with Errc::in_use if the bucket was lost, or with the error
  /// of the database if the leases cannot be renewed.
  base::Result<void> check(HeldBucket& bucket);

  /// Joins the fleet: from now on, this process claims its fair share of all buckets, and releases buckets
  /// when others join.
  void join_fleet();
  /// The buckets now owned, with their epochs.
  [[nodiscard]] std::map<int, std::int64_t> owned() const;
  /// Whether this process has joined the fleet, has claimed free buckets up to its share, and owns at least
  /// one.
  [[nodiscard]] bool has_share() const;
  [[nodiscard]] bool owns(int b) const;
  void set_load(const WorkerLoad& load);
  /// Marks a site of the bucket as in use until leave(): this process does not release the bucket meanwhile.
  /// Returns false if this process does not own the bucket.
  bool enter(int b);
  void leave(int b);

  [[nodiscard]] const std::string& id() const { return id_; }
  /// Held while a statement updates several rows of the table `bucket`: leases are renewed, claimed or
  /// released, or notes are committed. Two such statements that lock the rows in different orders would
  /// deadlock.
  [[nodiscard]] std::mutex& rows_mutex() { return rows_mutex_; }
  /// Releases every bucket now. Nothing is claimed afterwards.
  void release_all();

 private:
  using Clock = std::chrono::steady_clock;
  static std::int64_t now_milliseconds();

  base::Result<BucketPtr> claim(int b);
  base::Result<std::optional<std::string>> owner_of(int b);
  base::Result<void> renew();
  base::Result<void> write_worker();
  base::Result<void> balance();
  base::Result<void> claim_more(std::size_t wanted);
  base::Result<void> release_idle(std::size_t count);
  /// `asked_at` is the time before the query, so that our clock ends the lease before the database does. The
  /// thread may release the bucket before this returns, so callers must not look it up in held_ again.
  BucketPtr add(int b, std::int64_t epoch, std::int64_t asked_at);
  void start_thread();
  void run();
  [[nodiscard]] std::vector<BucketPtr> held() const;

  SharedDatabase& database_;
  const std::int64_t buckets_;
  const LeaseTimes times_;
  const std::string id_;
  const std::string host_;
  const std::string version_;

  mutable std::mutex mutex_;
  std::map<int, BucketPtr> held_;
  std::map<int, int> in_use_;
  bool fleet_ = false;
  bool has_share_ = false;
  bool stopped_ = false;
  WorkerLoad load_;
  std::condition_variable woken_;
  std::mutex rows_mutex_;
  std::mutex claim_mutex_;  ///< one claim at a time
  std::thread thread_;
};

}  // namespace sheaf::store::shared
