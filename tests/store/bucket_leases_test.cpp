#include "sheaf/store/shared/bucket_leases.h"

#include "shared_fixture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

// Which process owns which bucket of a shared store.
namespace sheaf::store {
namespace {

class SharedLeases : public SharedStoreTest {
 protected:
  /// Waits for a background thread. Returns false if the condition does not hold after a minute.
  template <class Condition>
  static bool wait_until(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }
};

// A commit of notes holds the mutex and updates rows of several buckets in any order. Another statement that
// updates several of these rows at the same time would deadlock with it.
TEST_F(SharedLeases, ReleasingBucketsWaitsForACommitOfNotes) {
  // While a bucket belongs to another worker, the shares are compared several times per second.
  execute("UPDATE sheaf.bucket SET owner = 'another', until = now() + interval '1 hour' WHERE b = 7");
  shared::BucketLeases leases(*database_, 8, {std::chrono::minutes(1)}, "test");
  leases.join_fleet();
  ASSERT_TRUE(wait_until([&] { return leases.owned().size() == 7; }));

  const auto commit = database_->take();
  ASSERT_TRUE(commit) << commit.error().message;
  std::unique_lock rows(leases.rows_mutex());
  ASSERT_TRUE((*commit)->begin(shared::PgConnection::Isolation::read_committed));
  ASSERT_TRUE((*commit)->query("UPDATE sheaf.bucket SET run = run WHERE b = 2"));
  execute(
      "INSERT INTO sheaf.worker (id, host, version, started, seen, fleet) VALUES ('another', 'host', '0', "
      "now(), now() + interval '1 hour', true)");
  ASSERT_TRUE(wait_until([&] { return leases.owned().size() == 4; }));
  // Ample time for the statement that releases the buckets 0, 1 and 2.
  std::int64_t waiting = 0;
  for (int i = 0; i < 200 && waiting == 0; ++i)
    waiting = number("SELECT count(*) FROM pg_locks WHERE NOT granted");
  EXPECT_EQ(waiting, 0) << "a statement waits for a row that the commit has locked";
  const auto rest = (*commit)->query("UPDATE sheaf.bucket SET run = run WHERE b IN (0, 1)");
  EXPECT_TRUE(rest) << rest.error().message;
  EXPECT_TRUE((*commit)->commit());
  rows.unlock();
  EXPECT_TRUE(
      wait_until([&] { return number("SELECT count(*) FROM sheaf.bucket WHERE owner IS NULL") == 3; }));
}

}  // namespace
}  // namespace sheaf::store
