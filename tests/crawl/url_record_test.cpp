#include "sheaf/crawl/url_record.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::crawl {
namespace {

constexpr Instant kThen{1'700'000'000, 0};
constexpr Instant kLater{1'800'000'000, 0};
const std::string kUrl = "https://example.com/a";

UrlRecord known(PageOutcome fate) {
  return {.url = kUrl, .fate = fate, .final_url = kUrl, .validators = {"\"old\"", ""}, .fetched = kThen};
}

PageVisit answered(PageOutcome fate) {
  PageVisit visit;
  visit.request.url = kUrl;
  visit.fate = fate;
  visit.status = 200;
  visit.final_url = kUrl;
  visit.validators = {"\"new\"", ""};
  return visit;
}

PageVisit not_modified(const std::string& robots_header = {}) {
  PageVisit visit = answered(PageOutcome::stored);
  visit.status = 304;
  visit.not_modified = true;
  visit.validators = {};
  visit.robots_header = robots_header;
  return visit;
}

TEST(UrlRecordRules, WhatBecomesOfACopy) {
  struct Case {
    const char* what;
    PageOutcome before;
    PageVisit visit;
    PageOutcome after;
    CopyAction copy;
    bool failed = false;
  };
  const Case cases[] = {
      {"a new page", PageOutcome::unknown, answered(PageOutcome::stored), PageOutcome::stored,
       CopyAction::replace},
      {"a page again", PageOutcome::stored, answered(PageOutcome::stored), PageOutcome::stored,
       CopyAction::replace},
      {"a page that was gone", PageOutcome::missing, answered(PageOutcome::stored), PageOutcome::stored,
       CopyAction::replace},
      {"gone", PageOutcome::stored, answered(PageOutcome::missing), PageOutcome::missing, CopyAction::remove},
      {"never there", PageOutcome::unknown, answered(PageOutcome::missing), PageOutcome::missing,
       CopyAction::keep},
      {"noindex", PageOutcome::stored, answered(PageOutcome::noindex), PageOutcome::noindex,
       CopyAction::remove},
      {"a PDF now", PageOutcome::stored, answered(PageOutcome::no_page), PageOutcome::no_page,
       CopyAction::remove},
      {"a duplicate now", PageOutcome::stored, answered(PageOutcome::duplicate), PageOutcome::duplicate,
       CopyAction::remove},
      {"leads away", PageOutcome::stored, answered(PageOutcome::elsewhere), PageOutcome::elsewhere,
       CopyAction::remove},
      {"robots.txt", PageOutcome::stored, answered(PageOutcome::disallowed), PageOutcome::disallowed,
       CopyAction::remove},
      {"304", PageOutcome::stored, not_modified(), PageOutcome::stored, CopyAction::keep},
      {"304 of a PDF", PageOutcome::no_page, not_modified(), PageOutcome::no_page, CopyAction::keep},
      {"304 with noindex", PageOutcome::stored, not_modified("noindex"), PageOutcome::noindex,
       CopyAction::remove},
      {"304 with none", PageOutcome::stored, not_modified("none"), PageOutcome::noindex, CopyAction::remove},
      {"304 with nofollow", PageOutcome::stored, not_modified("nofollow"), PageOutcome::stored,
       CopyAction::keep},
      {"a failure", PageOutcome::stored, answered(PageOutcome::failed), PageOutcome::stored, CopyAction::keep,
       true},
      {"a failure of what is gone", PageOutcome::missing, answered(PageOutcome::failed), PageOutcome::missing,
       CopyAction::keep, true},
      {"the first is a failure", PageOutcome::unknown, answered(PageOutcome::failed), PageOutcome::failed,
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
  UrlRecord record = known(PageOutcome::stored);  // publish keeps such pages, and decides by the header
  record.robots_header = "noindex";
  const PageUpdate update = decide_update(record, not_modified("noindex"), kLater);
  EXPECT_EQ(update.copy, CopyAction::keep);
  EXPECT_EQ(update.record.validators, record.validators) << "or the page would be sent again each time";
}

TEST(UrlRecordRules, ValidatorsAreThoseOfTheCopy) {
  EXPECT_EQ(
      decide_update(known(PageOutcome::stored), answered(PageOutcome::stored), kLater).record.validators,
      http::fetch::Validators("\"new\"", ""));
  EXPECT_EQ(decide_update(known(PageOutcome::stored), not_modified(), kLater).record.validators,
            http::fetch::Validators("\"old\"", ""));
  EXPECT_EQ(
      decide_update(known(PageOutcome::stored), answered(PageOutcome::failed), kLater).record.validators,
      http::fetch::Validators("\"old\"", ""));
  // A page that was deleted and comes back unchanged has its old entity tag. A 304 would not restore it.
  PageVisit gone = answered(PageOutcome::missing);
  gone.status = 404;
  gone.validators = {};
  EXPECT_TRUE(decide_update(known(PageOutcome::stored), gone, kLater).record.validators.empty());
  EXPECT_TRUE(
      decide_update(known(PageOutcome::stored), not_modified("noindex"), kLater).record.validators.empty());
}

TEST(UrlRecordRules, UnvisitedUrlsKeepTheirDates) {
  PageVisit fresh = not_modified();
  fresh.status = 0;
  fresh.request.is_fresh = true;
  const PageUpdate update = decide_update(known(PageOutcome::stored), fresh, kLater);
  EXPECT_EQ(update.record, known(PageOutcome::stored));
  EXPECT_EQ(update.copy, CopyAction::keep);
}

TEST(UrlRecordRules, ARequestHasTheConditionsOfTheCopy) {
  UrlRecord record = known(PageOutcome::stored);
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
  LastVisit last{.fate = PageOutcome::stored, .has_validators = true, .fetched = kThen};
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::leave);
  EXPECT_EQ(choose_visit(last, kLater, Instant{kThen.seconds + 1, 0}), Visit::conditional);
  EXPECT_EQ(choose_visit(last, kLater), Visit::conditional);
  last.fate = PageOutcome::failed;
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::fetch);
  last.fate = PageOutcome::disallowed;
  EXPECT_EQ(choose_visit(last, kLater, kThen), Visit::fetch) << "robots.txt may have changed";
}

}  // namespace
}  // namespace sheaf::crawl
