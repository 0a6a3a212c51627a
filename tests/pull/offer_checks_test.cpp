#include "sheaf/pull/offer_checks.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

constexpr Instant kCheckedTime{1'767'225'600, 0};  // 2026-01-01T00:00:00Z

site::AdvertisedCollection checked_offer() {
  site::AdvertisedCollection made;
  made.url = "https://example.com/a.scp";
  made.size = 100;
  made.checksum = "sha256:ABC";
  made.pages = 3;
  return made;
}

SeenCollection checked_file() {
  SeenCollection made;
  made.generated = kCheckedTime;
  made.bytes = 100;
  made.checksum = "sha256:abc";
  made.pages = 3;
  return made;
}

TEST(OfferChecks, AFileThatMatchesItsEntry) {
  EXPECT_FALSE(compare_file(checked_offer(), checked_file())) << "checksums are compared without case";
  site::AdvertisedCollection silent;
  silent.url = "https://example.com/a.scp";
  EXPECT_FALSE(compare_file(silent, checked_file())) << "an entry without statements";
}

TEST(OfferChecks, WhatDiffersIsNamed) {
  SeenCollection other = checked_file();
  other.bytes = 99;
  EXPECT_EQ(compare_file(checked_offer(), other).code, FailureCode::size_mismatch);
  EXPECT_EQ(compare_file(checked_offer(), other).message,
            "https://example.com/a.scp has 99 bytes where the sitemap says 100");
  other = checked_file();
  other.checksum = "sha256:abd";
  EXPECT_EQ(compare_file(checked_offer(), other).code, FailureCode::checksum_mismatch);
  other.checksum = "";
  EXPECT_FALSE(compare_file(checked_offer(), other)) << "the file states none";
  other = checked_file();
  other.pages = 4;
  EXPECT_EQ(compare_file(checked_offer(), other).code, FailureCode::page_count_mismatch);
}

TEST(OfferChecks, AnOldFileIsDescribed) {
  SeenCollection old = checked_file();
  EXPECT_EQ(describe_stale(checked_offer(), old),
            "https://example.com/a.scp was generated at 2026-01-01T00:00:00Z, before what the store has");
  old.advertised = Instant{kCheckedTime.seconds + 86'400, 0};
  EXPECT_EQ(describe_stale(checked_offer(), old),
            "https://example.com/a.scp was generated at 2026-01-01T00:00:00Z, but the sitemap says "
            "2026-01-02T00:00:00Z: an old file is served");
}

TEST(OfferChecks, SkippedPagesAreInTheFile) {
  store::ApplySummary applied;
  applied.pages = 5;
  applied.findings[static_cast<std::size_t>(format::Code::foreign_page)] = 2;
  EXPECT_EQ(pages_in_file(applied), 7U);
}

TEST(OfferChecks, AFailureNamesTheLastProblem) {
  EXPECT_NE(
      newest_unreachable("blog", kCheckedTime, kCheckedTime, "").message.find("no chain of collections"),
      std::string::npos);
  EXPECT_NE(newest_unreachable("blog", kCheckedTime, kCheckedTime, "a 404").message.find("a 404"),
            std::string::npos);
}

}  // namespace
}  // namespace sheaf::pull
