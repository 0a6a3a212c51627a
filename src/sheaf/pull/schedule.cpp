#include "sheaf/pull/schedule.h"

#include "sheaf/base/counted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sheaf::pull {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMinInterval = 300;  // seconds: minimum interval, and the delay after a first failure
constexpr std::int64_t kMaxWait = kDay;     // maximum delay after repeated failures
constexpr std::size_t kTroubleBytes = 500;
constexpr double kSpread = 0.1;  // maximum random part of the interval

/// Whether single pages failed but everything was requested.
bool has_only_failed_pages(const PullReport& report) {
  return report.failure.code == FailureCode::pages_failed && report.crawl && report.crawl->complete;
}

}  // namespace

base::Result<Every> parse_every(std::string_view text) {
  if (text == "auto") return Every{};
  const auto seconds = base::parse_duration(text);
  if (!seconds || *seconds == 0)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("\"{}\" is not a duration: give auto, or a number with s, m, h or d, such as 30m", text));
  return std::chrono::seconds(*seconds);
}

SiteSchedule reschedule(const SiteSchedule& before, const PullReport& report, const Every& every, Instant now,
                        double random) {
  SiteSchedule after;
  after.last = {now.seconds, 0};
  after.next = after.last;
  if (report.ok && report.crawl && !report.crawl->complete) return after;
  std::int64_t wait = every ? every->count() : std::max(kMinInterval, report.update_seconds.value_or(kDay));
  if (!report.ok) {
    after.failures = before.failures + 1;
    after.failure_code = to_string(report.failure.code);
    after.trouble = report.failure.message.substr(0, kTroubleBytes);
  }
  // After single failed pages the interval is not shortened, because the next pull requests all pages again.
  if (!report.ok && !has_only_failed_pages(report)) {
    wait = std::min(kMaxWait, kMinInterval << std::min(before.failures, 16U));
    // A demand for payment is not a temporary fault, so retrying every few minutes would only annoy the site.
    if (report.failure.code == FailureCode::payment_required) wait = kDay;
    if (every) wait = std::min<std::int64_t>(wait, every->count());
  }
  if (!report.ok && report.retry_after) wait = std::max<std::int64_t>(wait, report.retry_after->count());
  const double spread = every ? 0 : static_cast<double>(wait) * kSpread * std::clamp(random, 0.0, 1.0);
  after.next = {now.seconds + wait + static_cast<std::int64_t>(spread), 0};
  return after;
}

Instant due_under(const SiteSchedule& schedule, const Every& every) {
  if (!every || schedule.failures > 0) return schedule.next;
  return {std::min(schedule.next.seconds, schedule.last.seconds + every->count()), 0};
}

}  // namespace sheaf::pull
