#include "sheaf/pull/fleet_lanes.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using std::chrono::milliseconds;
using Verdict = FleetLanes::Verdict;

constexpr milliseconds kPatience{100};

TEST(FleetLanes, HalfAsManyPlacesForThoseThatTakeLongAndAtLeastOne) {
  EXPECT_EQ(FleetLanes(16, kPatience).places(), 24U);
  EXPECT_EQ(FleetLanes(1, kPatience).places(), 2U);
  EXPECT_EQ(FleetLanes(0, kPatience).places(), 2U);
}

TEST(FleetLanes, ASiteThatTakesLongMovesWhileThereIsRoom) {
  FleetLanes lanes(1, kPatience);
  lanes.enter(Lane::normal);
  EXPECT_FALSE(lanes.has_room(Lane::normal));
  EXPECT_EQ(lanes.judge(Lane::normal, {}, milliseconds(99), true), Verdict::go_on);
  EXPECT_EQ(lanes.judge(Lane::normal, {}, milliseconds(100), false), Verdict::move);
  EXPECT_TRUE(lanes.has_room(Lane::normal));
  EXPECT_FALSE(lanes.has_room(Lane::slow));
}

TEST(FleetLanes, WithoutRoomItYieldsIfOthersWaitAndOnlyThen) {
  FleetLanes lanes(1, kPatience);
  lanes.enter(Lane::normal);
  lanes.enter(Lane::slow);
  EXPECT_EQ(lanes.judge(Lane::normal, {}, milliseconds(1000), false), Verdict::go_on);
  EXPECT_EQ(lanes.judge(Lane::normal, {}, milliseconds(1000), true), Verdict::yield);
}

TEST(FleetLanes, SlowSitesTakeTurnsThatGrow) {
  FleetLanes lanes(1, kPatience);
  lanes.enter(Lane::slow);
  EXPECT_EQ(lanes.judge(Lane::slow, {.level = 1}, milliseconds(199), true), Verdict::go_on);
  EXPECT_EQ(lanes.judge(Lane::slow, {.level = 1}, milliseconds(200), true), Verdict::yield);
  EXPECT_EQ(lanes.judge(Lane::slow, {.level = 2}, milliseconds(200), true), Verdict::go_on);
  EXPECT_EQ(lanes.time_for({.level = 1000}), lanes.time_for({.level = 9})) << "but not without a bound";
}

}  // namespace
}  // namespace sheaf::pull
