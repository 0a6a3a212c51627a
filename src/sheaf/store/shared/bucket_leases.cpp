#include "sheaf/store/shared/bucket_leases.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::chrono::milliseconds kBetweenClaims{200};
constexpr std::size_t kClaimsAtOnce = 128;

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return fmt::format("{}:{}", name.data(), getpid());
}

SqlParam seconds(std::chrono::milliseconds time) { return fmt::format("{} milliseconds", time.count()); }

}  // namespace

BucketLeases::BucketLeases(SharedDatabase& database, std::int64_t buckets, LeaseTimes times,
                           std::string version)
    : database_(database),
      buckets_(buckets),
      times_(times),
      id_(random_id()),
      host_(host_name()),
      version_(std::move(version)) {}

BucketLeases::~BucketLeases() { release_all(); }

std::int64_t BucketLeases::now_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
}

void BucketLeases::release_all() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  woken_.notify_all();
  const bool was_seen = thread_.joinable();
  if (was_seen) thread_.join();
  const std::lock_guard claims(claim_mutex_);
  std::vector<BucketPtr> all = held();
  {
    const std::lock_guard lock(mutex_);
    held_.clear();
  }
  for (const BucketPtr& bucket : all) bucket->lost = true;
  if (!was_seen) return;
  const std::lock_guard rows_lock(rows_mutex_);
  // If this fails, the leases expire.
  const auto lease = database_.take();
  if (!lease) return;
  (void)(*lease)->query("UPDATE sheaf.bucket SET owner = NULL, until = NULL WHERE owner = $1", {id_});
  (void)(*lease)->query("DELETE FROM sheaf.worker WHERE id = $1", {id_});
}

std::vector<BucketPtr> BucketLeases::held() const {
  const std::lock_guard lock(mutex_);
  std::vector<BucketPtr> all;
  for (const auto& [b, bucket] : held_) all.push_back(bucket);
  return all;
}

BucketPtr BucketLeases::add(int b, std::int64_t epoch, std::int64_t asked_at) {
  auto bucket = std::make_shared<HeldBucket>(b, epoch);
  bucket->renewed_at = asked_at;
  const std::lock_guard lock(mutex_);
  held_[b] = bucket;
  return bucket;
}

void BucketLeases::start_thread() {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable() && !stopped_) thread_ = std::thread([this] { run(); });
}

Result<BucketPtr> BucketLeases::claim(int b) {
  const std::int64_t asked_at = now_milliseconds();
  // If the answer to an earlier claim was lost, this process is the owner already.
  SHEAF_TRY_ASSIGN(
      const auto rows,
      database_.query("UPDATE sheaf.bucket SET owner = $1, epoch = epoch + 1, until = now() + $3::interval "
                      "WHERE b = $2 AND (owner IS NULL OR until < now() OR owner = $1) RETURNING epoch",
                      {id_, b, seconds(times_.valid)}));
  if (rows.empty()) return nullptr;
  return add(b, rows.number(0, 0), asked_at);
}

Result<std::optional<std::string>> BucketLeases::owner_of(int b) {
  SHEAF_TRY_ASSIGN(
      const auto rows,
      database_.query("SELECT coalesce(w.host, b.owner) FROM sheaf.bucket b LEFT JOIN sheaf.worker w "
                      "ON w.id = b.owner WHERE b.b = $1 AND b.owner IS NOT NULL",
                      {b}));
  if (rows.empty()) return std::nullopt;
  return std::string(rows.text(0, 0));
}

Result<BucketPtr> BucketLeases::hold(int b) {
  const std::lock_guard claims(claim_mutex_);
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(b);
    if (found != held_.end() && !found->second->lost) return found->second;
    if (found != held_.end()) held_.erase(found);
    if (fleet_ || stopped_)
      return fail(Errc::in_use, "the site now belongs to another worker, which continues with it");
  }
  const auto deadline = Clock::now() + times_.valid + times_.renew();
  while (true) {
    SHEAF_TRY_ASSIGN(BucketPtr bucket, claim(b));
    if (bucket) {
      SHEAF_TRY(write_worker());
      start_thread();
      return bucket;
    }
    if (Clock::now() > deadline) break;
    std::this_thread::sleep_for(kBetweenClaims);
  }
  SHEAF_TRY_ASSIGN(const auto owner, owner_of(b));
  return fail(Errc::in_use,
              fmt::format("the site belongs to the worker {}, which pulls it when it is due; `sheaf store "
                          "sites add` lists a site for the workers",
                          owner.value_or("of another process")));
}

