#include "sheaf/pull/fetch_failure.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using crawl::FailureCause;
using http::fetch::FetchTrouble;

crawl::PageVisit failed_page(FailureCause cause, FetchTrouble trouble = FetchTrouble::none) {
  crawl::PageVisit visit;
  visit.request.url = "https://example.com/a";
  visit.cause = cause;
  visit.trouble = trouble;
  visit.detail = "what went wrong";
  return visit;
}

TEST(FetchFailure, EachCauseOfAPageHasItsCode) {
  const auto code = [](auto... what) { return page_failure(failed_page(what...)).code; };
  EXPECT_EQ(code(FailureCause::robots_unreadable), FailureCode::robots_unavailable);
  EXPECT_EQ(code(FailureCause::status), FailureCode::http_status);
  EXPECT_EQ(code(FailureCause::unreadable_body), FailureCode::unreadable_page);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::unreachable), FailureCode::unreachable);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::too_slow), FailureCode::too_slow);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::too_large), FailureCode::too_large);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::unresolvable_host), FailureCode::unresolvable_host);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::forbidden_address), FailureCode::forbidden_address);
  EXPECT_EQ(code(FailureCause::transfer, FetchTrouble::insecure_redirect), FailureCode::insecure_url);
}

TEST(FetchFailure, TheMessageNamesThePage) {
  EXPECT_EQ(page_failure(failed_page(FailureCause::unreadable_body)).message,
            "https://example.com/a: what went wrong");
}

}  // namespace
}  // namespace sheaf::pull
