#include "sheaf/format/deltas/delta_rules.h"

#include <gtest/gtest.h>

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::format {
namespace {

using model::CollectionType;

constexpr Instant at(std::int64_t seconds) { return {seconds, 0}; }

// Readings, "Applying collections to a store". Each table quotes its rule.

const SectionTimes kAt50{at(50), at(40)};
const SectionTimes kNoSnapshotAt50{at(50), std::nullopt};

OfferedCollection delta(std::int64_t since, std::int64_t generated) {
  return {CollectionType::delta, at(generated), at(since)};
}
OfferedCollection snapshot(std::int64_t generated) {
  return {CollectionType::snapshot, at(generated), std::nullopt};
}

struct AdmissionCase {
  std::string name;
  std::optional<SectionTimes> section;
  OfferedCollection collection;
  ApplyIntent intent;
  std::expected<ApplyMode, NotApplied> expected;
};

void check(const std::vector<AdmissionCase>& cases) {
  for (const AdmissionCase& one : cases)
    EXPECT_TRUE(admit(one.section, one.collection, one.intent) == one.expected) << one.name;
}

constexpr auto kUpdate = ApplyIntent::update;
constexpr auto kResynchronise = ApplyIntent::resynchronise;
const std::unexpected kOlder(NotApplied::older);
const std::unexpected kGap(NotApplied::gap);

// "a delta whose since is later than the generated of what was last applied has a gap before it. It is not
// applied"
TEST(SpecDeltaRules, ADeltaFollowsTheStateItBeginsWith) {
  check({
      {"nothing applied yet", std::nullopt, delta(10, 60), kUpdate, kGap},
      {"since is the section's time", kAt50, delta(50, 60), kUpdate, ApplyMode::delta},
      {"since is earlier", kAt50, delta(10, 60), kUpdate, ApplyMode::delta},
      {"since is later", kAt50, delta(51, 60), kUpdate, kGap},
      {"no since", kAt50, {CollectionType::delta, at(60), std::nullopt}, kUpdate, kGap},
      {"the same delta again", kAt50, delta(40, 50), kUpdate, kOlder},
      {"an older delta", kAt50, delta(30, 45), kUpdate, kOlder},
      {"a gap, resynchronising", kAt50, delta(51, 60), kResynchronise, kGap},
      {"an older delta, resynchronising", kAt50, delta(30, 45), kResynchronise, ApplyMode::old_delta},
  });
}

// "A snapshot older than the last one applied is ignored." "A snapshot older than the section's state serves
// only to re-synchronise, and then only its pages that are not older than ours. Going back requires --reset."
TEST(SpecDeltaRules, ASnapshotIsAppliedUnlessANewerOneWas) {
  check({
      {"the first", std::nullopt, snapshot(10), kUpdate, ApplyMode::replacement},
      {"newer", kAt50, snapshot(60), kUpdate, ApplyMode::snapshot},
      {"between the last snapshot and the newest delta", kAt50, snapshot(45), kUpdate,
       ApplyMode::old_snapshot},
      {"the same again", kAt50, snapshot(40), kUpdate, kOlder},
      {"older", kAt50, snapshot(30), kUpdate, kOlder},
      {"any, where only deltas were applied", kNoSnapshotAt50, snapshot(1), kUpdate, ApplyMode::old_snapshot},
      {"older, resynchronising", kAt50, snapshot(30), kResynchronise, ApplyMode::snapshot},
      {"of the section's time, resynchronising", kAt50, snapshot(50), kResynchronise, ApplyMode::replacement},
      {"newer, resynchronising", kAt50, snapshot(60), kResynchronise, ApplyMode::replacement},
      {"older, reset", kAt50, snapshot(30), ApplyIntent::reset, ApplyMode::replacement},
  });
}

TEST(SpecDeltaRules, ASectionNeverGoesBackUnlessItIsReplaced) {
  EXPECT_EQ(advance(std::nullopt, snapshot(10), ApplyMode::replacement), (SectionTimes{at(10), at(10)}));
  EXPECT_EQ(advance(kAt50, delta(50, 60), ApplyMode::delta), (SectionTimes{at(60), at(40)}));
  EXPECT_EQ(advance(kAt50, delta(30, 45), ApplyMode::old_delta), kAt50);
  EXPECT_EQ(advance(kAt50, snapshot(60), ApplyMode::snapshot), (SectionTimes{at(60), at(60)}));
  EXPECT_EQ(advance(kAt50, snapshot(45), ApplyMode::snapshot), (SectionTimes{at(50), at(45)}));
  EXPECT_EQ(advance(kAt50, snapshot(30), ApplyMode::snapshot), kAt50);
  EXPECT_EQ(advance(kAt50, snapshot(30), ApplyMode::replacement), (SectionTimes{at(30), at(30)}));
}

struct FateCase {
  std::string name;
  ApplyMode mode;
  std::optional<StoredVersion> stored;
  OfferedVersion offered;
  UrlOutcome fate;
};

void check(const std::vector<FateCase>& cases) {
  for (const FateCase& one : cases)
    EXPECT_EQ(url_outcome(one.mode, at(100), one.stored, one.offered), one.fate) << one.name;
}

const StoredVersion kEarly{at(10), at(90)};  // learnt before the collection at 100
const StoredVersion kNow{at(10), at(100)};
const StoredVersion kLate{at(10), at(101)};
const OfferedVersion kNewer{.modified = at(11)};
const OfferedVersion kSame{.modified = at(10)};
const OfferedVersion kOlderPage{.modified = at(9)};
const OfferedVersion kLacking{};
const OfferedVersion kRemoved{.removed = true};
const OfferedVersion kRemovedAndBack{.removed = true, .modified = at(5)};

// "A delta page replaces the stored one only if its modified is later (equal: ignored); unknown URLs are
// inserted." "A snapshot page replaces an older stored one by the same rule as a delta page."
TEST(SpecDeltaRules, OnlyALaterVersionReplaces) {
  check({
      {"unknown to a delta", ApplyMode::delta, std::nullopt, kNewer, UrlOutcome::inserted},
      {"unknown to a snapshot", ApplyMode::snapshot, std::nullopt, kNewer, UrlOutcome::inserted},
      {"unknown to a replacement", ApplyMode::replacement, std::nullopt, kNewer, UrlOutcome::inserted},
      {"unknown to an old delta", ApplyMode::old_delta, std::nullopt, kNewer, UrlOutcome::inserted},
      {"newer in a delta", ApplyMode::delta, kEarly, kNewer, UrlOutcome::replaced},
      {"equal in a delta", ApplyMode::delta, kEarly, kSame, UrlOutcome::stays},
      {"older in a delta", ApplyMode::delta, kEarly, kOlderPage, UrlOutcome::stays},
      {"newer in a snapshot", ApplyMode::snapshot, kEarly, kNewer, UrlOutcome::replaced},
      {"equal in a snapshot", ApplyMode::snapshot, kEarly, kSame, UrlOutcome::stays},
      {"older in a snapshot", ApplyMode::snapshot, kLate, kOlderPage, UrlOutcome::stays},
      {"newer in an old delta", ApplyMode::old_delta, kLate, kNewer, UrlOutcome::replaced},
      {"older in an old delta", ApplyMode::old_delta, kEarly, kOlderPage, UrlOutcome::stays},
      {"older in a replacement", ApplyMode::replacement, kLate, kOlderPage, UrlOutcome::replaced},
  });
}

// "the URLs that were unpublished since `since`"; "a removed page that comes back later with a newer
// `modified` is inserted again". Only a delta has them.
TEST(SpecDeltaRules, RemovedPages) {
  check({
      {"by a delta", ApplyMode::delta, kEarly, kRemoved, UrlOutcome::removed},
      {"not stored", ApplyMode::delta, std::nullopt, kRemoved, UrlOutcome::absent},
      {"and back in one delta", ApplyMode::delta, kEarly, kRemovedAndBack, UrlOutcome::replaced},
      {"and back, not stored", ApplyMode::delta, std::nullopt, kRemovedAndBack, UrlOutcome::inserted},
      {"listed by a snapshot",
       ApplyMode::snapshot,
       kEarly,
       {.removed = true, .modified = at(10)},
       UrlOutcome::stays},
      {"by an old delta", ApplyMode::old_delta, kEarly, kRemoved, UrlOutcome::removed},
      {"by an old delta, learnt later", ApplyMode::old_delta, kLate, kRemoved, UrlOutcome::stays},
      {"and back in an old delta, learnt later", ApplyMode::old_delta, kLate, kRemovedAndBack,
       UrlOutcome::stays},
  });
}

// "A listed page that cannot be read was not deleted: its stored version stays"
TEST(SpecDeltaRules, UnreadablePagesStay) {
  const OfferedVersion kUnreadable{.unreadable = true};
  check({
      {"in a delta", ApplyMode::delta, kEarly, kUnreadable, UrlOutcome::stays},
      {"in a snapshot", ApplyMode::snapshot, kEarly, kUnreadable, UrlOutcome::stays},
      {"in a replacement", ApplyMode::replacement, kEarly, kUnreadable, UrlOutcome::stays},
      {"not stored", ApplyMode::snapshot, std::nullopt, kUnreadable, UrlOutcome::absent},
      {"and readable on another line",
       ApplyMode::snapshot,
       kEarly,
       {.unreadable = true, .modified = at(11)},
       UrlOutcome::replaced},
  });
}

// "a stored page that the snapshot lacks is deleted if the store learnt it from a collection generated at or
// before the snapshot's `generated`; one learnt from a later delta stays"
TEST(SpecDeltaRules, PagesThatASnapshotLacks) {
  check({
      {"learnt before", ApplyMode::snapshot, kEarly, kLacking, UrlOutcome::removed},
      {"learnt at its time", ApplyMode::snapshot, kNow, kLacking, UrlOutcome::removed},
      {"learnt later", ApplyMode::snapshot, kLate, kLacking, UrlOutcome::stays},
      {"a replacement", ApplyMode::replacement, kLate, kLacking, UrlOutcome::removed},
      {"older than the section, learnt before", ApplyMode::old_snapshot, kEarly, kLacking,
       UrlOutcome::removed},
      {"older than the section, learnt later", ApplyMode::old_snapshot, kLate, kLacking, UrlOutcome::stays},
  });
}

// A snapshot that is older than the section does not say what a later delta removed.
TEST(SpecDeltaRules, ASnapshotOlderThanTheSectionBringsNoPageBack) {
  check({
      {"unknown", ApplyMode::old_snapshot, std::nullopt, kNewer, UrlOutcome::absent},
      {"newer", ApplyMode::old_snapshot, kEarly, kNewer, UrlOutcome::replaced},
      {"equal", ApplyMode::old_snapshot, kEarly, kSame, UrlOutcome::stays},
      {"unknown, resynchronising", ApplyMode::snapshot, std::nullopt, kNewer, UrlOutcome::inserted},
  });
}

struct OfferRecord {
  int line;  // 0: an entry of `removed`
  std::int64_t time = 0;

  [[nodiscard]] Instant modified() const { return at(time); }
  [[nodiscard]] bool is_removal() const { return line == 0; }
  [[nodiscard]] static bool is_unreadable() { return false; }
};

// "within one collection the newest modified wins, the later line on a tie"
TEST(SpecDeltaRules, DuplicatesWithinACollection) {
  UrlOffer<OfferRecord> offer;
  EXPECT_TRUE(offer.empty());
  EXPECT_FALSE(offer.add({0}));
  EXPECT_FALSE(offer.empty());
  EXPECT_TRUE(offer.version().removed);
  EXPECT_FALSE(offer.version().modified);
  EXPECT_FALSE(offer.add({1, 10})) << "the first is not a duplicate";
  EXPECT_EQ(offer.add({2, 9})->line, 2) << "older";
  EXPECT_EQ(offer.add({3, 10})->line, 1) << "equal, and later in the file";
  EXPECT_EQ(offer.add({4, 11})->line, 3) << "newer";
  EXPECT_EQ(offer.page()->line, 4);
  EXPECT_EQ(offer.version().modified, at(11));
}

// A delta has the pages that a client would take from it. What differs and would not be taken is stale.
TEST(SheafOnlyDeltaRules, WhatBecameOfAUrlBetweenSnapshots) {
  const SnapshotVersion older{at(10), 77};
  const auto newer = [](std::int64_t modified, std::uint64_t fingerprint) {
    return SnapshotVersion{at(modified), fingerprint};
  };
  EXPECT_EQ(classify(std::nullopt, older), DiffKind::added);
  EXPECT_EQ(classify(older, std::nullopt), DiffKind::removed);
  EXPECT_EQ(classify(older, newer(11, 77)), DiffKind::changed);
  EXPECT_EQ(classify(older, newer(11, 78)), DiffKind::changed);
  EXPECT_EQ(classify(older, newer(10, 77)), DiffKind::unchanged);
  EXPECT_EQ(classify(older, newer(10, 78)), DiffKind::stale);
  EXPECT_EQ(classify(older, newer(9, 77)), DiffKind::stale);
}

TEST(SheafOnlyDeltaRules, AModifiedInTheFutureCountsAsTheTimeOfItsCollection) {
  const Instant generated = at(1'000'000);
  EXPECT_EQ(bounded_modified(at(900'000), generated), at(900'000));
  EXPECT_EQ(bounded_modified(at(1'000'000 + kFutureSeconds), generated), at(1'000'000 + kFutureSeconds));
  EXPECT_EQ(bounded_modified(at(1'000'001 + kFutureSeconds), generated), generated);
}

TEST(SheafOnlyDeltaRules, TheShrinkGuardCountsFromTheLastSettledState) {
  const ShrinkGuard settled{100, 0};
  EXPECT_FALSE(is_held_back(settled, 100, 50));
  EXPECT_TRUE(is_held_back(settled, 100, 51));
  EXPECT_TRUE(is_held_back({100, 40}, 60, 11)) << "less than half of 60, but 51 of 100";
  EXPECT_FALSE(is_held_back({100, 60}, 40, 0)) << "what removes nothing is never held back";
  EXPECT_TRUE(is_held_back({4, 0}, 4, 4));
  EXPECT_FALSE(is_held_back({4, 0}, 4, 3));
  EXPECT_EQ(settle({100, 40}, 60, true), (ShrinkGuard{60, 0}));
  EXPECT_EQ(settle({100, 40}, 60, false), (ShrinkGuard{100, 40})) << "nothing proves the loss";
  EXPECT_EQ(settle({100, 40}, 95, false), (ShrinkGuard{100, 5})) << "35 came";
  EXPECT_EQ(settle({100, 40}, 160, false), (ShrinkGuard{160, 0}));
}

}  // namespace
}  // namespace sheaf::format
