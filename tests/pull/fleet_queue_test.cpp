#include "sheaf/pull/fleet_queue.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

bool accept_any(std::size_t /*site*/) { return true; }

TEST(FleetQueueOrder, SitesComeByDueTimeThenByInsertion) {
  FleetQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_due(), 0);
  queue.insert(7, 200);
  queue.insert(3, 100);
  queue.insert(1, 100);
  EXPECT_EQ(queue.next_due(), 100);
  EXPECT_EQ(queue.first_due(150, accept_any), 3U);
  queue.remove(3);
  EXPECT_EQ(queue.first_due(150, accept_any), 1U);
  queue.remove(1);
  EXPECT_EQ(queue.first_due(150, accept_any), std::nullopt) << "7 is due later";
  EXPECT_EQ(queue.first_due(200, accept_any), 7U);
}

TEST(FleetQueueOrder, OnlyAcceptedSites) {
  FleetQueue queue;
  for (std::size_t site = 0; site < 5; ++site) queue.insert(site, 10);
  EXPECT_EQ(queue.first_due(10, [](std::size_t site) { return site > 2; }), 3U);
  EXPECT_EQ(queue.first_due(10, [](std::size_t) { return false; }), std::nullopt);
}

TEST(FleetQueueOrder, ASiteIsQueuedOnce) {
  FleetQueue queue;
  queue.insert(1, 100);
  queue.insert(1, 300);
  EXPECT_EQ(queue.next_due(), 300);
  queue.remove(1);
  queue.remove(1);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_due(), 0);
}

TEST(FleetQueueOrder, ASiteThatIsDueEarlierThanOthersComesFirst) {
  FleetQueue queue;
  queue.insert(1, 100);
  queue.insert(2, 110);
  EXPECT_EQ(queue.count_due(200), 2U);
  queue.insert(3, 105);
  EXPECT_EQ(queue.count_due(200), 3U);
  EXPECT_EQ(queue.count_due(105), 2U) << "a clock may be set back";
  queue.remove(1);
  EXPECT_EQ(queue.first_due(200, accept_any), 3U);
}

TEST(FleetQueueOrder, RemovedTurnsDoNotPileUp) {
  FleetQueue queue;
  queue.insert(0, 1);  // waits at the front all the time
  for (std::size_t round = 0; round < 1'000; ++round) {
    for (std::size_t site = 1; site < 20; ++site) queue.insert(site, static_cast<std::int64_t>(round));
    for (std::size_t site = 1; site < 20; ++site) {
      const auto next = queue.first_due(10'000, [](std::size_t each) { return each != 0; });
      ASSERT_EQ(next, site);
      queue.remove(*next);
    }
  }
  EXPECT_EQ(queue.first_due(10'000, accept_any), 0U);
  EXPECT_LT(queue.turns(), 2'000U);
}

}  // namespace
}  // namespace sheaf::pull
