#include "sheaf/pull/fleet_list.h"

#include "sheaf/base/free_memory.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;

constexpr std::chrono::seconds kReread{2};        // interval for checking the list
constexpr std::size_t kSchedulesAtOnce = 10'000;  // number of schedules that are read together
// If more sites than this are due, they are counted once per second instead of after every pull.
constexpr std::uint64_t kQuicklyCounted = 1'000;

}  // namespace

FleetList::FleetList(FleetState& state, store::PageStore& store, const FleetJob& options,
                     std::vector<base::Url> sites)
    : state_(state),
      store_(store),
      options_(options),
      sites_(std::move(sites)),
      next_reread_(Clock::now() + kReread) {}

Result<void> FleetList::begin() {
  SHEAF_TRY(take_in(sites_));
  base::free_storage(sites_);  // the roster has them now; a million URLs take 150 MB
  base::return_free_memory();
  return {};
}

/// Replaces the list of sites.
Result<void> FleetList::take_in(const std::vector<base::Url>& sites) {
  FleetRoster& roster = state_.roster;
  for (std::size_t i = 0; i < roster.size(); ++i) roster.unlist(roster[i]);
  std::vector<std::size_t> idle;
  for (const base::Url& site : sites) {
    bool is_new = false;
    const std::size_t number = roster.find_or_add(site, &is_new);
    FleetMember& member = roster[number];
    roster.list(member, site);
    if (is_new || !(member.queued || member.running)) idle.push_back(number);
  }
  for (std::size_t i = 0; i < idle.size(); i += kSchedulesAtOnce)
    SHEAF_TRY(enqueue(std::span(idle).subspan(i, std::min(kSchedulesAtOnce, idle.size() - i))));
  for (std::size_t i = 0; i < roster.size(); ++i)
    if (!roster[i].listed && roster[i].queued) state_.remove_from_queue(i);
  return {};
}

/// Queues sites by their stored schedules.
Result<void> FleetList::enqueue(std::span<const std::size_t> numbers) {
  std::vector<std::string> names;
  names.reserve(numbers.size());
  for (const std::size_t number : numbers) names.emplace_back(state_.roster[number].origin);
  SHEAF_TRY_ASSIGN(const auto notes, store_.notes(names, store::kScheduleNote));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    enqueue(numbers[i], notes[i] ? store::decode_schedule(*notes[i]) : std::nullopt);
  return {};
}

void FleetList::enqueue(std::size_t number, const std::optional<SiteSchedule>& stored) {
  FleetMember& member = state_.roster[number];
  const std::int64_t now = options_.pull.clock().seconds;
  // A site that was never pulled is due now, not late.
  const SiteSchedule schedule = stored.value_or(SiteSchedule{.next = {now, 0}});
  member.due = std::min(due_under(schedule, options_.every).seconds, now + kLatestDue);
  member.failures = schedule.failures;
  state_.roster.set_failed(member, schedule.failures > 0);
  if (!options_.once || member.due <= now) state_.put_into_queue(number);
}

void FleetList::look() {
  const auto now = Clock::now();
  if (!options_.reread || now < next_reread_) return;
  next_reread_ = now + kReread;
  auto sites = options_.reread();
  if (!sites) return;
  if (auto taken = take_in(*sites); !taken) state_.error = taken.error();
  sites.reset();
  base::return_free_memory();
  if (options_.gauges != nullptr) count(*options_.gauges);
}

void FleetList::count(FleetGauges& gauges) {
  gauges.sites = state_.roster.listed();
  gauges.failing = state_.roster.failing();
  gauges.in_memory = state_.roster.size();
  gauges.next_due = state_.queue.next_due();
  if (gauges.due > kQuicklyCounted && Clock::now() < next_count_) return;
  const std::int64_t now = options_.pull.clock().seconds;
  gauges.due = state_.queue.count_due(now);
  gauges.late = state_.queue.count_due(now - std::chrono::seconds(kLate).count());
  next_count_ = Clock::now() + std::chrono::seconds(1);
}

FleetSummary FleetList::summarize() { return state_.roster.summarize(options_.pull.clock()); }

}  // namespace sheaf::pull
