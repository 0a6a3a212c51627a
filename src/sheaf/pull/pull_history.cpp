#include "sheaf/pull/pull_history.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/record.h"

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::uint64_t kHistoryVersion = 1;
constexpr std::int64_t kSecondsOfDay = 86'400;
constexpr std::size_t kFailureBytes = 500;

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

std::string encode(const PullHistory& history) {
  base::RecordWriter record;
  record.number(kHistoryVersion).time(history.last).number(history.ok ? 1 : 0).text(history.failure_code);
  record.text(history.failure).number(history.days.size());
  for (const PullDay& day : history.days) {
    record.signed_number(day.day);
    for (const std::uint64_t value : {day.pulls, day.failed, day.requests, day.bytes, day.crawl_bytes,
                                      day.added, day.changed, day.removed, day.pages})
      record.number(value);
  }
  return record.bytes();
}

std::optional<PullHistory> decode_history(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kHistoryVersion) return std::nullopt;
  PullHistory history;
  history.last = record.time();
  history.ok = record.number() != 0;
  history.failure_code = record.text();
  history.failure = record.text();
  const std::uint64_t count = record.number();
  if (count > kMostPullDays) return std::nullopt;
  for (std::uint64_t i = 0; i < count && record.good_so_far(); ++i) {
    PullDay day;
    day.day = record.signed_number();
    for (std::uint64_t* value : {&day.pulls, &day.failed, &day.requests, &day.bytes, &day.crawl_bytes,
                                 &day.added, &day.changed, &day.removed, &day.pages})
      *value = record.number();
    history.days.push_back(day);
  }
  if (!record.good()) return std::nullopt;
  return history;
}

void add_pull(PullHistory& history, const PullReport& report, std::uint64_t pages) {
  history.last = report.began;
  history.ok = report.ok;
  history.failure_code = report.ok ? std::string() : std::string(to_string(report.failure.code));
  history.failure =
      report.ok ? std::string() : std::string(base::cut_utf8(report.failure.message, kFailureBytes));
  const std::int64_t today = day_of(report.began);
  // A clock that was set back must not make days come twice.
  std::erase_if(history.days, [&](const PullDay& day) { return day.day > today; });
  if (history.days.empty() || history.days.back().day != today) history.days.push_back({.day = today});
  PullDay& day = history.days.back();
  ++day.pulls;
  day.failed += report.ok ? 0 : 1;
  day.requests += report.requests;
  day.bytes += report.bytes;
  if (report.ok) day.crawl_bytes += report.crawl_bytes;  // a crawl would have failed too
  for (const PullSectionReport& section : report.sections) add_changes(day, section);
  if (report.crawl) add_changes(day, *report.crawl);
  day.pages = pages;
  if (history.days.size() > kMostPullDays)
    history.days.erase(history.days.begin(), history.days.begin() + static_cast<std::ptrdiff_t>(
                                                                        history.days.size() - kMostPullDays));
}

base::Result<std::optional<PullHistory>> read_history(const store::PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kHistoryNote));
  return bytes ? decode_history(*bytes) : std::nullopt;
}

base::Result<void> record_pull(store::PageStore& store, const PullReport& report) {
  SHEAF_TRY_ASSIGN(const auto before, read_history(store, report.site));
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(report.site));
  std::uint64_t pages = 0;
  for (const store::SectionState& section : sections) pages += section.pages;
  PullHistory history = before.value_or(PullHistory{});
  add_pull(history, report, pages);
  store::SectionEdit edit(report.site, kHtmlSection);
  edit.put_note(kHistoryNote, encode(history));
  SHEAF_TRY(store.commit(edit));
  return {};
}

}  // namespace sheaf::pull
