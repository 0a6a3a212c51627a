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

namespace sheaf::store::shared {

/// A bucket that this process owns. Its epoch never changes: a bucket that was lost and claimed again is
/// another object. An operation keeps the object that it began with, so it can never commit with a later
/// epoch.
struct HeldBucket {
  HeldBucket(int number, std::int64_t its_epoch) : b(number), epoch(its_epoch) {}

  const int b;
  const std::int64_t epoch;
  std::mutex commit_mutex;                   ///< commits follow one another
  std::atomic<std::int64_t> renewed_at = 0;  ///< milliseconds of the monotonic clock
  std::atomic<bool> lost = false;            ///< another process owns it
  std::atomic<std::uint64_t> next_pack = 0;  ///< within the epoch
  std::atomic<std::int64_t> next_run = 0;    ///< of large changes, within the epoch
};
using BucketPtr = std::shared_ptr<HeldBucket>;

/// How long a lease is valid. Only the clock of the database decides when another process may claim a bucket;
/// our own clock only makes us stop earlier.
struct LeaseTimes {
  std::chrono::milliseconds valid{15'000};
  [[nodiscard]] std::chrono::milliseconds renew() const { return valid / 3; }
  [[nodiscard]] std::chrono::milliseconds stop() const { return valid * 2 / 3; }
};

/// The buckets that this process owns. A thread renews them. Any thread may call this.
class BucketLeases {
 public:
  BucketLeases(SharedDatabase& database, std::int64_t buckets, LeaseTimes times, std::string version);
  /// Releases everything.
  ~BucketLeases();
  BucketLeases(const BucketLeases&) = delete;
  BucketLeases& operator=(const BucketLeases&) = delete;

  /// The bucket, claimed if necessary. If another process owns it, waits until its lease must have ended;
  /// then Errc::in_use, which names the owner. A member of a fleet does not claim single buckets.
  base::Result<BucketPtr> hold(int b);

  /// Errc::in_use if the bucket was lost, or cannot be renewed.
  base::Result<void> check(HeldBucket& bucket);

  /// Joins the fleet: from now on this process claims its fair share of all buckets, and keeps it balanced.
  void join_fleet();
  /// The buckets now owned, with their epochs.
  [[nodiscard]] std::map<int, std::int64_t> owned() const;
  /// Whether this process has claimed what it may of the buckets that were free when it joined.
  [[nodiscard]] bool has_share() const;
  [[nodiscard]] bool owns(int b) const;
  void set_load(const WorkerLoad& load);
  /// A bucket is not given to others while a site of it is in use. False if it is not ours (any more).
  bool enter(int b);
  void leave(int b);

  [[nodiscard]] const std::string& id() const { return id_; }
  /// Held by statements of this process that change several rows of the table `bucket`.
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
  base::Result<void> give_up_idle(std::size_t count);
  void add(int b, std::int64_t epoch, std::int64_t asked_at);
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
