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

FleetMember make_member(void (*change)(FleetMember&)) {
  FleetMember made{.url = *base::Url::parse("https://example.com/")};
  made.schedule.next = {1000, 0};
  change(made);
  return made;
}

TEST(FleetSummaries, EveryListedSiteCountsOnce) {
  std::deque<FleetMember> members;
  members.push_back(make_member([](FleetMember& each) { each.attempted = true; }));
  members.push_back(make_member([](FleetMember& each) { each.attempted = each.failed = true; }));
  members.push_back(make_member([](FleetMember& each) { each.unfinished = true; }));
  members.push_back(make_member([](FleetMember& each) { each.queued = true; }));  // due, but not reached
  members.push_back(make_member([](FleetMember& each) { each.failed = true; }));
  members.push_back(make_member([](FleetMember& each) { each.listed = false; }));
  const FleetSummary summary = summarize(members, {1000, 0});
  EXPECT_EQ(summary.sites, 5U);
  EXPECT_EQ(summary.pulled, 1U);
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_EQ(summary.unfinished, 2U);
  EXPECT_EQ(summary.not_due, 1U);
  EXPECT_EQ(summary.still_failing, 1U);
  EXPECT_EQ(summarize(members, {999, 0}).unfinished, 1U) << "not due yet";
}

}  // namespace
}  // namespace sheaf::pull
