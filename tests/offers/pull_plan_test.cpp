#include "sheaf/offers/pull_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace sheaf::offers {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

constexpr std::int64_t kDay = 86'400;
const PlanRules kRules{.now = {100 * kDay, 0}};

Instant day(std::int64_t number) { return {number * kDay, 0}; }

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

/// "kind: file file", the essential part of a plan.
std::string describe(const SectionPlan& plan) {
  std::string text = fmt::format("{}:", to_string(plan.kind));
  for (const AdvertisedCollection& step : plan.steps)
    text += " " + step.url.substr(std::string_view("https://example.com/").size());
  return text;
}

/// A section with a matching digest, so that no snapshot is due.
Held proven(std::int64_t at) { return {.generated = day(at), .snapshot_checked = {}, .proven = true}; }

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
      {"an unreachable collection is not a goal",
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
    const auto held = each.held ? std::optional(proven(*each.held)) : std::nullopt;
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
  EXPECT_EQ(describe(plan_section("blog", proven(10), offers, rules)),
            "snapshot: s10.scp.zst d10-11.scp.zst");
}

TEST(PullPlan, ASnapshotWithoutATimeIsTheLastResort) {
  AdvertisedCollection undated = snapshot(10, 5);
  undated.generated.reset();
  const auto plan = plan_section("blog", proven(10), std::vector{undated}, kRules);
  EXPECT_EQ(describe(plan), "snapshot: s10.scp.zst");
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_EQ(describe(plan_section("blog", proven(9), std::vector{undated, delta(9, 11, 5)}, kRules)),
            "deltas: d9-11.scp.zst");
}

TEST(PullPlan, ReportsSkippedAndExpiredCollections) {
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
          "skipped",
          "https://example.com/s10.scp.zst expired at 1970-01-21T00:00:00Z"}));
}

TEST(PullPlan, CountsTheKnownBytes) {
  const auto known = plan_section("blog", {}, std::vector{snapshot(10, 1000), delta(10, 11, 5)}, kRules);
  EXPECT_EQ(known.bytes, 1005U);
  EXPECT_TRUE(known.bytes_known);
  AdvertisedCollection unknown = delta(10, 11, 5);
  unknown.size.reset();
  const auto plan = plan_section("blog", {}, std::vector{snapshot(10, 1000), unknown}, kRules);
  EXPECT_EQ(plan.bytes, 1000U);
  EXPECT_FALSE(plan.bytes_known);
}

TEST(PullPlan, SentencesAboutFaultyEntriesAreFew) {
  std::vector<AdvertisedCollection> offers;
  for (int i = 0; i < 1000; ++i) offers.push_back(delta(12, 11, 5));
  const auto plan = plan_section("blog", {}, offers, kRules);
  EXPECT_EQ(plan.notes.size(), 11U);
  EXPECT_EQ(plan.notes.back(), "990 more collections of section blog were skipped for similar reasons");
}

TEST(PullPlan, SaysWhatTheNewestStateIs) {
  const std::vector offers = {snapshot(10, 5), delta(20, 30, 5), delta(10, 200, 5)};
  const auto plan = plan_section("blog", proven(10), offers, kRules);
  EXPECT_EQ(plan.newest, day(30)) << "also if nothing leads there";
  EXPECT_EQ(plan.future, day(200));
  EXPECT_EQ(plan_section("blog", proven(10), std::vector{snapshot(10, 5)}, kRules).future, std::nullopt);
}

// Only snapshots reveal deletions, unless the state digest proves that there are none.

/// The snapshot of day 90 was applied on that day; it is day 100.
Held followed_by_deltas(std::int64_t checked) {
  return {.generated = day(95), .snapshot = day(90), .snapshot_checked = day(checked), .proven = false};
}

TEST(PullPlan, WithoutProofASnapshotIsDueAfterSevenDays) {
  EXPECT_FALSE(is_snapshot_due(followed_by_deltas(94), kRules));
  EXPECT_TRUE(is_snapshot_due(followed_by_deltas(93), kRules));
  EXPECT_TRUE(is_snapshot_due(followed_by_deltas(101), kRules)) << "by a clock that was wrong";
  Held held = followed_by_deltas(93);
  held.proven = true;
  EXPECT_FALSE(is_snapshot_due(held, kRules));
  held = followed_by_deltas(93);
  held.snapshot_checked.reset();
  EXPECT_TRUE(is_snapshot_due(held, kRules));
  PlanRules rules = kRules;
  rules.snapshot_every = 30 * kDay;
  EXPECT_FALSE(is_snapshot_due(followed_by_deltas(93), rules));
}

