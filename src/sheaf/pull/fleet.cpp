#include "sheaf/pull/fleet.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/pull/download_folders.h"
#include "sheaf/pull/fleet_lanes.h"
#include "sheaf/pull/fleet_queue.h"
#include "sheaf/pull/fleet_roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};  // interval for checking the time and cancellation
constexpr std::chrono::seconds kReread{2};       // interval for checking the list
constexpr std::chrono::hours kTidy{1};           // interval for cleaning the download folders
// Tries for robots.txt. A site that does not answer is retried by the schedule; meanwhile other sites are
// pulled.
constexpr unsigned kTriesOfSound = 3;
constexpr unsigned kTriesOfFailing = 1;
constexpr std::size_t kSchedulesAtOnce = 10'000;  // read together
// Up to so many due sites are counted after every pull, more of them once per second.
constexpr std::uint64_t kQuicklyCounted = 1'000;

class Fleet {
 public:
  Fleet(store::PageStore& store, const FleetOptions& options)
      : store_(store), options_(options), lanes_(options.sites_at_once, options.patience) {}

  Result<FleetSummary> run(std::vector<base::Url> sites) {
    SHEAF_TRY(take_in(sites));
    sites = {};  // the roster has them; a million take 150 MB
    base::return_free_memory();
    update_gauges();
    if (options_.requests != nullptr)
      options_.requests->open([this](const PullRequest& request) { return pull_now(request); });
    {
      std::vector<std::jthread> workers;
      const std::size_t most = options_.reread ? lanes_.places() : std::max<std::size_t>(roster_.size(), 1);
      const std::size_t count = std::min(lanes_.places(), most);
      workers.reserve(count);
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this, i] { work(i); });
    }
    if (options_.requests != nullptr) options_.requests->close();
    if (error_) return std::unexpected(*error_);
    return roster_.summarize(options_.pull.clock());
  }

 private:
  /// A running pull, and whether it may keep its place. Any thread of the pull may call it.
  class Place {
   public:
    Place(Fleet& fleet, const FleetMember& member)
        : fleet_(fleet),
          site_(member.origin),
          tempo_(member.tempo),
          lane_(member.tempo.lane()),
          next_look_(start_ + fleet.lanes_.time_for(tempo_)) {}

    [[nodiscard]] bool has_to_stop() {
      if (yields_ || fleet_.is_cancelled()) return true;
      if (!fleet_.is_ours(site_)) return true;
      if (Clock::now() < next_look_.load()) return false;
      const std::lock_guard lock(fleet_.mutex_);
      look();
      return yields_;
    }

    [[nodiscard]] bool has_yielded() const { return yields_; }
    [[nodiscard]] Lane lane() const { return lane_; }
    /// A pull that ended in time is no longer slow.
    [[nodiscard]] SiteTempo tempo_after() const {
      return !yields_ && Clock::now() - start_ < fleet_.options_.patience ? SiteTempo{} : tempo_;
    }

   private:
    /// The caller holds the mutex.
    void look() {
      const auto elapsed = std::chrono::floor<std::chrono::milliseconds>(Clock::now() - start_);
      const auto verdict = fleet_.lanes_.judge(lane_, tempo_, elapsed, fleet_.has_due(lane_));
      next_look_ = Clock::now() + kLook;
      if (verdict == FleetLanes::Verdict::go_on) return;
      ++tempo_.level;
      if (verdict == FleetLanes::Verdict::yield) {
        yields_ = true;
        return;
      }
      lane_ = Lane::slow;
      next_look_ = start_ + fleet_.lanes_.time_for(tempo_);
      fleet_.changed_.notify_all();  // there is room for another one
    }

    Fleet& fleet_;
    const std::string site_;
    const Clock::time_point start_ = Clock::now();
    SiteTempo tempo_;
    Lane lane_;
    std::atomic<Clock::time_point> next_look_;
    std::atomic<bool> yields_ = false;
  };

  /// Replaces the list of sites.
  Result<void> take_in(const std::vector<base::Url>& sites) {
    for (std::size_t i = 0; i < roster_.size(); ++i) roster_.unlist(roster_[i]);
    std::vector<std::size_t> idle;
    for (const base::Url& site : sites) {
      bool is_new = false;
      const std::size_t number = roster_.find_or_add(site, &is_new);
      FleetMember& member = roster_[number];
      roster_.list(member, site);
      if (is_new || !(member.queued || member.running)) idle.push_back(number);
    }
    for (std::size_t i = 0; i < idle.size(); i += kSchedulesAtOnce)
      SHEAF_TRY(enqueue(std::span(idle).subspan(i, std::min(kSchedulesAtOnce, idle.size() - i))));
    for (std::size_t i = 0; i < roster_.size(); ++i) {
      if (roster_[i].listed || !roster_[i].queued) continue;
      queue_.remove(i);
      roster_[i].queued = false;
    }
    return {};
  }

  /// Uses the schedules that are stored.
  Result<void> enqueue(std::span<const std::size_t> numbers) {
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const std::size_t number : numbers) names.emplace_back(roster_[number].origin);
    SHEAF_TRY_ASSIGN(const auto notes, store_.notes(names, store::kScheduleNote));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      enqueue(numbers[i], notes[i] ? store::decode_schedule(*notes[i]) : std::nullopt);
    return {};
  }

  void enqueue(std::size_t number, const std::optional<SiteSchedule>& stored) {
    FleetMember& member = roster_[number];
    const std::int64_t now = options_.pull.clock().seconds;
    // A site that was never pulled is due now; it is not late.
    const SiteSchedule schedule = stored.value_or(SiteSchedule{.next = {now, 0}});
    // A clock that was wrong for a day must not postpone a site for a year.
    member.due = std::min(due_under(schedule, options_.every).seconds, now + 40 * std::int64_t{86'400});
    member.failures = schedule.failures;
    roster_.set_failed(member, schedule.failures > 0);
    if (!options_.once || member.due <= now) put_into_queue(number);
  }

  void put_into_queue(std::size_t number) {
    queue_.insert(number, roster_[number].due);
    roster_[number].queued = true;
  }

  void update_gauges() {
    if (options_.gauges == nullptr) return;
    FleetGauges& gauges = *options_.gauges;
    gauges.sites = roster_.listed();
    gauges.failing = roster_.failing();
    gauges.running = running_;
    gauges.next_due = queue_.next_due();
    if (gauges.due <= kQuicklyCounted || Clock::now() >= next_count_) {
      const std::int64_t now = options_.pull.clock().seconds;
      gauges.due = queue_.count_due(now);
      gauges.late = queue_.count_due(now - std::chrono::seconds(kLate).count());
      next_count_ = Clock::now() + std::chrono::seconds(1);
    }
    if (options_.share == nullptr) return;
    const auto number = [](const std::atomic<std::uint64_t>& value) {
      return static_cast<std::int64_t>(value.load());
    };
    options_.share->report({number(gauges.sites), number(gauges.due), number(gauges.late),
                            number(gauges.failing), number(gauges.running)});
  }

  /// Whether the site was not given to another process meanwhile.
  [[nodiscard]] bool is_ours(std::string_view site) const {
    return options_.share == nullptr || options_.share->owns(site);
  }

  [[nodiscard]] bool is_cancelled() const { return options_.pull.cancelled && options_.pull.cancelled(); }

  /// One thread at a time, now and then.
  void tidy() {
    const std::unique_lock lock(tidying_, std::try_to_lock);
    if (!lock.owns_lock() || options_.pull.plan_only || Clock::now() < next_tidy_) return;
    next_tidy_ = Clock::now() + kTidy;
    tidy_downloads(options_.downloads, {});
  }

  /// The caller holds the mutex.
  void look_at_list() {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.reread || now < next_reread_) return;
    next_reread_ = now + kReread;
    auto sites = options_.reread();
    if (!sites) return;
    if (auto taken = take_in(*sites); !taken) error_ = taken.error();
    sites.reset();
    base::return_free_memory();
    update_gauges();
  }

  /// The first site in the queue that is due and begins in such a lane.
  [[nodiscard]] std::optional<std::size_t> first_due(const std::function<bool(Lane)>& accepts) {
    return queue_.first_due(options_.pull.clock().seconds,
                            [&](std::size_t site) { return accepts(roster_[site].tempo.lane()); });
  }

  [[nodiscard]] bool has_due(Lane lane) {
    return first_due([&](Lane each) { return each == lane; }).has_value();
  }

  /// Waits for the next site that is due; null when the run ends.
  FleetMember* take() {
    std::unique_lock lock(mutex_);
    while (!error_ && !is_cancelled()) {
      look_at_list();
      const auto site = first_due([this](Lane lane) { return lanes_.has_room(lane); });
      if (site) {
        FleetMember& member = roster_[*site];
        queue_.remove(*site);
        if (options_.share != nullptr && !options_.share->enter(member.origin)) {
          member.queued = false;  // the next look at the list says so too
          continue;
        }
        lanes_.enter(member.tempo.lane());
        begin_turn(member);
        return &member;
      }
      if (options_.once && queue_.empty() && running_ == 0) break;
      changed_.wait_for(lock, kLook);
    }
    changed_.notify_all();
    return nullptr;
  }

  void work(std::size_t seed) {
    std::minstd_rand generator(static_cast<std::uint32_t>(std::random_device{}() + seed));
    while (FleetMember* const member = take()) {
      PullOptions options = options_.pull;
      options.crawl.budget = options_.slice;
      options.first_tries = member->failed ? kTriesOfFailing : kTriesOfSound;
      Place place(*this, *member);
      options.cancelled = [&place] { return place.has_to_stop(); };
      options.fetch.cancelled = [&place, stopped = options_.pull.fetch.cancelled] {
        return place.has_to_stop() || (stopped && stopped());
      };
      const double random = std::uniform_real_distribution<>(0, 1)(generator);
      std::optional<SiteSchedule> committed;
      options.add_notes = [&](const PullReport& ended, store::SectionEdit& notes) {
        if (place.has_yielded() && !ended.ok) return;  // it continues later
        committed = next_schedule(*member, ended, random);
        notes.put_note(store::kScheduleNote, encode(*committed));
      };
      const base::Url site = address_of(*member);
      const PullReport report = pull_one(site, options, committed);
      tidy();
      const Result<void> packed = pack({});
      const std::lock_guard lock(mutex_);
      end_turn(*member);
      lanes_.leave(place.lane());
      member->tempo = place.tempo_after();
      const bool ours = is_ours(site.origin());
      if (options_.share != nullptr) options_.share->leave(site.origin());
      if (!ours) {
        member->unfinished = member->listed;  // the process that has it now continues
      } else if (!packed) {
        error_ = packed.error();
      } else if (place.has_yielded() && !report.ok && !is_cancelled()) {
        put_back_unfinished(*member);
      } else if (auto kept = put_back(*member, report, random, committed); !kept) {
        // Lost in the meantime: not a failure of the store.
        if (options_.share == nullptr || kept.error().code != base::Errc::in_use) error_ = kept.error();
      }
      update_gauges();
      changed_.notify_all();
    }
  }

  /// Runs in the caller's thread, so that a requested pull does not wait for a free worker.
  Result<PullReport> pull_now(const PullRequest& request) {
    SHEAF_TRY_ASSIGN(const Claim claim, claim_site(request));
    PullOptions options = options_.pull;
    if (!request.sections.empty()) options.sections = request.sections;
    if (request.allow_shrink) options.shrink = format::Shrink::allow;
    options.html = request.html.value_or(options.html);
    options.progress = request.progress;
    auto report = pull_site(store_, request.site, folder_of_site(options_.downloads, request.site), options);
    if (auto packed = pack(request.progress); !packed) report = std::unexpected(packed.error());
    const std::lock_guard lock(mutex_);
    end_turn(roster_[claim.site]);
    const auto kept = put_back(claim, request, report);
    update_gauges();
    changed_.notify_all();
    if (!kept) return std::unexpected(kept.error());
    if (report && is_cancelled())
      return base::fail(base::Errc::refused,
                        "the process that holds the store was stopped before the pull was done; pull again");
    return report;
  }

  struct Claim {
    std::size_t site = 0;     ///< its number in the roster
    bool was_queued = false;  ///< and had a due time
  };

  /// Reserves the site: no other thread pulls it until end_turn().
  Result<Claim> claim_site(const PullRequest& request) {
    std::unique_lock lock(mutex_);
    const std::size_t number = roster_.find_or_add(request.site);
    FleetMember& member = roster_[number];
    if (member.running && request.on_wait) {
      lock.unlock();  // the callback may write to a slow client
      request.on_wait();
      lock.lock();
    }
    while (member.running && !error_ && !is_cancelled()) changed_.wait_for(lock, kLook);
    if (error_ || is_cancelled())
      return base::fail(base::Errc::refused, "the process that holds the store is ending; pull again");
    const Claim claim{number, member.queued};
    queue_.remove(claim.site);
    begin_turn(member);
    return claim;
  }

  /// After a requested pull. A pull of single sections says nothing about the whole site, so the schedule
  /// does not change; nor does that of a site that is not on the list.
  Result<void> put_back(const Claim& claim, const PullRequest& request, const Result<PullReport>& report) {
    FleetMember& member = roster_[claim.site];
    if (report && member.listed && request.sections.empty()) return put_back(member, *report, 0);
    if (report && !is_cancelled() && options_.on_report) options_.on_report(*report);
    if (member.listed && (claim.was_queued || !options_.once)) put_into_queue(claim.site);
    return {};
  }

  /// The caller holds the mutex.
  void begin_turn(FleetMember& member) {
    member.queued = false;
    member.running = true;
    ++running_;
    update_gauges();
  }

  /// The caller holds the mutex.
  void end_turn(FleetMember& member) {
    member.running = false;
    --running_;
  }

  /// An error ends the pull of this site only. If the store itself is broken, put_back() cannot write the
  /// schedule either, and that ends the fleet.
  PullReport pull_one(const base::Url& site, const PullOptions& options,
                      std::optional<SiteSchedule>& committed) {
    auto report = pull_site(store_, site, folder_of_site(options_.downloads, site), options);
    if (report) return std::move(*report);
    committed.reset();
    PullReport failed;
    failed.site = site.origin();
    failed.began = options.clock();
    failed.failure = failure_of(report.error());
    return failed;
  }

  /// A new list may name another sitemap of the site.
  base::Url address_of(const FleetMember& member) {
    const std::lock_guard lock(mutex_);
    return roster_.url_of(member);
  }

  /// One thread at a time; the others continue to pull.
  Result<void> pack(const std::function<void(const PullProgress&)>& progress) {
    const std::unique_lock lock(packing_, std::try_to_lock);
    if (options_.pull.pack_threads == 0 || !lock.owns_lock() || is_cancelled()) return {};
    SHEAF_TRY(store_.pack(store::kWorthPacking, options_.pull.pack_threads, pack_progress(progress)));
    return {};
  }

  /// A pull that was interrupted for others continues when the slow lane has a free place.
  void put_back_unfinished(FleetMember& member) {
    member.unfinished = true;
    if (member.listed) put_into_queue(roster_.number_of(member));
  }

  /// Only the thread that pulls the site changes its schedule.
  [[nodiscard]] SiteSchedule next_schedule(const FleetMember& member, const PullReport& report,
                                           double random) const {
    return reschedule({.next = {}, .failures = member.failures}, report, options_.every,
                      options_.pull.clock(), random);
  }

  /// `committed`: the schedule that the pull itself has stored.
  Result<void> put_back(FleetMember& member, const PullReport& report, double random,
                        const std::optional<SiteSchedule>& committed = {}) {
    // An interrupted pull says nothing about the site. One that had already ended is reported: the store says
    // that it is done, so nothing else would.
    member.unfinished = is_cancelled() && !committed;
    if (member.unfinished) return {};
    const SiteSchedule schedule = committed.value_or(next_schedule(member, report, random));
    member.due = schedule.next.seconds;
    member.failures = schedule.failures;
    if (!options_.pull.plan_only && !committed) {
      store::SectionEdit edit(report.site, kHtmlSection);
      edit.put_note(store::kScheduleNote, encode(schedule));
      SHEAF_TRY(store_.commit(edit));
    }
    roster_.set_failed(member, !report.ok);
    member.unfinished = report.ok && report.crawl && !report.crawl->complete;
    member.attempted = !member.unfinished;
    if (options_.on_report) options_.on_report(report);
    if (member.listed && (member.unfinished || !options_.once)) put_into_queue(roster_.number_of(member));
    return {};
  }

  store::PageStore& store_;
  const FleetOptions& options_;
  std::mutex mutex_;
  std::mutex packing_;
  std::mutex tidying_;
  Clock::time_point next_tidy_ = Clock::now() + kTidy;
  std::condition_variable changed_;
  FleetRoster roster_;
  FleetQueue queue_;
  FleetLanes lanes_;
  std::size_t running_ = 0;
  Clock::time_point next_count_ = {};  ///< of the due sites, if they are many
  std::chrono::steady_clock::time_point next_reread_ = std::chrono::steady_clock::now() + kReread;
  std::optional<base::Error> error_;
};

}  // namespace

std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site) {
  std::string name = site.origin();
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ':' || c == '[' || c == ']'; }, '_');
  return downloads / name;
}

Result<FleetSummary> pull_many(store::PageStore& store, std::vector<base::Url> sites,
                               const FleetOptions& options) {
  auto summary = Fleet(store, options).run(std::move(sites));
  if (options.requests != nullptr) options.requests->close();  // also if it never started
  return summary;
}

}  // namespace sheaf::pull
