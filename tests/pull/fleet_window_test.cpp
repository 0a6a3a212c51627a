#include "sheaf/pull/fleet_window.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using store::WorkShare;

WorkShare::Parts parts(std::vector<WorkShare::Part> owned, std::string list = "1") {
  return {std::move(owned), std::move(list)};
}

TEST(FleetWindows, EachPartHasItsShareOfTheMemory) {
  FleetWindow window(100);
  window.follow(parts({{1, 1}}));
  EXPECT_EQ(window.per_part(), 100U);
  window.follow(parts({{1, 1}, {2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(window.per_part(), 25U);
  std::vector<WorkShare::Part> many;
  for (int i = 0; i < 1000; ++i) many.push_back({i, 1});
  window.follow(parts(many));
  EXPECT_EQ(window.per_part(), 4U) << "at least a few of each";
}

TEST(FleetWindows, APartIsReadWhenItIsNewOrTheListChanges) {
  FleetWindow window(100);
  window.follow(parts({{1, 1}, {2, 1}}));
  EXPECT_EQ(window.to_read(0, {}).fresh, (std::vector{1, 2}));
  EXPECT_FALSE(window.is_complete());
  window.set_read(1, {});
  window.set_read(2, {});
  EXPECT_TRUE(window.to_read(1'000'000, {}).parts.empty()) << "all of it is in memory";
  EXPECT_TRUE(window.is_complete());
  window.follow(parts({{1, 2}, {2, 1}}));
  EXPECT_EQ(window.to_read(0, {}).fresh, (std::vector{1})) << "it was another process's meanwhile";
  window.set_read(1, {});
  window.follow(parts({{1, 2}, {2, 1}}, "2"));
  EXPECT_EQ(window.to_read(0, {}).fresh, (std::vector{1, 2}));
  window.follow(parts({{2, 1}}, "2"));
  EXPECT_FALSE(window.has(1));
}

TEST(FleetWindows, APartIsReadAgainBeforeItRunsDry) {
  FleetWindow window(40);
  window.follow(parts({{1, 1}}));
  window.set_read(1, 1000);
  EXPECT_TRUE(window.to_read(0, {{1, 0}}).parts.empty()) << "nothing is due before the horizon";
  EXPECT_TRUE(window.to_read(2000, {{1, 20}}).parts.empty()) << "enough are waiting";
  EXPECT_EQ(window.to_read(2000, {{1, 10}}).parts, (std::vector{1}));
  EXPECT_EQ(window.to_read(980, {}).parts, (std::vector{1})) << "shortly before";
  EXPECT_TRUE(window.to_read(980, {}).fresh.empty());
  window.set_read(1, 5000);
  window.read_again(1);
  EXPECT_EQ(window.to_read(0, {{1, 40}}).parts, (std::vector{1}));
}

TEST(FleetWindows, SitesBeyondTheHorizonAreNotInMemory) {
  FleetWindow window(40);
  EXPECT_FALSE(window.covers(1, 0)) << "not ours";
  window.follow(parts({{1, 1}, {2, 1}}));
  EXPECT_FALSE(window.covers(1, 0)) << "not read yet";
  window.set_read(1, 1000);
  window.set_read(2, {});
  EXPECT_TRUE(window.covers(1, 999));
  EXPECT_FALSE(window.covers(1, 1000)) << "perhaps not all that are due at that time were read";
  EXPECT_TRUE(window.covers(2, 1'000'000));
  EXPECT_EQ(window.next_horizon(), 1000);
}

}  // namespace
}  // namespace sheaf::pull
