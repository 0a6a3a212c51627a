#include "sheaf/publish/publish_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

using model::CollectionType;

constexpr Instant kNow{1'800'000'000, 0};
constexpr std::int64_t kDay = 86'400;

Instant days_ago(std::int64_t days) { return {kNow.seconds - days * kDay, 0}; }

constexpr Fingerprint kOld{1};
constexpr Fingerprint kNew{2};

TEST(PublishPlan, NewPagesHaveTheSourcesTime) {
  EXPECT_EQ(judge_page(std::nullopt, kNew, days_ago(3), kNow).modified, days_ago(3));
  EXPECT_EQ(judge_page(std::nullopt, kNew, days_ago(3), kNow).change, PageChange::added);
  EXPECT_EQ(judge_page(std::nullopt, kNew, std::nullopt, kNow).modified, kNow);
  // A future time cannot be the time of a change.
  EXPECT_EQ(judge_page(std::nullopt, kNew, days_ago(-3), kNow).modified, kNow);
}

TEST(PublishPlan, UnchangedPagesKeepTheirTime) {
  const PageVerdict verdict = judge_page(KnownPage{kOld, days_ago(9), false}, kOld, days_ago(1), kNow);
  EXPECT_EQ(verdict.change, PageChange::none);
  EXPECT_EQ(verdict.modified, days_ago(9));
}

TEST(PublishPlan, ChangedPagesNeverGoBack) {
  const KnownPage known{kOld, days_ago(9), false};
  EXPECT_EQ(judge_page(known, kNew, days_ago(1), kNow).modified, days_ago(1));
  EXPECT_EQ(judge_page(known, kNew, days_ago(9), kNow).modified, kNow);
  EXPECT_EQ(judge_page(known, kNew, days_ago(20), kNow).modified, kNow);
  EXPECT_EQ(judge_page(known, kNew, std::nullopt, kNow).change, PageChange::changed);
  // The clock went back since.
  const KnownPage ahead{kOld, days_ago(-2), false};
  EXPECT_EQ(judge_page(ahead, kNew, std::nullopt, kNow).modified.seconds, days_ago(-2).seconds + 1);
}

TEST(PublishPlan, PagesThatComeBackAreLaterThanBefore) {
  const KnownPage gone{kOld, days_ago(2), true};
  const PageVerdict verdict = judge_page(gone, kOld, days_ago(2), kNow);
  EXPECT_EQ(verdict.change, PageChange::added);
  EXPECT_GT(verdict.modified, days_ago(2));
}

TEST(PublishPlan, OneClockForAUrlInSeveralSections) {
  const KnownPage there{kOld, days_ago(3), false};
  EXPECT_EQ(follow_clock(days_ago(9), std::nullopt, there, kOld, kNow), days_ago(3)) << "the same content";
  EXPECT_EQ(follow_clock(kNow, std::nullopt, there, kOld, kNow), days_ago(3));
  EXPECT_EQ(follow_clock(days_ago(9), std::nullopt, there, kNew, kNow), kNow) << "a later version";
  EXPECT_EQ(follow_clock(days_ago(1), std::nullopt, there, kNew, kNow), days_ago(1));
  EXPECT_EQ(follow_clock(days_ago(9), std::nullopt, {kOld, days_ago(-2), false}, kNew, kNow),
            (Instant{days_ago(-2).seconds + 1, 0}));
  EXPECT_EQ(follow_clock(days_ago(9), std::nullopt, {kOld, days_ago(3), true}, kOld, kNow), kNow)
      << "it was removed everywhere and comes back";
  // Back to the version that another section kept.
  EXPECT_EQ(follow_clock(kNow, KnownPage{kNew, days_ago(3), true}, there, kOld, kNow), days_ago(3));
  EXPECT_EQ(follow_clock(kNow, KnownPage{kNew, days_ago(2), false}, there, kOld, kNow), kNow);
}

TEST(PublishPlan, ATimeAMonthAheadIsWaitedFor) {
  EXPECT_FALSE(is_too_far_in_future(days_ago(1), kNow));
  EXPECT_FALSE(is_too_far_in_future(days_ago(-31), kNow));
  EXPECT_TRUE(is_too_far_in_future(days_ago(-32), kNow));
}

TEST(PublishPlan, GeneratedAlwaysIncreases) {
  EXPECT_EQ(next_generated(std::nullopt, {100, 5}), (Instant{100, 0}));
  EXPECT_EQ(next_generated(Instant{99, 0}, {100, 5}), (Instant{100, 0}));
  EXPECT_EQ(next_generated(Instant{100, 0}, {100, 5}), (Instant{101, 0}));
  EXPECT_EQ(next_generated(Instant{500, 0}, {100, 5}), (Instant{501, 0}));
}

TEST(PublishPlan, SnapshotsBySchedule) {
  using site::UpdateFreq;
  EXPECT_TRUE(is_snapshot_due(std::nullopt, UpdateFreq::monthly, kNow));
  EXPECT_FALSE(is_snapshot_due(days_ago(0), UpdateFreq::daily, kNow));
  EXPECT_TRUE(is_snapshot_due(days_ago(1), UpdateFreq::daily, kNow));
  // A job that starts a little early each day.
  EXPECT_TRUE(is_snapshot_due(Instant{kNow.seconds - kDay + 60, 0}, UpdateFreq::daily, kNow));
  EXPECT_FALSE(is_snapshot_due(days_ago(6), UpdateFreq::weekly, kNow));
  EXPECT_TRUE(is_snapshot_due(days_ago(7), UpdateFreq::weekly, kNow));
  // Made by a clock that was ahead.
  EXPECT_FALSE(is_snapshot_due(days_ago(-5), UpdateFreq::daily, kNow));
}

TEST(PublishPlan, NamesGoBothWays) {
  const CollectionName name{"my-blog_2", CollectionType::delta, {1'768'435'200, 0}, format::Codec::gzip};
  EXPECT_EQ(to_string(name), "my-blog_2-delta-20260115T000000Z.scp.gz");
  EXPECT_EQ(parse_collection_name(to_string(name)), name);
  // A section may itself look like a name of ours.
  const CollectionName merged{"blog",
                              CollectionType::delta,
                              {1'768'435'200, 0},
                              format::Codec::zstd,
                              Instant{1'768'435'200 - 7 * 86'400, 0}};
  EXPECT_EQ(to_string(merged), "blog-delta-20260108T000000Z-20260115T000000Z.scp.zst");
  EXPECT_EQ(parse_collection_name(to_string(merged)), merged);
  const CollectionName odd{"a-snapshot-b", CollectionType::snapshot, {1'768'435'200, 0}, format::Codec::zstd};
  EXPECT_EQ(parse_collection_name(to_string(odd)), odd);
}

TEST(PublishPlan, OtherNamesAreNotCollections) {
  for (const char* name :
       {"", "blog.scp.zst", "blog-snapshot-20260115T000000Z", "blog-snapshot-20260115T000000Z.zst",
        "blog-snapshot-20261315T000000Z.scp.zst", "blog-snapshot-2026-01-15.scp.gz",
        "-snapshot-20260115T000000Z.scp.zst", "blog-full-20260115T000000Z.scp.zst",
        "bl og-snapshot-20260115T000000Z.scp.zst", "blog-snapshot-20260115t000000z.scp.zst",
        "blog-snapshot-20260108T000000Z-20260115T000000Z.scp.zst",
        "blog-delta-20260115T000000Z-20260115T000000Z.scp.zst", "20260108T000000Z-20260115T000000Z.scp.zst",
        "blog-20260108T000000Z-20260115T000000Z.scp.zst", ".blog-snapshot-20260115T000000Z.scp.zst",
        "blog-snapshot-20260115T000000Z.scp.zst.tmp"})
    EXPECT_FALSE(parse_collection_name(name)) << name;
}

CollectionName file(CollectionType type, std::int64_t age, format::Codec codec = format::Codec::zstd) {
  return {"blog", type, days_ago(age), codec};
}

TEST(PublishPlan, KeepsTheNewestSnapshotsAndYoungDeltas) {
  const std::vector<CollectionName> files = {
      file(CollectionType::snapshot, 90), file(CollectionType::delta, 60),
      file(CollectionType::snapshot, 50), file(CollectionType::delta, 30),
      file(CollectionType::delta, 29),  // a snapshot is newer: kept because it is young
      file(CollectionType::snapshot, 9),  file(CollectionType::snapshot, 9, format::Codec::gzip),
      file(CollectionType::delta, 5),
  };
  const std::vector<CollectionName> want = {
      file(CollectionType::snapshot, 50), file(CollectionType::delta, 29), file(CollectionType::snapshot, 9),
      file(CollectionType::snapshot, 9, format::Codec::gzip), file(CollectionType::delta, 5)};
  EXPECT_EQ(choose_kept(files, {}, kNow), want);
}

TEST(PublishPlan, KeepsDeltasThatNoSnapshotHas) {
  // A section that has been still for months, its deltas old: without them the newest state is lost.
  const std::vector<CollectionName> files = {file(CollectionType::snapshot, 90),
                                             file(CollectionType::delta, 60)};
  EXPECT_EQ(choose_kept(files, {}, kNow), files);
}

TEST(PublishPlan, FilesDatedInTheFutureAreNotKept) {
  const std::vector<CollectionName> files = {
      file(CollectionType::snapshot, 90), file(CollectionType::snapshot, 9),
      file(CollectionType::snapshot, -400), file(CollectionType::delta, -401)};
  EXPECT_EQ(choose_kept(files, {}, kNow), (std::vector{files[0], files[1]}));
  EXPECT_FALSE(is_misdated(days_ago(-1), kNow));
  EXPECT_TRUE(is_misdated({days_ago(-1).seconds + 1, 0}, kNow));
}

TEST(PublishPlan, OneSnapshotStaysWhateverIsAsked) {
  const std::vector<CollectionName> files = {file(CollectionType::snapshot, 90)};
  EXPECT_EQ(choose_kept(files, {.delta_seconds = 0, .snapshots = 0}, kNow), files);
}

TEST(PublishPlan, Expiry) {
  using site::UpdateFreq;
  EXPECT_EQ(expiry_of(file(CollectionType::snapshot, 5), UpdateFreq::daily, {}, kNow), days_ago(-2));
  EXPECT_EQ(expiry_of(file(CollectionType::delta, 5), UpdateFreq::daily, {}, kNow), days_ago(-25));
  // Kept for clients that were away for long.
  EXPECT_EQ(expiry_of(file(CollectionType::delta, 60), UpdateFreq::daily, {}, kNow), days_ago(-2));
}

}  // namespace
}  // namespace sheaf::publish
