#include "store_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

// Properties of a section over several collections: it never goes back in time, it does not shrink in small
// steps, and no page survives its later versions.
namespace sheaf::store {
namespace {

class SheafOnlyFutureModified : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, SheafOnlyFutureModified, kEveryStore, kind_name);
class SpecNeverBackwards : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, SpecNeverBackwards, kEveryStore, kind_name);
class SpecShrinkGuard : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, SpecShrinkGuard, kEveryStore, kind_name);

std::string name_of(int number) { return "p" + std::to_string(number); }

Named numbered(int first, int end) {
  Named pages;
  for (int i = first; i < end; ++i) pages.emplace_back(name_of(i), 1);
  return pages;
}

/// A delta that removes pages [first, end) of `all`, with the state that is right after it.
TestCollection removing(int first, int end, int all, std::int64_t since) {
  TestCollection delta{"delta", since + 1, since, {}, {}, digest_of(numbered(end, all))};
  for (int i = first; i < end; ++i) delta.removed.push_back(name_of(i));
  return delta;
}

TEST_P(SpecShrinkGuard, ManySmallDeltasDoNotRemoveEverything) {
  const StorePlace dir(GetParam());
  auto store = must_open(dir / "store");
  constexpr int kPages = 1000;
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, numbered(0, kPages), {}, digest_of(numbered(0, kPages))}));
  ASSERT_TRUE(store->settle(kSite, "blog"));
  int removed = 0;
  for (int i = 0; i < 7; ++i) {
    const auto applied = apply(*store, removing(removed, removed + 143, kPages, 100 + i));
    ASSERT_TRUE(applied) << applied.error().message;
    if (applied->outcome == ApplyOutcome::shrink_held) break;
    EXPECT_EQ(applied->proven, true) << "a proven step does not prove that the whole change is wanted";
    removed += 143;
  }
  EXPECT_EQ(removed, 3 * 143);
  EXPECT_EQ(pages_of(*store).size(), kPages - 3 * 143U);
  // Starting another pull or another process does not change this.
  store.reset();
  store = must_open(dir / "store");
  EXPECT_EQ(apply(*store, removing(removed, removed + 143, kPages, 103))->outcome, ApplyOutcome::shrink_held);
  ApplyOptions confirmed = apply_options();
  confirmed.shrink = format::Shrink::allow;
  EXPECT_EQ(apply(*store, removing(removed, removed + 143, kPages, 103), confirmed)->outcome,
            ApplyOutcome::applied);
  // The count restarts from the confirmed state: 200 of 428 are less than half.
  EXPECT_EQ(apply(*store, removing(removed + 143, removed + 343, kPages, 104))->outcome,
            ApplyOutcome::applied);
  expect_clean(*store);
}

TEST_P(SpecShrinkGuard, AProvenSettledStateRestartsTheCount) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, numbered(0, 100), {}, digest_of(numbered(0, 100))}));
  EXPECT_EQ(apply(store, removing(0, 40, 100, 100))->outcome, ApplyOutcome::applied);
  ASSERT_TRUE(store.settle(kSite, "blog"));
  EXPECT_EQ(apply(store, removing(40, 65, 100, 101))->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store).size(), 35U);
}

TEST_P(SpecShrinkGuard, WithoutProofALossStaysCountedAndAChangeOfPagesDoesNot) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, numbered(0, 100), {}, {}}));
  ASSERT_TRUE(store.settle(kSite, "blog"));
  // Ten times, thirty pages are removed and thirty others added.
  for (int i = 0; i < 10; ++i) {
    TestCollection delta{"delta", 101 + i, 100 + i, numbered(100 + 30 * i, 130 + 30 * i), {}, {}};
    for (int gone = 30 * i; gone < 30 * (i + 1); ++gone) delta.removed.push_back(name_of(gone));
    EXPECT_EQ(apply(store, delta)->outcome, ApplyOutcome::applied) << i;
    ASSERT_TRUE(store.settle(kSite, "blog"));
  }
  // Thirty pages are removed twice.
  for (int i = 10; i < 12; ++i) {
    TestCollection delta{"delta", 101 + i, 100 + i, {}, {}, {}};
    for (int gone = 30 * i; gone < 30 * (i + 1); ++gone) delta.removed.push_back(name_of(gone));
    EXPECT_EQ(apply(store, delta)->outcome, i == 10 ? ApplyOutcome::applied : ApplyOutcome::shrink_held) << i;
    ASSERT_TRUE(store.settle(kSite, "blog"));
  }
  EXPECT_EQ(pages_of(store).size(), 70U);
}

