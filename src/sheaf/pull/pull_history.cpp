#include "sheaf/pull/pull_history.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/record.h"

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;
constexpr std::size_t kFailureBytes = 500;
constexpr std::string_view kRetryNote = "retry-after";

std::int64_t day_of(Instant time) {
  const std::int64_t day = time.seconds / kSecondsOfDay;
  return time.seconds % kSecondsOfDay < 0 ? day - 1 : day;
}

void add_changes(PullDay& day, const PageChanges& changes) {
  day.added += changes.added;
  day.changed += changes.changed;
  day.removed += changes.removed;
}

}  // namespace

void add_pull(PullHistory& history, const PullReport& report, std::uint64_t pages) {
  history.last = report.began;
  history.ok = report.ok;
  history.failure_code = report.ok ? std::string() : std::string(to_string(report.failure.code));
  history.failure =
      report.ok ? std::string() : std::string(base::cut_utf8(report.failure.message, kFailureBytes));
  const std::int64_t today = day_of(report.began);
  // If the clock was set back, no day may occur twice.
  std::erase_if(history.days, [&](const PullDay& day) { return day.day > today; });
  if (history.days.empty() || history.days.back().day != today) history.days.push_back({.day = today});
  PullDay& day = history.days.back();
  ++day.pulls;
  day.failed += report.ok ? 0 : 1;
  day.requests += report.requests;
  day.bytes += report.bytes;
  if (report.ok) day.crawl_bytes += report.crawl_bytes;  // if it failed, a crawl would have failed too
  for (const PullSectionReport& section : report.sections) add_changes(day, section);
  if (report.crawl) add_changes(day, *report.crawl);
  day.pages = pages;
  if (history.days.size() > store::kMaxPullDays)
    history.days.erase(
        history.days.begin(),
        history.days.begin() + static_cast<std::ptrdiff_t>(history.days.size() - store::kMaxPullDays));
}

base::Result<void> put_history(store::SectionEdit& edit, const store::PageStore& store,
                               const PullReport& report, std::uint64_t pages) {
  SHEAF_TRY_ASSIGN(const auto before, store::read_history(store, report.site));
  PullHistory history = before.value_or(PullHistory{});
  add_pull(history, report, pages);
  edit.put_note(store::kHistoryNote, encode(history));
  return {};
}

bool has_changed(const PullReport& report) {
  PullDay sum;
  for (const PullSectionReport& section : report.sections) add_changes(sum, section);
  if (report.crawl) add_changes(sum, *report.crawl);
  return sum.added + sum.changed + sum.removed > 0;
}

base::Result<bool> was_ok_today(const store::PageStore& store, const PullReport& report) {
  SHEAF_TRY_ASSIGN(const auto history, store::read_history(store, report.site));
  if (!history || history->days.empty()) return false;
  const PullDay& last = history->days.back();
  return last.day == day_of(report.began) && last.pulls > last.failed;
}

base::Result<std::optional<Instant>> read_retry_time(const store::PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kRetryNote));
  if (!bytes) return std::nullopt;
  base::RecordReader record(*bytes);
  const Instant time = record.time();
  return record.good_so_far() ? std::optional(time) : std::nullopt;
}

void put_retry_time(store::SectionEdit& edit, Instant time) {
  edit.put_note(kRetryNote, base::RecordWriter().time(time).bytes());
}

void remove_retry_time(store::SectionEdit& edit) { edit.remove_note(kRetryNote); }

}  // namespace sheaf::pull
