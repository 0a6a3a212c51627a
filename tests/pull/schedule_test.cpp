#include "sheaf/pull/schedule.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

constexpr Instant kNow{1'800'000'000, 0};
constexpr std::int64_t kDay = 86'400;

PullReport good(std::optional<std::int64_t> update = std::nullopt) {
  PullReport report;
  report.ok = true;
  report.update_seconds = update;
  return report;
}

std::int64_t wait_after(const PullReport& report, std::uint32_t failures = 0, Every every = {},
                        double random = 0) {
  return reschedule({kNow, failures}, report, every, kNow, random).next.seconds - kNow.seconds;
}

TEST(PullSchedule, AsTheSiteSays) {
  EXPECT_EQ(wait_after(good(3600)), 3600);
  EXPECT_EQ(wait_after(good(7 * kDay)), 7 * kDay);
  EXPECT_EQ(wait_after(good()), kDay) << "nothing said";
  EXPECT_EQ(wait_after(good(1)), 300) << "never more often than that";
}

TEST(PullSchedule, SitesThatBeganTogetherSpread) {
  EXPECT_EQ(wait_after(good(3600), 0, {}, 1), 3960);
  EXPECT_EQ(wait_after(good(3600), 0, std::chrono::seconds(60), 1), 60) << "who says how often means it";
}

TEST(PullSchedule, FailuresAreTriedAgainLaterAndLater) {
  PullReport bad;
  EXPECT_EQ(wait_after(bad, 0), 300);
  EXPECT_EQ(wait_after(bad, 1), 600);
  EXPECT_EQ(wait_after(bad, 5), 9600);
  EXPECT_EQ(wait_after(bad, 1000), kDay);
  bad.retry_after = std::chrono::seconds(5000);
  EXPECT_EQ(wait_after(bad, 0), 5000) << "the site asked for it";
  EXPECT_EQ(reschedule({kNow, 3}, bad, {}, kNow, 0).failures, 4U);
  EXPECT_EQ(reschedule({kNow, 3}, good(), {}, kNow, 0).failures, 0U);
}

TEST(PullSchedule, RetryAfterHoldsWhateverFailed) {
  PullReport report;
  report.failure = {FailureCode::pages_failed, "1 page could not be fetched"};
  report.crawl = CrawlReport{};
  report.crawl->complete = true;
  report.retry_after = std::chrono::days(7);
  EXPECT_EQ(wait_after(report), 7 * kDay);
  EXPECT_EQ(wait_after(report, 0, std::chrono::seconds(60)), 7 * kDay);
}

TEST(PullSchedule, AnIncompleteSiteContinuesAtOnce) {
  PullReport report = good();
  report.crawl = CrawlReport{};
  EXPECT_EQ(wait_after(report), 0);
  report.crawl->complete = true;
  EXPECT_EQ(wait_after(report), kDay);
}

TEST(PullSchedule, FailedPagesDoNotMakePullsMoreFrequent) {
  PullReport report;
  report.failure = {FailureCode::pages_failed, "1 page could not be fetched"};
  report.crawl = CrawlReport{};
  EXPECT_EQ(wait_after(report), 300) << "the rest was not tried";
  report.crawl->complete = true;
  EXPECT_EQ(wait_after(report), kDay);
  EXPECT_EQ(wait_after(report, 0, std::chrono::seconds(7200)), 7200);
  EXPECT_EQ(reschedule({kNow}, report, {}, kNow, 0).failures, 1U) << "it is still reported";
  EXPECT_EQ(reschedule({kNow}, report, {}, kNow, 0).failure_code, "pages-failed");
}

TEST(PullSchedule, AFailureKeepsItsCode) {
  PullReport bad;
  bad.failure = {FailureCode::state_mismatch, "does not add up"};
  const SiteSchedule after = reschedule({kNow}, bad, {}, kNow, 0);
  EXPECT_EQ(after.failure_code, "state-mismatch");
  EXPECT_EQ(after.trouble, "does not add up");
  EXPECT_EQ(reschedule(after, good(), {}, kNow, 0).failure_code, "");
}

TEST(PullSchedule, ComesBackFromDisk) {
  const SiteSchedule schedule{kNow, 3, {kNow.seconds - 60, 0}, "no answer", "unreachable"};
  EXPECT_EQ(store::decode_schedule(encode(schedule)), schedule);
  EXPECT_FALSE(store::decode_schedule("x"));
  EXPECT_FALSE(store::decode_schedule(""));
}

TEST(PullSchedule, RemembersWhatWentWrong) {
  PullReport bad;
  bad.failure = {FailureCode::unreachable, std::string(1000, 'x')};
  const SiteSchedule after = reschedule({}, bad, {}, kNow, 0);
  EXPECT_EQ(after.last, kNow);
  EXPECT_EQ(after.trouble.size(), 500U);
  EXPECT_EQ(reschedule(after, good(), {}, kNow, 0).trouble, "");
}

TEST(PullSchedule, SitesThatAskForPaymentWaitADay) {
  PullReport unpaid;
  unpaid.failure = {FailureCode::payment_required, "it costs"};
  EXPECT_EQ(wait_after(unpaid, 0), kDay);
  EXPECT_EQ(wait_after(unpaid, 0, std::chrono::seconds(3600)), 3600);
  EXPECT_EQ(reschedule({}, unpaid, {}, kNow, 0).failure_code, "payment-required");
}

TEST(PullSchedule, AnotherEveryCountsFromTheLastPull) {
  const SiteSchedule daily{{kNow.seconds + kDay, 0}, 0, kNow, ""};
  EXPECT_EQ(due_under(daily, {}).seconds, kNow.seconds + kDay);
  EXPECT_EQ(due_under(daily, std::chrono::seconds(60)).seconds, kNow.seconds + 60);
  EXPECT_EQ(due_under(daily, std::chrono::seconds(7 * kDay)).seconds, kNow.seconds + kDay)
      << "never later than promised";
  const SiteSchedule failing{{kNow.seconds + kDay, 0}, 5, kNow, "no answer"};
  EXPECT_EQ(due_under(failing, std::chrono::seconds(60)).seconds, kNow.seconds + kDay)
      << "who fails has to wait";
}

TEST(PullSchedule, HowOftenAsText) {
  EXPECT_FALSE(*parse_every("auto"));
  EXPECT_EQ(parse_every("90s").value(), std::chrono::seconds(90));
  EXPECT_EQ(parse_every("30m").value(), std::chrono::seconds(1800));
  EXPECT_EQ(parse_every("6h").value(), std::chrono::seconds(21'600));
  EXPECT_EQ(parse_every("2d").value(), std::chrono::seconds(2 * kDay));
  for (const std::string_view bad : {"", "5", "m", "0m", "-3m", "5 m", "5w", "99999999999s"})
    EXPECT_FALSE(parse_every(bad)) << bad;
}

}  // namespace
}  // namespace sheaf::pull