TEST(PullPlan, ADueSnapshotComesFirstHoweverSmallTheDeltasAre) {
  struct Due {
    std::string name;
    std::int64_t checked;
    std::vector<AdvertisedCollection> offers;
    std::string plan;
  };
  const std::vector<Due> cases = {
      {"not due", 99, {snapshot(98, 1000), delta(95, 98, 5)}, "deltas: d95-98.scp.zst"},
      {"due", 90, {snapshot(98, 1000), delta(95, 98, 5)}, "snapshot: s98.scp.zst"},
      {"due, and deltas lead further",
       90,
       {snapshot(97, 1000), delta(95, 98, 5), delta(98, 99, 5)},
       "snapshot: s97.scp.zst d95-98.scp.zst d98-99.scp.zst"},
      {"one from before the last delta shows what was deleted until then",
       90,
       {snapshot(93, 1000), delta(94, 95, 5)},
       "snapshot: s93.scp.zst"},
      {"and the chain goes on from what is held",
       90,
       {snapshot(93, 1000), delta(95, 96, 5)},
       "snapshot: s93.scp.zst d95-96.scp.zst"},
      {"the one that was applied shows nothing new", 90, {snapshot(90, 1000), delta(94, 95, 5)}, "current:"},
      {"there is none", 90, {delta(95, 96, 5)}, "deltas: d95-96.scp.zst"},
  };
  for (const Due& each : cases)
    EXPECT_EQ(describe(plan_section("blog", followed_by_deltas(each.checked), each.offers, kRules)),
              each.plan)
        << each.name;
}

TEST(PullPlan, ADueSnapshotMayLackItsDate) {
  AdvertisedCollection undated = snapshot(10, 5);
  undated.generated.reset();
  const std::vector offers = {undated, delta(95, 96, 5)};
  EXPECT_EQ(describe(plan_section("blog", followed_by_deltas(90), offers, kRules)),
            "snapshot: s10.scp.zst d95-96.scp.zst");
  EXPECT_EQ(describe(plan_section("blog", followed_by_deltas(99), offers, kRules)), "deltas: d95-96.scp.zst");
}

// Sitemaps are untrusted: the work must not be quadratic in the number of entries. Comparisons are counted,
// since time depends on the machine.

constexpr int kMany = 100'000;
constexpr std::uint64_t kWorkAllowed = std::uint64_t{kMany} * 17 * 4;  // 4 n log2 n

std::vector<AdvertisedCollection> many_deltas(const std::function<int(int)>& since) {
  std::vector<AdvertisedCollection> offers = {snapshot(0, 1)};
  for (int i = 1; i <= kMany; ++i) {
    AdvertisedCollection each = delta(0, 1, static_cast<std::uint64_t>(i % 7));
    each.since = Instant{since(i), 0};
    each.generated = Instant{i, 0};
    offers.push_back(std::move(each));
  }
  return offers;
}

TEST(PullPlan, AChainOfAHundredThousandDeltas) {
  const auto plan = plan_section("blog", {}, many_deltas([](int i) { return i - 1; }), kRules);
  EXPECT_EQ(plan.steps.size(), kMany + 1U);
  EXPECT_LT(plan.work, kWorkAllowed);
}

TEST(PullPlan, AHundredThousandDeltasThatAllReachBackToTheStart) {
  const auto plan = plan_section("blog", {}, many_deltas([](int) { return 0; }), kRules);
  EXPECT_EQ(plan.steps.size(), 2U);
  EXPECT_LT(plan.work, kWorkAllowed);
}

TEST(PullPlan, AHundredThousandDeltasThatReachBackSomewhere) {
  const auto plan = plan_section(
      "blog", {}, many_deltas([](int i) { return static_cast<int>((std::int64_t{i} * 7919) % i); }), kRules);
  EXPECT_EQ(plan.kind, PlanKind::snapshot);
  EXPECT_LT(plan.work, kWorkAllowed);
}

/// The result of find_ways, computed in the slow and simple way.
std::uint64_t cheapest_bytes(const std::vector<AdvertisedCollection>& offers) {
  std::vector<std::uint64_t> best(offers.size(), ~std::uint64_t{0});
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (offers[i].type == CollectionType::snapshot) best[i] = *offers[i].size;
    for (std::size_t j = 0; j < i; ++j)
      if (offers[i].type == CollectionType::delta && best[j] != ~std::uint64_t{0} &&
          *offers[j].generated >= *offers[i].since && *offers[j].generated < *offers[i].generated)
        best[i] = std::min(best[i], best[j] + *offers[i].size);
  }
  return best.back();
}

TEST(PullPlan, IsTheCheapestOfAllChains) {
  std::minstd_rand random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<AdvertisedCollection> offers = {snapshot(0, 1 + random() % 50)};
    const auto count = static_cast<std::int64_t>(2 + random() % 12);
    for (std::int64_t i = 1; i < count; ++i)
      offers.push_back(random() % 5 == 0
                           ? snapshot(i, 1 + random() % 50)
                           : delta(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(i)), i,
                                   1 + random() % 20));
    EXPECT_EQ(plan_section("blog", {}, offers, kRules).bytes, cheapest_bytes(offers)) << round;
  }
}

