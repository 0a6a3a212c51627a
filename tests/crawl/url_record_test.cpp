#include "sheaf/crawl/url_record.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::crawl {
namespace {

constexpr Instant kThen{1'700'000'000, 0};
constexpr Instant kLater{1'800'000'000, 0};
const std::string kUrl = "https://example.com/a";

UrlRecord known(PageFate fate) {
  return {.url = kUrl, .fate = fate, .final_url = kUrl, .validators = {"\"old\"", ""}, .fetched = kThen};
}

PageVisit answered(PageFate fate) {
  PageVisit visit;
  visit.request.url = kUrl;
  visit.fate = fate;
  visit.status = 200;
  visit.final_url = kUrl;
  visit.validators = {"\"new\"", ""};
  return visit;
}

PageVisit not_modified(const std::string& robots_header = {}) {
  PageVisit visit = answered(PageFate::stored);
  visit.status = 304;
  visit.not_modified = true;
  visit.validators = {};
  visit.robots_header = robots_header;
  return visit;
}

TEST(UrlRecordRules, WhatBecomesOfACopy) {
  struct Case {
    const char* what;
    PageFate before;
    PageVisit visit;
    PageFate after;
    CopyAction copy;
    bool failed = false;
  };
  const Case cases[] = {
      {"a new page", PageFate::unknown, answered(PageFate::stored), PageFate::stored, CopyAction::replace},
      {"a page again", PageFate::stored, answered(PageFate::stored), PageFate::stored, CopyAction::replace},
      {"a page that was gone", PageFate::missing, answered(PageFate::stored), PageFate::stored,
       CopyAction::replace},
      {"gone", PageFate::stored, answered(PageFate::missing), PageFate::missing, CopyAction::remove},
      {"never there", PageFate::unknown, answered(PageFate::missing), PageFate::missing, CopyAction::keep},
      {"noindex", PageFate::stored, answered(PageFate::noindex), PageFate::noindex, CopyAction::remove},
      {"a PDF now", PageFate::stored, answered(PageFate::no_page), PageFate::no_page, CopyAction::remove},
      {"a duplicate now", PageFate::stored, answered(PageFate::duplicate), PageFate::duplicate,
       CopyAction::remove},
      {"leads away", PageFate::stored, answered(PageFate::elsewhere), PageFate::elsewhere,
       CopyAction::remove},
      {"robots.txt", PageFate::stored, answered(PageFate::disallowed), PageFate::disallowed,
       CopyAction::remove},
      {"304", PageFate::stored, not_modified(), PageFate::stored, CopyAction::keep},
      {"304 of a PDF", PageFate::no_page, not_modified(), PageFate::no_page, CopyAction::keep},
      {"304 with noindex", PageFate::stored, not_modified("noindex"), PageFate::noindex, CopyAction::remove},
      {"304 with none", PageFate::stored, not_modified("none"), PageFate::noindex, CopyAction::remove},
      {"304 with nofollow", PageFate::stored, not_modified("nofollow"), PageFate::stored, CopyAction::keep},
      {"a failure", PageFate::stored, answered(PageFate::failed), PageFate::stored, CopyAction::keep, true},
      {"a failure of what is gone", PageFate::missing, answered(PageFate::failed), PageFate::missing,
       CopyAction::keep, true},
      {"the first is a failure", PageFate::unknown, answered(PageFate::failed), PageFate::failed,
       CopyAction::keep, true},
  };
  for (const Case& each : cases) {
    const PageUpdate update = decide_update(known(each.before), each.visit, kLater);
    EXPECT_EQ(update.record.fate, each.after) << each.what;
    EXPECT_EQ(update.copy, each.copy) << each.what;
    EXPECT_EQ(update.failed, each.failed) << each.what;
    EXPECT_EQ(update.record.fetched, each.failed ? kThen : kLater) << each.what;
  }
}

TEST(UrlRecordRules, AKnownNoindexIsNotAChange) {
  UrlRecord record = known(PageFate::stored);  // publish keeps such pages, and decides by the header
  record.robots_header = "noindex";
  const PageUpdate update = decide_update(record, not_modified("noindex"), kLater);
  EXPECT_EQ(update.copy, CopyAction::keep);
  EXPECT_EQ(update.record.validators, record.validators) << "or the page would be sent again each time";
}

TEST(UrlRecordRules, ValidatorsAreThoseOfTheCopy) {
  EXPECT_EQ(decide_update(known(PageFate::stored), answered(PageFate::stored), kLater).record.validators,
            http::fetch::Validators("\"new\"", ""));
  EXPECT_EQ(decide_update(known(PageFate::stored), not_modified(), kLater).record.validators,
            http::fetch::Validators("\"old\"", ""));
  EXPECT_EQ(decide_update(known(PageFate::stored), answered(PageFate::failed), kLater).record.validators,
            http::fetch::Validators("\"old\"", ""));
  // A page that was deleted and comes back unchanged has its old entity tag. A 304 would not restore it.
  PageVisit gone = answered(PageFate::missing);
  gone.status = 404;
  gone.validators = {};
  EXPECT_TRUE(decide_update(known(PageFate::stored), gone, kLater).record.validators.empty());
  EXPECT_TRUE(
      decide_update(known(PageFate::stored), not_modified("noindex"), kLater).record.validators.empty());
}

TEST(UrlRecordRules, UnvisitedUrlsKeepTheirDates) {
  PageVisit fresh = not_modified();
  fresh.status = 0;
  fresh.request.is_fresh = true;
  const PageUpdate update = decide_update(known(PageFate::stored), fresh, kLater);
  EXPECT_EQ(update.record, known(PageFate::stored));
  EXPECT_EQ(update.copy, CopyAction::keep);
}

TEST(UrlRecordRules, ARequestHasTheConditionsOfTheCopy) {
  UrlRecord record = known(PageFate::stored);
  record.lastmod = kThen;
  const PageRequest conditional = make_request(record, Visit::conditional);
  EXPECT_EQ(conditional.url, kUrl);
  EXPECT_EQ(conditional.known_url, kUrl);
  EXPECT_EQ(conditional.validators, record.validators);
  EXPECT_EQ(conditional.lastmod, kThen);
  EXPECT_FALSE(conditional.is_fresh);
  EXPECT_TRUE(make_request(record, Visit::fetch).validators.empty());
  EXPECT_TRUE(make_request(record, Visit::fetch).known_url.empty());
  EXPECT_TRUE(make_request(record, Visit::leave).is_fresh);
}

TEST(UrlRecordRules, WhatAnInterruptedPassFetchedIsLeft) {
  LastVisit last{.fate = PageFate::stored, .has_validators = true, .fetched = kThen};
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::leave);
  EXPECT_EQ(choose_visit(last, kLater, Instant{kThen.seconds + 1, 0}), Visit::conditional);
  EXPECT_EQ(choose_visit(last, kLater), Visit::conditional);
  last.fate = PageFate::failed;
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::fetch);
  last.fate = PageFate::disallowed;
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::fetch) << "robots.txt may have changed";
}

}  // namespace
}  // namespace sheaf::crawl
