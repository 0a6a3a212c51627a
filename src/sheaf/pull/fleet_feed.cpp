#include "sheaf/pull/fleet_feed.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using store::ScheduledSite;

constexpr std::chrono::milliseconds kBetweenFeeds{500};
// Counting reads all sites, so it may take at most a fiftieth of the time.
constexpr std::chrono::seconds kBetweenCounts{2};
constexpr int kCountShare = 50;

std::uint64_t count_of(std::int64_t number) { return number < 0 ? 0 : static_cast<std::uint64_t>(number); }

}  // namespace

FleetFeed::FleetFeed(FleetState& state, store::WorkShare& share, const FleetJob& options)
    : state_(state),
      share_(share),
      options_(options),
      started_(options.pull.clock().seconds),
      window_(options.window) {}

Result<void> FleetFeed::begin() {
  SHEAF_TRY(feed());
  count_all();
  thread_ = std::thread([this] { run(); });
  return {};
}

void FleetFeed::end() {
  {
    const std::lock_guard lock(state_.mutex);
    stopped_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void FleetFeed::run() {
  std::unique_lock lock(state_.mutex);
  while (!stop_.wait_for(lock, kBetweenFeeds, [this] { return stopped_; })) {
    lock.unlock();
    const auto fed = feed();
    if (Clock::now() >= next_count_) count_all();
    lock.lock();
    // While the database cannot be reached, the sites stay as they were. With `once` that is an error,
    // because the run would end without some sites.
    if (!fed && options_.once) state_.error = fed.error();
    if (options_.gauges != nullptr) count(*options_.gauges);  // also if no pull is running
    state_.changed.notify_all();
  }
}

Result<void> FleetFeed::feed() {
  SHEAF_TRY_ASSIGN(const store::WorkShare::Parts parts, share_.parts());
  const std::int64_t now = options_.pull.clock().seconds;
  FleetWindow::Reading reading;
  std::size_t limit = 0;
  {
    const std::lock_guard lock(state_.mutex);
    window_.follow(parts);
    drop_lost();
    const InMemory in_memory = look_at_members();
    reading = window_.to_read(now, in_memory.waiting);
    // Sites that are being pulled are still due in the database, so more must be read.
    limit = window_.per_part() + in_memory.most_busy;
    ended_.clear();
  }
  if (reading.parts.empty()) return {};
  if (!reading.fresh.empty())
    SHEAF_TRY(share_.bring_forward(
        reading.fresh,
        {now + kLatestDue,
         options_.every ? std::optional<std::int64_t>(options_.every->count()) : std::nullopt}));
  constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();
  SHEAF_TRY_ASSIGN(const auto sites,
                   share_.first_due(reading.parts, limit, options_.once ? started_ : kEver));
  const std::lock_guard lock(state_.mutex);
  merge(reading.parts, sites, limit);
  return {};
}

FleetFeed::InMemory FleetFeed::look_at_members() const {
  InMemory found;
  std::map<int, std::size_t> busy;
  for (std::size_t i = 0; i < part_of_.size(); ++i) {
    const FleetMember& member = state_.roster[i];
    if (member.queued && member.tempo.lane() == Lane::normal) ++found.waiting[part_of_[i]];
    if (member.running || (member.queued && member.tempo.lane() == Lane::slow))
      found.most_busy = std::max(found.most_busy, ++busy[part_of_[i]]);
  }
  return found;
}

void FleetFeed::drop_lost() {
  for (std::size_t i = 0; i < part_of_.size(); ++i) {
    if (!state_.roster[i].queued || window_.has(part_of_[i])) continue;
    state_.remove_from_queue(i);
    drop(i);
  }
}

void FleetFeed::merge(const std::vector<int>& parts, const std::vector<ScheduledSite>& sites,
                      std::size_t limit) {
  ++readings_;
  struct Read {
    std::size_t sites = 0;
    std::int64_t last_due = 0;
  };
  std::map<int, Read> read;
  for (const ScheduledSite& site : sites) {
    Read& part = read[site.part];
    ++part.sites;
    part.last_due = site.due;
    take_in(site);
  }
  for (const int number : parts) {
    const Read& part = read[number];
    window_.set_read(number, part.sites < limit ? std::nullopt : std::optional(part.last_due));
  }
  drop_unread(parts);
  for (const std::string& origin : ended_)
    if (const int part = share_.part_of(origin); std::ranges::binary_search(parts, part))
      window_.read_again(part);
  next_horizon_ = window_.next_horizon();
}

/// Takes a site into memory. If its turn ended during the reading, what was read is out of date.
void FleetFeed::take_in(const ScheduledSite& site) {
  const auto url = base::Url::parse(site.url);
  if (!url || ended_.contains(url->origin())) return;
  const std::size_t number = state_.roster.find_or_add(*url);
  if (part_of_.size() <= number) {
    part_of_.resize(number + 1);
    read_in_.resize(number + 1);
  }
  part_of_[number] = site.part;
  read_in_[number] = readings_;
  FleetMember& member = state_.roster[number];
  state_.roster.list(member, *url);
  if (member.running || (member.queued && member.due == site.due)) return;
  member.due = site.due;
  member.failures = site.failures;
  state_.roster.set_failed(member, site.failures > 0);
  state_.put_into_queue(number);
}

/// Drops the sites of these parts that are no longer listed or are beyond the horizon.
void FleetFeed::drop_unread(const std::vector<int>& parts) {
  for (std::size_t i = 0; i < part_of_.size(); ++i) {
    const FleetMember& member = state_.roster[i];
    if (!(member.queued || member.running) || read_in_[i] == readings_ ||
        !std::ranges::binary_search(parts, part_of_[i]) || ended_.contains(member.origin))
      continue;
    if (member.running) window_.read_again(part_of_[i]);  // it is dropped after its turn
    if (!member.queued) continue;
    state_.remove_from_queue(i);
    drop(i);
  }
}

/// A slow site stays in the roster, so that its next turn starts in the slow lane.
void FleetFeed::drop(std::size_t number) {
  FleetMember& member = state_.roster[number];
  if (member.running || member.origin.empty()) return;
  state_.roster.unlist(member);
  if (member.tempo.lane() == Lane::normal) state_.roster.forget(number);
}

void FleetFeed::end_turn(std::size_t number) {
  const FleetMember& member = state_.roster[number];
  ended_.emplace(member.origin);
  if (member.queued) return;
  // A site that is still due was lost during its turn. If this process has its part again, it read the part
  // while the site was being pulled, and left it out.
  if (number < part_of_.size() && member.due <= options_.pull.clock().seconds)
    window_.read_again(part_of_[number]);
  drop(number);
}

bool FleetFeed::keeps(std::size_t number) const {
  return number < part_of_.size() && window_.covers(part_of_[number], state_.roster[number].due);
}

void FleetFeed::count_all() {
  const auto began = Clock::now();
  const std::int64_t now = options_.pull.clock().seconds;
  const std::int64_t late = now - std::chrono::seconds(kLate).count();
  const auto totals = share_.count({now, late, started_});
  next_count_ =
      Clock::now() + std::max<Clock::duration>(kBetweenCounts, kCountShare * (Clock::now() - began));
  if (!totals) return;
  const std::lock_guard lock(state_.mutex);
  totals_ = *totals;
  running_due_ = running_late_ = 0;
  for (std::size_t i = 0; i < part_of_.size(); ++i) {
    if (!state_.roster[i].running) continue;
    if (state_.roster[i].due <= now) ++running_due_;
    if (state_.roster[i].due <= late) ++running_late_;
  }
}

void FleetFeed::count(FleetGauges& gauges) {
  gauges.sites = count_of(totals_.sites);
  gauges.failing = count_of(totals_.failing);
  gauges.due = count_of(totals_.due - static_cast<std::int64_t>(running_due_));
  gauges.late = count_of(totals_.late - static_cast<std::int64_t>(running_late_));
  gauges.in_memory = state_.roster.count();
  const std::int64_t next = state_.queue.next_due();
  gauges.next_due =
      next == 0 || (next_horizon_ && *next_horizon_ < next) ? next_horizon_.value_or(next) : next;
  const auto number = [](const std::atomic<std::uint64_t>& value) {
    return static_cast<std::int64_t>(value.load());
  };
  share_.report({number(gauges.sites), number(gauges.due), number(gauges.late), number(gauges.failing),
                 number(gauges.running)});
}

FleetSummary FleetFeed::summarize() {
  count_all();
  FleetSummary summary;
  summary.sites = count_of(totals_.sites);
  summary.pulled = count_of(totals_.pulled);
  summary.failed = count_of(totals_.failed);
  summary.unfinished = count_of(totals_.unfinished);
  summary.not_due = count_of(totals_.sites - totals_.pulled - totals_.failed - totals_.unfinished);
  summary.still_failing = count_of(totals_.still_failing);
  return summary;
}

}  // namespace sheaf::pull