Result<void> BucketLeases::check(HeldBucket& bucket) {
  const auto is_fresh = [&] { return now_milliseconds() - bucket.renewed_at < times_.stop().count(); };
  if (!bucket.lost && !is_fresh()) SHEAF_TRY(renew());
  if (!bucket.lost && is_fresh()) return {};
  return fail(Errc::in_use, "the site now belongs to another worker, which continues with it");
}

Result<void> BucketLeases::renew() {
  const std::vector<BucketPtr> all = held();
  if (all.empty()) return {};
  SqlArray numbers;
  for (const BucketPtr& bucket : all) numbers.add(bucket->b);
  const std::lock_guard rows_lock(rows_mutex_);
  const std::int64_t asked_at = now_milliseconds();
  SHEAF_TRY_ASSIGN(
      const auto rows,
      database_.query("UPDATE sheaf.bucket SET until = now() + $3::interval WHERE owner = $1 AND "
                      "b = ANY($2::int[]) RETURNING b, epoch",
                      {id_, numbers.param(), seconds(times_.valid)}));
  std::map<int, std::int64_t> ours;
  for (int i = 0; i < rows.size(); ++i) ours[static_cast<int>(rows.number(i, 0))] = rows.number(i, 1);
  for (const BucketPtr& bucket : all) {
    const auto found = ours.find(bucket->b);
    if (found != ours.end() && found->second == bucket->epoch) {
      bucket->renewed_at = asked_at;
      continue;
    }
    bucket->lost = true;
    const std::lock_guard lock(mutex_);
    const auto still = held_.find(bucket->b);
    if (still == held_.end() || still->second != bucket) continue;
    held_.erase(still);
  }
  return {};
}

Result<void> BucketLeases::write_worker() {
  WorkerLoad load;
  std::int64_t buckets = 0;
  bool fleet = false;
  {
    const std::lock_guard lock(mutex_);
    load = load_;
    buckets = static_cast<std::int64_t>(held_.size());
    fleet = fleet_;
  }
  SHEAF_TRY(database_.query(
      "INSERT INTO sheaf.worker (id, host, version, started, seen, buckets, sites, due, late, failing, "
      "running, fleet) VALUES ($1, $2, $3, now(), now(), $4, $5, $6, $7, $8, $9, $10::boolean) "
      "ON CONFLICT (id) DO UPDATE SET seen = now(), buckets = excluded.buckets, sites = excluded.sites, "
      "due = excluded.due, late = excluded.late, failing = excluded.failing, running = excluded.running, "
      "fleet = excluded.fleet",
      {id_, host_, version_, buckets, load.sites, load.due, load.late, load.failing, load.running,
       fleet ? "true" : "false"}));
  return {};
}

void BucketLeases::join_fleet() {
  {
    const std::lock_guard lock(mutex_);
    fleet_ = true;
  }
  start_thread();
}

void BucketLeases::run() {
  auto next_renewal = Clock::now();
  while (true) {
    bool fleet = false;
    {
      std::unique_lock lock(mutex_);
      woken_.wait_for(lock, std::min(kBetweenClaims, times_.renew()), [this] { return stopped_; });
      if (stopped_) return;
      fleet = fleet_;
    }
    // Failures are ignored: everything is tried again, and leases that cannot be renewed expire.
    if (Clock::now() >= next_renewal) {
      next_renewal = Clock::now() + times_.renew();
      (void)renew();
      (void)write_worker();
      if (fleet) (void)balance();
    } else if (fleet && held().size() < static_cast<std::size_t>(buckets_)) {
      (void)balance();
    }
  }
}