ApplyOptions resynchronising() {
  ApplyOptions options = apply_options();
  options.resynchronise = true;
  return options;
}

TEST_P(SpecNeverBackwards, AnOlderSnapshotDoesNotReplaceNewerPages) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 300, 0, {{"a", 250}, {"b", 260}, {"c", 10}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 400, 300, {{"d", 390}}, {}, digest_of({{"wrong", 1}})}));
  const auto back =
      apply(store, {"snapshot", 200, 0, {{"a", 150}, {"b", 160}, {"c", 11}, {"lost", 3}}, {}, {}},
            resynchronising());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store), expected({{"a", 250}, {"b", 260}, {"c", 11}, {"d", 390}, {"lost", 3}}));
  const auto state = *store.section(kSite, "blog");
  EXPECT_EQ(format_time(state->generated), test::time_text(400));
  EXPECT_EQ(format_time(*state->snapshot), test::time_text(300));
  EXPECT_EQ(state->proven, false);
  expect_clean(store);
}

TEST_P(SpecNeverBackwards, AnOlderSnapshotAndItsDeltasMakeUpWhatIsMissing) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const TestCollection first{"snapshot", 100, 0, {{"a", 1}, {"b", 2}, {"gone", 3}}, {}, {}};
  const TestCollection second{"delta", 200, 100, {{"b", 150}, {"new", 160}}, {"gone"}, {}};
  const TestCollection third{"delta",      300, 200,
                             {{"a", 250}}, {},  digest_of({{"a", 250}, {"b", 150}, {"new", 160}})};
  // The store has lost `new` and never had the second `b`.
  ASSERT_TRUE(apply(store, {"snapshot", 200, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  EXPECT_EQ(apply(store, third)->proven, false);
  for (const TestCollection& each : {first, second, third})
    EXPECT_EQ(apply(store, each, resynchronising())->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store), expected({{"a", 250}, {"b", 150}, {"new", 160}}));
  EXPECT_EQ((*store.section(kSite, "blog"))->proven, true);
  expect_clean(store);
}

TEST_P(SpecNeverBackwards, ASnapshotBetweenDeltasBringsNoRemovedPageBack) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"ghost", 2}, {"gone", 3}, {"d", 4}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 200, 100, {{"new", 160}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 300, 200, {}, {"gone"}, {}}));
  // Fetched because nothing proves the section. It was generated with the first delta.
  const auto between =
      apply(store, {"snapshot", 200, 0, {{"a", 1}, {"gone", 3}, {"d", 4}, {"new", 160}}, {}, {}});
  ASSERT_TRUE(between) << between.error().message;
  EXPECT_EQ(between->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store), expected({{"a", 1}, {"d", 4}, {"new", 160}}));
  expect_clean(store);
}

TEST_P(SpecNeverBackwards, ResetGoesBack) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 300, 0, {{"a", 250}, {"b", 260}}, {}, {}}));
  ApplyOptions options = apply_options();
  options.reset = true;
  ASSERT_TRUE(apply(store, {"snapshot", 200, 0, {{"a", 150}}, {}, digest_of({{"a", 150}})}, options));
  EXPECT_EQ(pages_of(store), expected({{"a", 150}}));
  const auto state = *store.section(kSite, "blog");
  EXPECT_EQ(format_time(state->generated), test::time_text(200));
  EXPECT_EQ(format_time(*state->snapshot), test::time_text(200));
  EXPECT_EQ(state->proven, true);
}

TEST_P(SheafOnlyFutureModified, LaterVersionsReplaceAPageFromTheFuture) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const std::int64_t far = 200'000'000'000;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", far}}, {}, digest_of({{"a", far}})}));
  EXPECT_EQ((*store.section(kSite, "blog"))->proven, true) << "the digest counts the text as it stands";
  const auto same_time = apply(store, {"delta", 200, 100, {{"a", far}}, {}, {}, "blog", "second"});
  EXPECT_EQ(same_time->changed, 1U);
  EXPECT_NE((*store.get(kSite, "blog", TestCollection::url("a")))->json.find("second"), std::string::npos);
  const auto mended =
      apply(store, {"delta", 300, 200, {{"a", 250}}, {}, digest_of({{"a", 250}}), "blog", "third"});
  EXPECT_EQ(mended->changed, 1U);
  EXPECT_EQ(mended->proven, true);
  EXPECT_EQ(pages_of(store), expected({{"a", 250}}));
  // A delta about a time before that does not bring it back.
  EXPECT_EQ(apply(store, {"delta", 400, 300, {{"a", 240}}, {}, {}})->unchanged, 1U);
  expect_clean(store);
}

}  // namespace
}  // namespace sheaf::store