TEST(PullPlan, ACopyFromTheFutureIsMisdatedOnceEverythingOnOfferIsOlder) {
  const Instant now = day(100);
  const std::vector<AdvertisedCollection> repaired{snapshot(99, 1), delta(99, 100, 1)};
  EXPECT_TRUE(is_misdated(proven(200), repaired, now));
  EXPECT_TRUE(is_misdated(proven(101), repaired, now));
  EXPECT_FALSE(is_misdated(proven(100), repaired, now)) << "that is now";
  EXPECT_FALSE(
      is_misdated({.generated = {now.seconds + kClockSeconds, 0}, .snapshot_checked = {}}, repaired, now))
      << "clocks differ a little";
  EXPECT_FALSE(is_misdated(proven(200), std::vector{snapshot(99, 1), snapshot(200, 1)}, now))
      << "still offered";
  EXPECT_FALSE(is_misdated(proven(200), std::vector{snapshot(99, 1), snapshot(150, 1)}, now))
      << "still in the future";
  EXPECT_FALSE(is_misdated(proven(200), std::vector{delta(99, 100, 1)}, now)) << "nothing to begin anew with";
  EXPECT_FALSE(is_misdated(proven(200), {}, now));
}

TEST(PullPlan, TenThousandSectionsAreGroupedOnce) {
  std::vector<AdvertisedCollection> offers;
  for (int i = 0; i < 10'000; ++i) {
    offers.push_back(snapshot(1, 1));
    offers.back().section = fmt::format("s{}", i);
  }
  const OffersBySection groups = group_by_section(offers);
  EXPECT_EQ(groups.size(), 10'000U);
  std::uint64_t work = 0;
  for (const auto& [section, offered] : groups) work += plan_section(section, {}, offered, kRules).work;
  EXPECT_LT(work, 10 * groups.size());
}

TEST(PullPlan, AllIsTakenWhereItIsOffered) {
  std::vector<AdvertisedCollection> offers = {snapshot(1, 1), snapshot(1, 1)};
  const site::Advertised advertised;
  const auto choose = [&](std::vector<std::string> wanted = {}, std::vector<std::string> stored = {}) {
    const OffersBySection by_section = group_by_section(offers);
    return choose_sections({advertised, by_section, wanted, stored});
  };
  offers[1].section = "all";
  EXPECT_EQ(choose(), std::vector<std::string>{"all"});
  EXPECT_EQ(choose({}, {"blog"}), (std::vector<std::string>{"all", "blog"})) << "the store has it";
  offers[1].section = "about";
  EXPECT_EQ(choose(), (std::vector<std::string>{"about", "blog"}));
  EXPECT_EQ(choose({"shop"}), std::vector<std::string>{"shop"});
  offers.clear();
  EXPECT_TRUE(choose().empty());
}

TEST(PullPlan, AllStandsForTheOthersOnlyWhereThatIsLikely) {
  std::vector<AdvertisedCollection> offers = {snapshot(2, 1), snapshot(3, 1), snapshot(4, 1)};
  offers[1].section = "all";
  offers[2].section = "news";
  const site::Advertised advertised;
  const auto choose = [&] {
    const OffersBySection by_section = group_by_section(offers);
    return choose_sections({advertised, by_section});
  };
  EXPECT_EQ(choose(), (std::vector<std::string>{"all", "news"})) << "news is newer than all";
  offers[2].generated = day(1);
  for (AdvertisedCollection& offer : offers) offer.pages = 10;
  EXPECT_EQ(choose().size(), 3U) << "all has fewer pages than the others together";
  offers[1].pages = 20;
  EXPECT_EQ(choose(), std::vector<std::string>{"all"});
}

TEST(PullPlan, SmallAndFrequentSectionsComeFirst) {
  std::vector<AdvertisedCollection> offers = {snapshot(1, 1), snapshot(1, 1), snapshot(1, 1)};
  offers[0].section = "archive";
  offers[1].section = "large";
  offers[1].pages = 1000;
  offers[2].section = "small";
  offers[2].pages = 10;
  site::Advertised advertised;
  for (const char* name : {"large", "small"})
    advertised.sections.push_back({.name = name, .update_freq = site::UpdateFreq::hourly, .pages = {}});
  const OffersBySection by_section = group_by_section(offers);
  EXPECT_EQ(choose_sections({advertised, by_section}),
            (std::vector<std::string>{"small", "large", "archive"}));
}

TEST(PullPlan, SaysWhenASectionIsOlderThanItsIntervalAllows) {
  PlanRules rules = kRules;
  const auto notes = [&] { return plan_section("blog", {}, std::vector{snapshot(1, 5)}, rules).notes; };
  EXPECT_TRUE(notes().empty());
  rules.update_seconds = 3600;
  ASSERT_EQ(notes().size(), 1U);
  EXPECT_TRUE(notes().front().contains("days ago")) << notes().front();
}

}  // namespace
}  // namespace sheaf::offers