Result<void> BucketLeases::balance() {
  SHEAF_TRY_ASSIGN(const auto rows,
                   database_.query("SELECT count(*) FROM sheaf.worker WHERE fleet AND seen > now() - "
                                   "$1::interval AND id <> $2",
                                   {seconds(times_.valid), id_}));
  const std::int64_t workers = rows.number(0, 0) + 1;
  const auto share = static_cast<std::size_t>((buckets_ + workers - 1) / workers);
  const std::size_t count = held().size();
  if (count > share) return release_idle(count - share);
  if (count < share) SHEAF_TRY(claim_more(share - count));
  const std::lock_guard lock(mutex_);
  has_share_ = !held_.empty();
  return {};
}

Result<void> BucketLeases::claim_more(std::size_t wanted) {
  SHEAF_TRY_ASSIGN(const auto free_rows,
                   database_.query("SELECT b FROM sheaf.bucket WHERE owner IS NULL OR until < now()"));
  std::vector<int> free_buckets;
  for (int i = 0; i < free_rows.size(); ++i) free_buckets.push_back(static_cast<int>(free_rows.number(i, 0)));
  // Workers that start at the same time would otherwise all claim the same buckets.
  std::shuffle(free_buckets.begin(), free_buckets.end(), std::minstd_rand(std::random_device{}()));
  free_buckets.resize(std::min(free_buckets.size(), wanted));
  for (std::size_t begin = 0; begin < free_buckets.size(); begin += kClaimsAtOnce) {
    std::vector<int> some(free_buckets.begin() + static_cast<std::ptrdiff_t>(begin),
                          free_buckets.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min(begin + kClaimsAtOnce, free_buckets.size())));
    std::ranges::sort(some);  // so that two workers lock rows in the same order
    SqlArray numbers;
    for (const int b : some) numbers.add(b);
    const std::lock_guard claims(claim_mutex_);
    const std::lock_guard rows_lock(rows_mutex_);
    const std::int64_t asked_at = now_milliseconds();
    SHEAF_TRY_ASSIGN(
        const auto rows,
        database_.query("UPDATE sheaf.bucket SET owner = $1, epoch = epoch + 1, until = now() + $3::interval "
                        "WHERE b = ANY($2::int[]) AND (owner IS NULL OR until < now()) RETURNING b, epoch",
                        {id_, numbers.param(), seconds(times_.valid)}));
    for (int i = 0; i < rows.size(); ++i)
      add(static_cast<int>(rows.number(i, 0)), rows.number(i, 1), asked_at);
  }
  return {};
}

Result<void> BucketLeases::release_idle(std::size_t count) {
  SqlArray numbers;
  std::size_t given = 0;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = held_.begin(); it != held_.end() && given < count;) {
      if (in_use_.contains(it->first)) {
        ++it;
        continue;
      }
      it->second->lost = true;
      numbers.add(it->first);
      it = held_.erase(it);
      ++given;
    }
  }
  if (given == 0) return {};
  const std::lock_guard rows_lock(rows_mutex_);
  SHEAF_TRY(
      database_.query("UPDATE sheaf.bucket SET owner = NULL, until = NULL WHERE owner = $1 AND b = "
                      "ANY($2::int[])",
                      {id_, numbers.param()}));
  return {};
}

std::map<int, std::int64_t> BucketLeases::owned() const {
  const std::lock_guard lock(mutex_);
  std::map<int, std::int64_t> epochs;
  for (const auto& [b, bucket] : held_) epochs.emplace(b, bucket->epoch);
  return epochs;
}

bool BucketLeases::has_share() const {
  const std::lock_guard lock(mutex_);
  return has_share_;
}

bool BucketLeases::owns(int b) const {
  const std::lock_guard lock(mutex_);
  return held_.contains(b);
}

void BucketLeases::set_load(const WorkerLoad& load) {
  const std::lock_guard lock(mutex_);
  load_ = load;
}

bool BucketLeases::enter(int b) {
  const std::lock_guard lock(mutex_);
  if (!held_.contains(b)) return false;
  ++in_use_[b];
  return true;
}

void BucketLeases::leave(int b) {
  const std::lock_guard lock(mutex_);
  const auto found = in_use_.find(b);
  if (found != in_use_.end() && --found->second == 0) in_use_.erase(found);
}

}  // namespace sheaf::store::shared
