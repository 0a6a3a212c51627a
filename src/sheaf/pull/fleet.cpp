#include "sheaf/pull/fleet.h"

#include "sheaf/base/threads.h"
#include "sheaf/pull/crash_notes.h"
#include "sheaf/pull/download_folders.h"
#include "sheaf/pull/fleet_feed.h"
#include "sheaf/pull/fleet_lanes.h"
#include "sheaf/pull/fleet_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};  // interval for checking the time and cancellation
constexpr std::chrono::hours kTidy{1};           // interval for cleaning the download folders
// Tries for robots.txt, for sites whose last pull succeeded or failed. A site that does not answer is retried
// by the schedule, and other sites are pulled meanwhile.
constexpr unsigned kTriesHealthy = 3;
constexpr unsigned kTriesOfFailing = 1;

class Fleet {
 public:
  Fleet(store::PageStore& store, const FleetJob& options, std::vector<base::Url> sites)
      : store_(store),
        options_(options),
        source_(make_source(state_, store, options, std::move(sites))),
        lanes_(options.sites_at_once, options.patience),
        crashes_(options.downloads, options.pull.clock()) {}

  Result<FleetSummary> run() {
    SHEAF_TRY(source_->begin());
    {
      const std::lock_guard lock(mutex_);
      update_gauges();
    }
    if (options_.requests != nullptr)
      options_.requests->open([this](const PullRequest& request) { return pull_now(request); });
    {
      std::vector<std::jthread> workers;
      const bool may_grow = options_.reread || options_.share != nullptr;
      const std::size_t most = may_grow ? lanes_.places() : std::max<std::size_t>(roster_.size(), 1);
      const std::size_t count = std::min(lanes_.places(), most);
      workers.reserve(count);
      base::start_threads(workers, count, 1, [this] { work(); });
    }
    if (options_.requests != nullptr) options_.requests->close();
    source_->end();
    if (state_.error) return std::unexpected(*state_.error);
    FleetSummary summary = source_->summarize();
    update_gauges();
    return summary;
  }

 private:
  static std::unique_ptr<FleetSource> make_source(FleetState& state, store::PageStore& store,
                                                  const FleetJob& options, std::vector<base::Url> sites) {
    if (options.share != nullptr) return std::make_unique<FleetFeed>(state, *options.share, options);
    return std::make_unique<FleetList>(state, store, options, std::move(sites));
  }

  /// A running pull, which decides whether it may keep its place in its lane. Any thread of the pull may call
  /// it.
  class Place {
   public:
    Place(Fleet& fleet, const FleetMember& member, std::string site)
        : fleet_(fleet),
          site_(std::move(site)),
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
    /// A site whose pull ended in time is no longer slow.
    [[nodiscard]] SiteTempo tempo_after() const {
      return !yields_ && Clock::now() - start_ < fleet_.options_.patience ? SiteTempo{} : tempo_;
    }

   private:
    /// The caller must hold the mutex.
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
      fleet_.changed_.notify_all();  // the normal lane has a free place
    }

