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
}

}  // namespace
}  // namespace sheaf::pull
