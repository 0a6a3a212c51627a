#include "sheaf/pull/fleet_roster.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::pull {
namespace {

base::Url url(std::string_view text) { return *base::Url::parse(text); }

FleetMember& add_listed(FleetRoster& roster) {
  const base::Url site = url("https://site" + std::to_string(roster.size()) + ".example/");
  FleetMember& member = roster[roster.find_or_add(site)];
  roster.list(member, site);
  member.due = 1000;
  return member;
}

TEST(FleetSummaries, EveryListedSiteCountsOnce) {
  FleetRoster roster;
  add_listed(roster).attempted = true;
  FleetMember& failed = add_listed(roster);
  failed.attempted = true;
  roster.set_failed(failed, true);
  add_listed(roster).unfinished = true;
  add_listed(roster).queued = true;  // due, but not reached
  roster.set_failed(add_listed(roster), true);
  roster.unlist(add_listed(roster));
  const FleetSummary summary = roster.summarize({1000, 0});
  EXPECT_EQ(summary.sites, 5U);
  EXPECT_EQ(summary.pulled, 1U);
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_EQ(summary.unfinished, 2U);
  EXPECT_EQ(summary.not_due, 1U);
  EXPECT_EQ(summary.still_failing, 1U);
  EXPECT_EQ(roster.summarize({999, 0}).unfinished, 1U) << "not due yet";
}

TEST(FleetRosters, ASiteKeepsItsNumberAndTheUrlOfTheList) {
  FleetRoster roster;
  bool is_new = false;
  const std::size_t number = roster.find_or_add(url("https://example.com/"), &is_new);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(roster.url_of(roster[number]).href(), "https://example.com/");
  EXPECT_EQ(roster.find_or_add(url("https://example.com/a/sitemap.xml"), &is_new), number);
  EXPECT_FALSE(is_new);
  roster.list(roster[number], url("https://example.com/a/sitemap.xml"));
  EXPECT_EQ(roster.url_of(roster[number]).href(), "https://example.com/a/sitemap.xml");
  roster.list(roster[number], url("https://example.com/"));
  EXPECT_EQ(roster.url_of(roster[number]).href(), "https://example.com/");
  EXPECT_NE(roster.find_or_add(url("http://example.com/")), number) << "another origin";
  EXPECT_EQ(roster.number_of(roster[number]), number);
}

TEST(FleetRosters, EachOfManySitesIsFoundAgain) {
  FleetRoster roster;
  const auto site = [](std::size_t i) {
    return url("https://" + std::string(i % 50, 'a') + std::to_string(i) + ".example/");
  };
  for (std::size_t i = 0; i < 20'000; ++i) EXPECT_EQ(roster.find_or_add(site(i)), i);
  for (std::size_t i = 0; i < 20'000; i += 7) {
    EXPECT_EQ(roster.find_or_add(site(i)), i);
    EXPECT_EQ(roster.url_of(roster[i]).href(), site(i).href());
  }
  EXPECT_EQ(roster.size(), 20'000U);
}

TEST(FleetRosters, MembersThatAreForgottenMakeRoomForOthers) {
  FleetRoster roster;
  const auto site = [](std::size_t i) {
    return url("https://" + std::string(i % 50, 'b') + std::to_string(i) + ".example/" +
               (i % 9 == 0 ? "s.xml" : ""));
  };
  const auto fill = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) roster.list(roster[roster.find_or_add(site(i))], site(i));
  };
  fill(0, 1000);
  // A window that moves over many sites.
  for (std::size_t begin = 0; begin < 50'000; begin += 100) {
    for (std::size_t i = begin; i < begin + 100; ++i) roster.forget(roster.find_or_add(site(i)));
    fill(begin + 1000, begin + 1100);
    ASSERT_EQ(roster.count(), 1000U);
  }
  EXPECT_LE(roster.size(), 1000U) << "numbers are used again";
  EXPECT_EQ(roster.listed(), 1000U);
  for (std::size_t i = 50'000; i < 51'000; ++i) {
    bool is_new = true;
    const std::size_t number = roster.find_or_add(site(i), &is_new);
    EXPECT_FALSE(is_new) << i;
    EXPECT_EQ(roster.url_of(roster[number]).href(), site(i).href());
    EXPECT_EQ(roster.number_of(roster[number]), number);
  }
}

TEST(FleetRosters, CountsFollowTheList) {
  FleetRoster roster;
  FleetMember& a = add_listed(roster);
  FleetMember& b = add_listed(roster);
  roster.set_failed(a, true);
  roster.set_failed(a, true);
  EXPECT_EQ(roster.listed(), 2U);
  EXPECT_EQ(roster.failing(), 1U);
  roster.unlist(a);
  roster.unlist(a);
  EXPECT_EQ(roster.listed(), 1U);
  EXPECT_EQ(roster.failing(), 0U);
  roster.list(a, roster.url_of(a));
  roster.set_failed(b, true);
  EXPECT_EQ(roster.failing(), 2U);
  roster.set_failed(a, false);
  EXPECT_EQ(roster.failing(), 1U);
}

}  // namespace
}  // namespace sheaf::pull
