#include "sheaf/store/shared/shared_database.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

// A connection costs the server more than most transactions. If this many are in use, a thread first waits
// for one to be returned, but not for long: a thread that has one may need a second.
constexpr std::size_t kDefaultConnections = 16;
constexpr std::chrono::milliseconds kWaitForConnection{200};
constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kMaxPause{1000};

}  // namespace

Result<SharedDatabase::Lease> SharedDatabase::take() {
  {
    std::unique_lock lock(mutex_);
    const auto has_one = [this] { return !idle_.empty() || taken_ < kDefaultConnections; };
    given_back_.wait_for(lock, kWaitForConnection, has_one);
    ++taken_;
    if (!idle_.empty()) {
      Lease lease(idle_.back().release(), GiveBack{this});
      idle_.pop_back();
      return lease;
    }
  }
  auto connection = PgConnection::open(url_);
  if (connection) return Lease(connection->release(), GiveBack{this});
  const std::lock_guard lock(mutex_);
  --taken_;
  given_back_.notify_one();
  return std::unexpected(std::move(connection).error());
}

void SharedDatabase::give_back(PgConnection* connection) {
  std::unique_ptr<PgConnection> owned(connection);
  owned->rollback();
  const std::lock_guard lock(mutex_);
  --taken_;
  if (owned->is_usable() && idle_.size() < kDefaultConnections) idle_.push_back(std::move(owned));
  given_back_.notify_one();
}

void SharedDatabase::forget_idle() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

Result<void> SharedDatabase::repeat(std::optional<PgConnection::Isolation> isolation, const Work& work) {
  const auto deadline = Clock::now() + patience_;
  std::chrono::milliseconds pause = kFirstPause;
  while (true) {
    auto lease = take();
    SqlFailure failure = SqlFailure::lost;
    std::optional<base::Error> error;
    if (lease) {
      PgConnection& connection = **lease;
      Result<void> done;
      if (isolation) done = connection.begin(*isolation);
      if (done) done = work(connection);
      if (done && isolation) done = connection.commit();
      if (done) return {};
      failure = connection.failure();
      error = std::move(done).error();
      connection.rollback();
    } else {
      error = std::move(lease).error();
      if (error->code != base::Errc::io) return std::unexpected(std::move(*error));
    }
    const bool may_succeed = failure == SqlFailure::lost || failure == SqlFailure::conflict;
    if (!may_succeed || Clock::now() > deadline) return std::unexpected(std::move(*error));
    // The other idle connections were most likely lost too.
    if (failure == SqlFailure::lost) forget_idle();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kMaxPause);
  }
}

Result<void> SharedDatabase::transact(const Work& work) {
  return repeat(PgConnection::Isolation::read_committed, work);
}

Result<void> SharedDatabase::read(const Work& work) {
  return repeat(PgConnection::Isolation::snapshot, work);
}

Result<PgRows> SharedDatabase::query(const std::string& sql, const SqlParams& params) {
  std::optional<PgRows> rows;
  SHEAF_TRY(repeat(std::nullopt, [&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY_ASSIGN(rows, connection.query(sql, params));
    return {};
  }));
  return std::move(*rows);
}

}  // namespace sheaf::store::shared