    Fleet& fleet_;
    const std::string site_;
    const Clock::time_point start_ = Clock::now();
    SiteTempo tempo_;
    Lane lane_;
    std::atomic<Clock::time_point> next_look_;
    std::atomic<bool> yields_ = false;
  };

  void update_gauges() {
    if (options_.gauges == nullptr) return;
    FleetGauges& gauges = *options_.gauges;
    gauges.running = state_.running;
    source_->count(gauges);
  }

  /// Whether this process still owns the site; a shared list may have given it to another process.
  [[nodiscard]] bool is_ours(std::string_view site) const {
    return options_.share == nullptr || options_.share->owns(site);
  }

  [[nodiscard]] bool is_cancelled() const { return options_.pull.cancelled && options_.pull.cancelled(); }

  /// Cleans the download folders every kTidy, on one thread at a time.
  void tidy() {
    const std::unique_lock lock(tidying_, std::try_to_lock);
    if (!lock.owns_lock() || options_.pull.plan_only || Clock::now() < next_tidy_) return;
    next_tidy_ = Clock::now() + kTidy;
    tidy_downloads(options_.downloads, {});
  }

  /// The first site in the queue that is due and starts in an accepted lane.
  [[nodiscard]] std::optional<std::size_t> first_due(const std::function<bool(const FleetMember&)>& accepts) {
    return queue_.first_due(options_.pull.clock().seconds,
                            [&](std::size_t site) { return accepts(roster_[site]); });
  }

  [[nodiscard]] bool has_due(Lane lane) {
    return first_due([&](const FleetMember& each) { return each.tempo.lane() == lane; }).has_value();
  }

  /// Whether the member may start now: its lane has room, and no two suspects of crashes run at a time.
  [[nodiscard]] bool may_start(const FleetMember& member) const {
    if (!lanes_.has_room(member.tempo.lane())) return false;
    return suspects_ == 0 || !crashes_.is_suspect(roster_.url_of(member));
  }

  /// Waits for the next site that is due; returns null when the run ends.
  FleetMember* take() {
    std::unique_lock lock(mutex_);
    while (!state_.error && !is_cancelled()) {
      source_->look();
      const auto site = first_due([this](const FleetMember& member) { return may_start(member); });
      if (site) {
        FleetMember& member = roster_[*site];
        queue_.remove(*site);
        if (options_.share != nullptr && !options_.share->enter(member.origin)) {
          member.queued = false;  // another process owns it now
          source_->end_turn(*site);
          continue;
        }
        lanes_.enter(member.tempo.lane());
        if (crashes_.is_suspect(roster_.url_of(member))) ++suspects_;
        begin_turn(member);
        return &member;
      }
      if (options_.once && queue_.empty() && state_.running == 0 && source_->is_complete()) break;
      changed_.wait_for(lock, kLook);
    }
    changed_.notify_all();
    return nullptr;
  }

  void work() {
    std::minstd_rand generator(std::random_device{}());
    while (FleetMember* const member = take()) {
      SitePullOptions options = options_.pull;
      options.crawl.budget = options_.slice;
      options.first_tries = member->failed ? kTriesOfFailing : kTriesHealthy;
      const base::Url site = address_of(*member);
      Place place(*this, *member, site.origin());
      options.cancelled = [&place] { return place.has_to_stop(); };
      options.fetch.cancelled = [&place, stopped = options_.pull.fetch.cancelled] {
        return place.has_to_stop() || (stopped && stopped());
      };
      const double random = std::uniform_real_distribution<>(0, 1)(generator);
      std::optional<SiteSchedule> committed;
      options.add_notes = [&](const PullReport& ended, store::SectionEdit& notes) {
        if (place.has_yielded() && !ended.ok) return;  // the pull is continued later
        committed = next_schedule(*member, ended, random);
        notes.put_note(store::kScheduleNote, encode(*committed));
      };
      const bool is_suspect = crashes_.is_suspect(site);
      const PullReport report = pull_one(site, options, committed);
      tidy();
      const Result<void> packed = pack({});
      const std::lock_guard lock(mutex_);
      end_turn(*member);
      if (is_suspect) --suspects_;
      lanes_.leave(place.lane());
      member->tempo = place.tempo_after();
      const bool ours = is_ours(site.origin());
      if (options_.share != nullptr) options_.share->leave(site.origin());
      if (!ours) {
        member->unfinished = member->listed;  // the process that owns it now continues
      } else if (!packed) {
        state_.error = packed.error();
      } else if (place.has_yielded() && !report.ok && !is_cancelled()) {
        put_back_unfinished(*member);
      } else if (auto kept = put_back(*member, report, random, committed); !kept) {
        // The site was lost to another process in the meantime; the store has not failed.
        if (options_.share == nullptr || kept.error().code != base::Errc::in_use) state_.error = kept.error();
      }
      source_->end_turn(roster_.number_of(*member));
      update_gauges();
      changed_.notify_all();
    }
  }

  /// Pulls on the caller's thread, so that a requested pull does not wait for a free worker.
  Result<PullReport> pull_now(const PullRequest& request) {
    SHEAF_TRY_ASSIGN(const Claim claim, claim_site(request));
    SitePullOptions options = options_.pull;
    if (!request.sections.empty()) options.sections = request.sections;
    if (request.allow_shrink) options.shrink = format::Shrink::allow;
    options.html = request.html.value_or(options.html);
    options.progress = request.progress;
    auto report = pull_noted(request.site, options);
    if (auto packed = pack(request.progress); !packed) report = std::unexpected(packed.error());
    const std::lock_guard lock(mutex_);
    end_turn(roster_[claim.site]);
    const auto kept = put_back(claim, request, report);
    source_->end_turn(claim.site);
    update_gauges();
    changed_.notify_all();
    if (!kept) return std::unexpected(kept.error());
    if (report && is_cancelled())
      return base::fail(base::Errc::refused,
                        "the process that holds the store was stopped before the pull was done; pull again");
    return report;
  }

  struct Claim {
    std::size_t site = 0;     ///< number of the site in the roster
    bool was_queued = false;  ///< the site was in the queue
  };

  /// Reserves the site: no other thread pulls it until end_turn().
  Result<Claim> claim_site(const PullRequest& request) {
    std::unique_lock lock(mutex_);
    // Looked up again after each wait, because a member may be removed from memory when its turn ends.
    const auto number = [&] { return roster_.find_or_add(request.site); };
    if (roster_[number()].running && request.on_wait) {
      lock.unlock();  // the callback may write to a slow client
      request.on_wait();
      lock.lock();
    }
    while (roster_[number()].running && !state_.error && !is_cancelled()) changed_.wait_for(lock, kLook);
    if (state_.error || is_cancelled())
      return base::fail(base::Errc::refused, "the process that holds the store is ending; pull again");
    const Claim claim{number(), roster_[number()].queued};
    queue_.remove(claim.site);
    begin_turn(roster_[claim.site]);
    return claim;
  }

  /// Puts a site back after a requested pull. A pull of single sections says nothing about the whole site, so
  /// it does not change the schedule; nor does a pull of a site that is not on the list.
  Result<void> put_back(const Claim& claim, const PullRequest& request, const Result<PullReport>& report) {
    FleetMember& member = roster_[claim.site];
    if (report && member.listed && request.sections.empty()) return put_back(member, *report, 0);
    if (report && !is_cancelled() && options_.on_report) options_.on_report(*report);
    if (member.listed && (claim.was_queued || !options_.once)) state_.put_into_queue(claim.site);
    return {};
  }

  /// The caller must hold the mutex.
  void begin_turn(FleetMember& member) {
    member.queued = false;
    member.running = true;
    ++state_.running;
    update_gauges();
  }

  /// The caller must hold the mutex.
  void end_turn(FleetMember& member) {
    member.running = false;
    --state_.running;
  }

  /// Too little memory, or a limit on threads, is an error of this pull.
  Result<PullReport> try_pull(const base::Url& site, const SitePullOptions& options) try {
    return pull_site(store_, site, folder_of_site(options_.downloads, site), options);
  } catch (const std::exception& exception) {
    return base::fail(base::Errc::io, fmt::format("cannot pull {}: {}", site.href(), exception.what()));
  }

  /// An error ends only the pull of this site. If the store itself is broken, put_back() cannot write the
  /// schedule either, and that ends the fleet.
  /// Pulls a site that is noted as under way meanwhile.
  Result<PullReport> pull_noted(const base::Url& site, const SitePullOptions& options) {
    CrashNotes::Pull noted(crashes_, site);
    auto report = try_pull(site, options);
    if (!options.cancelled || !options.cancelled()) noted.complete();
    return report;
  }

  PullReport pull_one(const base::Url& site, const SitePullOptions& options,
                      std::optional<SiteSchedule>& committed) {
    if (auto skipped = crashes_.skip(site, options.clock())) return std::move(*skipped);
    auto report = pull_noted(site, options);
    if (report) return std::move(*report);
    committed.reset();
    PullReport failed;
    failed.site = site.origin();
    failed.began = options.clock();
    failed.failure = failure_of(report.error());
    return failed;
  }

  /// The URL of the site, read with the mutex held because a new list may name another sitemap of the site.
  base::Url address_of(const FleetMember& member) {
    const std::lock_guard lock(mutex_);
    return roster_.url_of(member);
  }

  /// Packs the store on one thread; other threads continue to pull.
  Result<void> pack(const std::function<void(const PullProgress&)>& progress) {
    const std::unique_lock lock(packing_, std::try_to_lock);
    if (options_.pull.pack_threads == 0 || !lock.owns_lock() || is_cancelled()) return {};
    SHEAF_TRY(store_.pack(store::kWorthPacking, options_.pull.pack_threads, pack_progress(progress)));
    return {};
  }

  /// Queues a pull that made room for others; it continues when the slow lane has a free place.
  void put_back_unfinished(FleetMember& member) {
    member.unfinished = true;
    if (member.listed) state_.put_into_queue(roster_.number_of(member));
  }

  /// Needs no lock: only the thread that pulls the site changes its schedule.
  [[nodiscard]] SiteSchedule next_schedule(const FleetMember& member, const PullReport& report,
                                           double random) const {
    return reschedule({.next = {}, .failures = member.failures}, report, options_.every,
                      options_.pull.clock(), random);
  }

  /// Puts a site back after a pull. `committed` is the schedule that the pull itself has stored, if it has.
  Result<void> put_back(FleetMember& member, const PullReport& report, double random,
                        const std::optional<SiteSchedule>& committed = {}) {
    // An interrupted pull says nothing about the site. A pull that had already ended must be reported: the
    // store has its result, so it will not be pulled again soon.
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
    const std::size_t number = roster_.number_of(member);
    const bool is_next = member.unfinished ? member.listed : !options_.once && source_->keeps(number);
    if (is_next) state_.put_into_queue(number);
    return {};
  }

  store::PageStore& store_;
  const FleetJob& options_;
  FleetState state_;
  std::mutex& mutex_ = state_.mutex;
  std::condition_variable& changed_ = state_.changed;
  FleetRoster& roster_ = state_.roster;
  FleetQueue& queue_ = state_.queue;
  std::unique_ptr<FleetSource> source_;
  std::mutex packing_;
  std::mutex tidying_;
  Clock::time_point next_tidy_ = Clock::now() + kTidy;
  FleetLanes lanes_;
  CrashNotes crashes_;
  unsigned suspects_ = 0;  ///< suspects of crashes that are being pulled
};

}  // namespace

std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site) {
  std::string name = site.origin();
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ':' || c == '[' || c == ']'; }, '_');
  return downloads / name;
}

Result<FleetSummary> pull_many(store::PageStore& store, std::vector<base::Url> sites,
                               const FleetJob& options) {
  auto summary = Fleet(store, options, std::move(sites)).run();
  if (options.requests != nullptr) options.requests->close();  // also if it never started
  return summary;
}

}  // namespace sheaf::pull
