#include "sheaf/pull/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

constexpr std::int64_t kDay = 86'400;
const PlanRules kRules{.now = {100 * kDay, 0}};

base::Instant day(std::int64_t number) { return {number * kDay, 0}; }

AdvertisedCollection snapshot(std::int64_t at, std::uint64_t size, std::string_view ending = ".scp.zst") {
  AdvertisedCollection offer;
  offer.section = "blog";
  offer.url = fmt::format("https://example.com/s{}{}", at, ending);
  offer.generated = day(at);
  offer.size = size;
  return offer;
}

AdvertisedCollection delta(std::int64_t since, std::int64_t at, std::uint64_t size,
                           std::string_view ending = ".scp.zst") {
  AdvertisedCollection offer = snapshot(at, size);
  offer.type = CollectionType::delta;
  offer.url = fmt::format("https://example.com/d{}-{}{}", since, at, ending);
  offer.since = day(since);
  return offer;
}

/// "kind: file file", which is all that matters of a plan.
std::string describe(const SectionPlan& plan) {
  std::string text = fmt::format("{}:", to_string(plan.kind));
  for (const AdvertisedCollection& step : plan.steps)
    text += " " + step.url.substr(std::string_view("https://example.com/").size());
  return text;
}

struct Case {
  std::string name;
  std::optional<std::int64_t> held;
  std::vector<AdvertisedCollection> offers;
  std::string plan;
};

