#include "sheaf/crawl/crawl_rules.h"

#include <gtest/gtest.h>

namespace sheaf::crawl {
namespace {

using std::chrono::milliseconds;

constexpr Instant kNow{1'800'000'000, 0};
constexpr std::int64_t kDay = 86'400;

LastVisit fetched(std::int64_t days_ago) {
  return {
      .fate = PageOutcome::stored, .has_validators = true, .fetched = {kNow.seconds - days_ago * kDay, 0}};
}

TEST(CrawlRules, OnlyA200IsAPage) {
  EXPECT_EQ(judge_status(200, false), StatusMeaning::page);
  EXPECT_EQ(judge_status(203, false), StatusMeaning::page) << "a 200 that a proxy changed";
  for (const int status : {201, 202, 204, 206, 226, 299})
    EXPECT_EQ(judge_status(status, true), StatusMeaning::failure) << status;
  for (const int status : {404, 410})
    EXPECT_EQ(judge_status(status, false), StatusMeaning::missing) << status;
  for (const int status : {400, 401, 403, 405, 408, 429, 451, 500, 502, 503})
    EXPECT_EQ(judge_status(status, false), StatusMeaning::failure) << status;
  for (const int status : {301, 302, 303, 307, 308})
    EXPECT_EQ(judge_status(status, false), StatusMeaning::failure) << status;
  EXPECT_EQ(judge_status(304, true), StatusMeaning::not_modified);
  EXPECT_EQ(judge_status(304, false), StatusMeaning::failure) << "nothing was asked";
}

TEST(CrawlRules, TheTypeDecidesAndWithoutOneTheBody) {
  EXPECT_TRUE(is_html_response("text/html", "no markup"));
  EXPECT_TRUE(is_html_response("application/xhtml+xml; charset=utf-8", "<html>"));
  EXPECT_FALSE(is_html_response("application/pdf", "<html>"));
  EXPECT_FALSE(is_html_response("text/plain", "<html>"));
  EXPECT_TRUE(is_html_response("", "<p>"));
  EXPECT_TRUE(is_html_response("", " \r\n\t<p>"));
  EXPECT_TRUE(is_html_response("", "\xEF\xBB\xBF<p>"));
  EXPECT_FALSE(is_html_response("", "%PDF-1.4"));
  EXPECT_FALSE(is_html_response("", "{}"));
  EXPECT_FALSE(is_html_response("", ""));
}

TEST(CrawlRules, TheLongerDelayCountsUpToAMinute) {
  const auto rules = [](std::string_view delay) {
    return site::RobotsTxt::parse("User-agent: *\nCrawl-delay: " + std::string(delay) + "\n").rules_for("x");
  };
  EXPECT_EQ(choose_delay(milliseconds(500), rules("2.5")), milliseconds(2500));
  EXPECT_EQ(choose_delay(milliseconds(500), rules("0.1")), milliseconds(500));
  EXPECT_EQ(choose_delay(milliseconds(500), site::RobotsRules()), milliseconds(500));
  EXPECT_EQ(choose_delay(milliseconds(500), rules("86400")), kMaxDelay);
  EXPECT_EQ(choose_delay(milliseconds(90'000), rules("60")), milliseconds(90'000)) << "ours";
}

TEST(CrawlRules, WhichVisitIsChosen) {
  LastVisit unknown;
  EXPECT_EQ(choose_visit(unknown, kNow), Visit::fetch);
  LastVisit failed = fetched(1);
  failed.fate = PageOutcome::failed;
  EXPECT_EQ(choose_visit(failed, kNow), Visit::fetch);
  LastVisit plain = fetched(1);
  EXPECT_EQ(choose_visit(plain, kNow), Visit::conditional);
  plain.has_validators = false;
  EXPECT_EQ(choose_visit(plain, kNow), Visit::fetch);
}

TEST(CrawlRules, ALastmodIsUsedButNotTrustedForEver) {
  LastVisit note = fetched(1);
  note.lastmod = note.lastmod_then = Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::leave);
  note.lastmod = Instant{2, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note = fetched(8);
  note.lastmod = note.lastmod_then = Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note = fetched(-1);  // the clock went back
  note.lastmod = note.lastmod_then = Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note.fate = PageOutcome::missing;
  note.fetched = kNow;
  EXPECT_EQ(choose_visit(note, kNow), Visit::leave);
}

TEST(CrawlRules, ModifiedNeverGoesBack) {
  const Instant old{1000, 0};
  EXPECT_EQ(choose_modified(old, false, Instant{2000, 0}, kNow), old) << "unchanged";
  EXPECT_EQ(choose_modified(old, true, Instant{2000, 0}, kNow), (Instant{2000, 0}));
  EXPECT_EQ(choose_modified(old, true, Instant{500, 0}, kNow), kNow) << "earlier than what is stored";
  EXPECT_EQ(choose_modified(old, true, std::nullopt, kNow), kNow);
  EXPECT_EQ(choose_modified(old, true, Instant{kNow.seconds + 9, 0}, kNow), kNow) << "from the future";
  EXPECT_EQ(choose_modified(std::nullopt, true, Instant{500, 0}, kNow), (Instant{500, 0}));
  EXPECT_EQ(choose_modified(std::nullopt, true, std::nullopt, kNow), kNow);
  const Instant ahead{kNow.seconds + 50, 0};
  EXPECT_EQ(choose_modified(ahead, true, std::nullopt, kNow), (Instant{kNow.seconds + 51, 0}))
      << "our clock was ahead once";
}

TEST(CrawlRules, SoManyPagesTeachATemplate) {
  EXPECT_FALSE(is_enough_to_learn(kLearnPages - 1, kLearnBytes - 1));
  EXPECT_TRUE(is_enough_to_learn(kLearnPages, 1));
  EXPECT_TRUE(is_enough_to_learn(1, kLearnBytes));
}

}  // namespace
}  // namespace sheaf::crawl
