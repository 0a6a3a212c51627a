#include "sheaf/store/site_notes.h"

#include "sheaf/base/record.h"
#include "sheaf/store/page_store.h"

#include <utility>

namespace sheaf::store {
namespace {

constexpr std::uint64_t kHistoryVersion = 1;

}  // namespace

std::string encode(const SiteSchedule& schedule) {
  base::RecordWriter record;
  record.signed_number(schedule.next.seconds)
      .number(schedule.failures)
      .signed_number(schedule.last.seconds)
      .text(schedule.trouble)
      .text(schedule.failure_code);
  return record.bytes();
}

std::optional<SiteSchedule> decode_schedule(std::string_view bytes) {
  base::RecordReader record(bytes);
  SiteSchedule schedule;
  schedule.next.seconds = record.signed_number();
  schedule.failures = static_cast<std::uint32_t>(record.number());
  schedule.last.seconds = record.signed_number();
  schedule.trouble = record.text();
  schedule.failure_code = record.text();
  if (!record.good()) return std::nullopt;
  return schedule;
}

base::Result<std::optional<SiteSchedule>> read_schedule(const PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kScheduleNote));
  return bytes ? decode_schedule(*bytes) : std::nullopt;
}

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
  if (count > kMaxPullDays) return std::nullopt;
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

base::Result<std::optional<PullHistory>> read_history(const PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kHistoryNote));
  return bytes ? decode_history(*bytes) : std::nullopt;
}

std::string host_identity(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string identity(host);
  if (const auto port = url.port()) identity += ":" + std::to_string(*port);
  return identity;
}

SiteHosts::SiteHosts(std::string_view site, HostFilter vouch) : vouch_(std::move(vouch)) {
  const auto url = base::Url::parse(site);
  if (!url) return;
  own_ = host_identity(*url);
  prefix_ = url->origin() + "/";
}

bool SiteHosts::contain(std::string_view page_url) {
  // Parsing a URL costs more than everything else here, so common URLs are compared as text.
  if (!prefix_.empty() && page_url.starts_with(prefix_)) return true;
  const auto url = base::Url::parse(page_url);
  return url && judge(*url);
}

bool SiteHosts::judge(const base::Url& page) {
  std::string identity = host_identity(page);
  if (identity == own_) return true;
  if (!vouch_) return false;
  if (const auto known = others_.find(identity); known != others_.end()) return known->second;
  const bool belongs = vouch_(page);
  if (others_.size() < kRemembered) others_.emplace(std::move(identity), belongs);
  return belongs;
}

}  // namespace sheaf::store