TEST(PullPlan, TakesTheCheapestChainThatClosesTheGap) {
  const std::vector<Case> cases = {
      {"nothing held takes the snapshot", {}, {snapshot(10, 1000)}, "snapshot: s10.scp.zst"},
      {"and the deltas after it",
       {},
       {delta(10, 11, 5), snapshot(10, 1000)},
       "snapshot: s10.scp.zst d10-11.scp.zst"},
      {"nothing held and only deltas", {}, {delta(10, 11, 5)}, "nothing:"},
      {"nothing offered", 10, {}, "nothing:"},
      {"up to date", 10, {snapshot(10, 1000), delta(9, 10, 5)}, "current:"},
      {"store newer than the offer", 12, {snapshot(10, 1000)}, "current:"},
      {"one delta", 10, {snapshot(10, 1000), delta(10, 11, 5)}, "deltas: d10-11.scp.zst"},
      {"a chain of deltas, whatever their order",
       10,
       {delta(11, 12, 5), delta(10, 11, 5), snapshot(9, 1000)},
       "deltas: d10-11.scp.zst d11-12.scp.zst"},
      {"a delta may reach back further than needed", 10, {delta(5, 12, 5)}, "deltas: d5-12.scp.zst"},
      {"one large step is cheaper than many",
       10,
       {delta(10, 11, 50), delta(11, 12, 50), delta(5, 12, 80)},
       "deltas: d5-12.scp.zst"},
      {"many small steps are cheaper than one",
       10,
       {delta(10, 11, 5), delta(11, 12, 5), delta(5, 12, 80)},
       "deltas: d10-11.scp.zst d11-12.scp.zst"},
      {"the snapshot is cheaper than the deltas",
       10,
       {delta(10, 11, 700), delta(11, 12, 700), snapshot(12, 1000)},
       "snapshot: s12.scp.zst"},
      {"an older snapshot with a delta is cheaper",
       1,
       {snapshot(10, 100), delta(10, 12, 5), snapshot(12, 1000)},
       "snapshot: s10.scp.zst d10-12.scp.zst"},
      {"a gap in the deltas needs the snapshot",
       8,
       {delta(9, 10, 5), delta(10, 11, 5), snapshot(10, 1000)},
       "snapshot: s10.scp.zst d10-11.scp.zst"},
      {"the newest state counts more than bytes",
       10,
       {delta(10, 11, 5), snapshot(12, 100'000)},
       "snapshot: s12.scp.zst"},
      {"what cannot be reached is no goal",
       10,
       {delta(10, 11, 5), delta(13, 14, 5)},
       "deltas: d10-11.scp.zst"},
      {"nothing can be reached", 10, {delta(12, 13, 5)}, "nothing:"},
      {"zstd before gzip, whatever the size",
       10,
       {delta(10, 11, 5, ".scp.gz"), delta(10, 11, 9)},
       "deltas: d10-11.scp.zst"},
      {"gzip where there is no zstd",
       {},
       {snapshot(10, 1000, ".scp.gz"), snapshot(10, 5000, ".scp")},
       "snapshot: s10.scp.gz"},
      {"same bytes, fewer files",
       10,
       {delta(10, 11, 5), delta(11, 12, 5), delta(10, 12, 10)},
       "deltas: d10-12.scp.zst"},
      {"a delta from the future is passed over", 10, {delta(10, 200, 5)}, "nothing:"},
      {"a delta that ends before it begins is passed over", 10, {delta(12, 11, 5)}, "nothing:"},
      {"sizes that would overflow",
       {},
       {snapshot(10, ~std::uint64_t{0}), delta(10, 11, ~std::uint64_t{0}), delta(11, 12, ~std::uint64_t{0})},
       "snapshot: s10.scp.zst d10-11.scp.zst d11-12.scp.zst"},
  };
  for (const Case& each : cases) {
    const auto held = each.held ? std::optional(Held{day(*each.held)}) : std::nullopt;
    EXPECT_EQ(describe(plan_section("blog", held, each.offers, kRules)), each.plan) << each.name;
  }
}

TEST(PullPlan, ACodecIsChosenByThePathNotByTheQuery) {
  AdvertisedCollection gzip = snapshot(10, 5, ".scp.gz?as=.zst");
  const auto plan = plan_section("blog", {}, std::vector{gzip, snapshot(10, 9)}, kRules);
  EXPECT_EQ(describe(plan), "snapshot: s10.scp.zst");
}

TEST(PullPlan, OnlyTheSectionsOwnOffersCount) {
  AdvertisedCollection other = snapshot(10, 5);
  other.section = "docs";
  EXPECT_EQ(describe(plan_section("blog", {}, std::vector{other}, kRules)), "nothing:");
}

TEST(PullPlan, WithoutTrustInTheStoreOnlyASnapshotWillDo) {
  PlanRules rules = kRules;
  rules.only_snapshots = true;
  const std::vector offers = {snapshot(10, 1000), delta(10, 11, 5)};
  EXPECT_EQ(describe(plan_section("blog", Held{day(10)}, offers, rules)),
            "snapshot: s10.scp.zst d10-11.scp.zst");
}

TEST(PullPlan, ASnapshotWithoutATimeIsTheLastResort) {
  AdvertisedCollection undated = snapshot(10, 5);
  undated.generated.reset();
  const auto plan = plan_section("blog", Held{day(10)}, std::vector{undated}, kRules);
  EXPECT_EQ(describe(plan), "snapshot: s10.scp.zst");
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_EQ(describe(plan_section("blog", Held{day(9)}, std::vector{undated, delta(9, 11, 5)}, kRules)),
            "deltas: d9-11.scp.zst");
}

TEST(PullPlan, SaysWhatItPassedOverAndWhatHasExpired) {
  AdvertisedCollection old = snapshot(10, 5);
  old.expires = day(20);
  old.line = 7;
  AdvertisedCollection bad = delta(12, 11, 5);
  bad.line = 9;
  const auto plan = plan_section("blog", {}, std::vector{old, bad}, kRules);
  EXPECT_EQ(
      plan.notes,
      (std::vector<std::string>{
          "https://example.com/d12-11.scp.zst (line 9 of the sitemap) is a delta that ends before it begins: "
          "passed over",
          "https://example.com/s10.scp.zst expired at 1970-01-21T00:00:00Z"}));
}

TEST(PullPlan, CountsTheBytesAsFarAsTheyAreKnown) {
  const auto known = plan_section("blog", {}, std::vector{snapshot(10, 1000), delta(10, 11, 5)}, kRules);
  EXPECT_EQ(known.bytes, 1005U);
  EXPECT_TRUE(known.bytes_known);
  AdvertisedCollection unknown = delta(10, 11, 5);
  unknown.size.reset();
  const auto plan = plan_section("blog", {}, std::vector{snapshot(10, 1000), unknown}, kRules);
  EXPECT_EQ(plan.bytes, 1000U);
  EXPECT_FALSE(plan.bytes_known);
}

TEST(PullPlan, ThousandsOfOffersArePlannedInNoTime) {
  std::vector<AdvertisedCollection> offers = {snapshot(0, 1)};
  for (int i = 0; i < 5000; ++i) {
    AdvertisedCollection each = delta(0, 1, 1);
    each.since = base::Instant{i, 0};
    each.generated = base::Instant{i + 1, 0};
    offers.push_back(each);
  }
  EXPECT_EQ(plan_section("blog", {}, offers, kRules).steps.size(), 5001U);
}

TEST(PullPlan, AllIsTakenWhereItIsOffered) {
  site::Advertised advertised;
  advertised.collections = {snapshot(1, 1), snapshot(1, 1)};
  advertised.collections[1].section = "all";
  EXPECT_EQ(choose_sections(advertised, {}), std::vector<std::string>{"all"});
  advertised.collections[1].section = "about";
  EXPECT_EQ(choose_sections(advertised, {}), (std::vector<std::string>{"about", "blog"}));
  const std::vector<std::string> wanted = {"shop"};
  EXPECT_EQ(choose_sections(advertised, wanted), wanted);
  EXPECT_TRUE(choose_sections({}, {}).empty());
}

}  // namespace
}  // namespace sheaf::pull
