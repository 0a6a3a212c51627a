#include "sheaf/pull/fallback.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

constexpr std::int64_t kDay = 86'400;
const Instant kNow{100 * kDay, 0};

FailingSection failing(std::uint64_t pages, std::uint32_t failures, std::int64_t days) {
  return {.code = FailureCode::http_status,
          .pages = pages,
          .failures = failures,
          .since = Instant{(100 - days) * kDay, 0}};
}

TEST(Fallback, WithoutPagesTheyAreFetchedAtOnce) { EXPECT_TRUE(is_crawl_due(failing(0, 1, 0), kNow)); }

TEST(Fallback, WithPagesTheyAreFetchedFromTheThirdFailureOnOrAfterThreeDays) {
  EXPECT_FALSE(is_crawl_due(failing(5, 1, 0), kNow));
  EXPECT_FALSE(is_crawl_due(failing(5, 2, 2), kNow));
  EXPECT_TRUE(is_crawl_due(failing(5, 3, 0), kNow));
  EXPECT_TRUE(is_crawl_due(failing(5, 2, 3), kNow));
}

TEST(Fallback, DoubtfulPagesInTheStoreAreNotFetchedOneByOne) {
  for (const FailureCode code :
       {FailureCode::state_mismatch, FailureCode::size_mismatch, FailureCode::page_count_mismatch,
        FailureCode::shrink_held, FailureCode::cancelled, FailureCode::disk_full, FailureCode::none}) {
    FailingSection section = failing(0, 9, 9);
    section.code = code;
    EXPECT_FALSE(is_crawl_due(section, kNow)) << to_string(code);
  }
}

TEST(Fallback, FilesThatMustNotBeFetchedOrWereRefusedCountAsBroken) {
  for (const FailureCode code :
       {FailureCode::robots_unavailable, FailureCode::other_host_limit, FailureCode::not_a_collection,
        FailureCode::oversized_collection, FailureCode::checksum_mismatch, FailureCode::too_slow,
        FailureCode::unresolvable_host}) {
    FailingSection section = failing(0, 1, 0);
    section.code = code;
    EXPECT_TRUE(is_crawl_due(section, kNow)) << to_string(code);
  }
}

TEST(Fallback, AWithdrawnSectionIsRetiredWhenItIsCertain) {
  EXPECT_TRUE(is_retired({.is_covered = true, .pulls = 1, .since = kNow}, kNow));
  EXPECT_FALSE(is_retired({.pulls = 1, .since = kNow}, kNow));
  EXPECT_TRUE(is_retired({.pulls = kWithdrawnPulls, .since = kNow}, kNow));
  EXPECT_FALSE(is_retired({.offers = OffersRead::missing, .pulls = kWithdrawnPulls, .since = kNow}, kNow));
  EXPECT_TRUE(is_retired({.offers = OffersRead::missing, .pulls = kGracePulls, .since = kNow}, kNow));
  EXPECT_TRUE(is_retired(
      {.offers = OffersRead::missing, .pulls = 1, .since = Instant{kNow.seconds - kGraceSeconds, 0}}, kNow));
}

TEST(Fallback, OtherSectionsCoverAllIfTheyHaveItsPages) {
  const auto covers = [](Coverage coverage) { return covers_whole_site(coverage, format::Shrink::refuse); };
  EXPECT_TRUE(covers({.stated = 10, .stored = 0, .others = 10}));
  EXPECT_FALSE(covers({.stated = 10, .stored = 0, .others = 9}));
  EXPECT_TRUE(covers({.stated = {}, .stored = 10, .others = 12, .lost = 0})) << "all that the store has";
  EXPECT_FALSE(covers({.stated = {}, .stored = 10, .others = 12, .lost = 1})) << "others, though more";
  EXPECT_TRUE(covers({.stated = 10, .stored = 10, .others = 10, .lost = 1})) << "as the site says; one went";
  EXPECT_FALSE(covers({.stated = {}, .stored = 0, .others = 10})) << "nothing to compare with";
}

TEST(Fallback, TheShrinkGuardHoldsForSectionsThatTakeThePlaceOfAll) {
  const Coverage coverage{.stated = 10, .stored = 100, .others = 100, .lost = 90};
  EXPECT_FALSE(covers_whole_site(coverage, format::Shrink::refuse));
  EXPECT_TRUE(covers_whole_site(coverage, format::Shrink::allow));
}

}  // namespace
}  // namespace sheaf::pull
