#include "sheaf/pull/fleet.h"

#include "sheaf/pull/download_folders.h"
#include "sheaf/pull/fleet_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};  // how often the time and the user are looked at
constexpr std::chrono::seconds kReread{2};       // and the list
constexpr std::chrono::hours kTidy{1};           // and the downloads of all sites
// Who does not answer at all is asked again by the schedule; meanwhile others have the turn.
constexpr unsigned kTriesOfSound = 3;
constexpr unsigned kTriesOfFailing = 1;

class Fleet {
 public:
  Fleet(store::PageStore& store, const FleetOptions& options)
      : store_(store), options_(options), lanes_(options.sites_at_once, options.patience) {}

  Result<FleetSummary> run(const std::vector<base::Url>& sites) {
    SHEAF_TRY(take_in(sites));
    update_gauges();
    if (options_.requests != nullptr)
      options_.requests->open([this](const PullRequest& request) { return pull_now(request); });
    {
      std::vector<std::jthread> workers;
      const std::size_t most = options_.reread ? lanes_.places() : std::max<std::size_t>(sites.size(), 1);
      const std::size_t count = std::min(lanes_.places(), most);
      workers.reserve(count);
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this, i] { work(i); });
    }
    if (options_.requests != nullptr) options_.requests->close();
    if (error_) return std::unexpected(*error_);
    return summarize();
  }

 private:
  struct Member {
    base::Url url;
    SiteSchedule schedule = {};
    bool listed = true;  ///< still on the list
    bool failed = false;
    bool attempted = false;   ///< pulled to an end in this run
    bool unfinished = false;  ///< its pull was cut short
    bool queued = false;
    bool running = false;
    SiteTempo tempo = {};
  };

  /// A pull under way, and whether it may keep its place. Any thread that works for it may ask.
  class Place {
   public:
    Place(Fleet& fleet, const Member& member)
        : fleet_(fleet),
          tempo_(member.tempo),
          lane_(member.tempo.lane()),
          next_look_(start_ + fleet.lanes_.time_for(tempo_)) {}

    [[nodiscard]] bool has_to_stop() {
      if (yields_ || fleet_.is_cancelled()) return true;
      if (Clock::now() < next_look_.load()) return false;
      const std::lock_guard lock(fleet_.mutex_);
      look();
      return yields_;
    }

    [[nodiscard]] bool has_yielded() const { return yields_; }
    [[nodiscard]] Lane lane() const { return lane_; }
    /// A pull that came to its end in time is not slow any more.
    [[nodiscard]] SiteTempo tempo_after() const {
      return !yields_ && Clock::now() - start_ < fleet_.options_.patience ? SiteTempo{} : tempo_;
    }

   private:
    /// With the mutex.
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
    const Clock::time_point start_ = Clock::now();
    SiteTempo tempo_;
    Lane lane_;
    std::atomic<Clock::time_point> next_look_;
    std::atomic<bool> yields_ = false;
  };

  /// From now on these are the sites.
  Result<void> take_in(const std::vector<base::Url>& sites) {
    for (Member& member : members_) member.listed = false;
    for (const base::Url& site : sites) {
      const auto [place, is_new] = numbers_.try_emplace(site.origin(), members_.size());
      if (is_new) members_.push_back({site});
      Member& member = members_[place->second];
      member.url = site;
      member.listed = true;
      if (is_new || !(member.queued || member.running)) SHEAF_TRY(enqueue(place->second));
    }
    std::erase_if(queue_, [this](const Turn& turn) {
      Member& member = members_[turn.site];
      if (!member.listed) member.queued = false;
      return !member.listed;
    });
    return {};
  }

  /// By what the store remembers of it.
  Result<void> enqueue(std::size_t number) {
    Member& member = members_[number];
    const Instant now = options_.pull.clock();
    SHEAF_TRY_ASSIGN(const auto schedule, read_schedule(store_, member.url));
    if (schedule) member.schedule = *schedule;
    member.schedule.next = due_under(member.schedule, options_.every);
    // A clock that was wrong for a day must not silence a site for a year.
    member.schedule.next.seconds =
        std::min(member.schedule.next.seconds, now.seconds + 40 * std::int64_t{86'400});
    member.failed = member.schedule.failures > 0;
    if (!options_.once || member.schedule.next <= now) put_into_queue(number);
    return {};
  }

  void put_into_queue(std::size_t number) {
    queue_.insert({members_[number].schedule.next.seconds, turn_++, number});
    members_[number].queued = true;
  }

  [[nodiscard]] std::uint64_t count_failing() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(members_, [](const Member& each) { return each.listed && each.failed; }));
  }

  /// After the workers have ended. What is still in the queue although it is due was not reached.
  [[nodiscard]] FleetSummary summarize() const {
    FleetSummary summary;
    const Instant now = options_.pull.clock();
    for (const Member& member : members_) {
      if (!member.listed) continue;
      ++summary.sites;
      if (member.unfinished || (member.queued && !member.attempted && member.schedule.next <= now)) {
        ++summary.unfinished;
      } else if (member.attempted) {
        ++(member.failed ? summary.failed : summary.pulled);
      } else {
        ++summary.not_due;
        if (member.failed) ++summary.still_failing;
      }
    }
    return summary;
  }

  void update_gauges() const {
    if (options_.gauges == nullptr) return;
    FleetGauges& gauges = *options_.gauges;
    gauges.sites = static_cast<std::uint64_t>(std::ranges::count(members_, true, &Member::listed));
    gauges.failing = count_failing();
    gauges.running = running_;
    gauges.next_due = queue_.empty() ? 0 : queue_.begin()->due;
  }

  [[nodiscard]] bool is_cancelled() const { return options_.pull.cancelled && options_.pull.cancelled(); }

  /// One thread at a time, now and then.
  void tidy() {
    const std::unique_lock lock(tidying_, std::try_to_lock);
    if (!lock.owns_lock() || options_.pull.plan_only || Clock::now() < next_tidy_) return;
    next_tidy_ = Clock::now() + kTidy;
    tidy_downloads(options_.downloads, {});
  }

  /// With the mutex.
  void look_at_list() {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.reread || now < next_reread_) return;
    next_reread_ = now + kReread;
    const auto sites = options_.reread();
    if (!sites) return;
    if (auto taken = take_in(*sites); !taken) error_ = taken.error();
    update_gauges();
  }

  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;
    std::size_t site = 0;  ///< its number among the members

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  /// The first in the queue that is due and begins in such a lane.
  [[nodiscard]] std::set<Turn>::iterator first_due(const std::function<bool(Lane)>& accepts) const {
    const std::int64_t now = options_.pull.clock().seconds;
    for (auto turn = queue_.begin(); turn != queue_.end() && turn->due <= now; ++turn)
      if (accepts(members_[turn->site].tempo.lane())) return turn;
    return queue_.end();
  }

  [[nodiscard]] bool has_due(Lane lane) const {
    return first_due([&](Lane each) { return each == lane; }) != queue_.end();
  }

  /// The site whose turn it is; nothing when all is done.
  Member* take() {
    std::unique_lock lock(mutex_);
    while (!error_ && !is_cancelled()) {
      look_at_list();
      const auto turn = first_due([this](Lane lane) { return lanes_.has_room(lane); });
      if (turn != queue_.end()) {
        Member& member = members_[turn->site];
        queue_.erase(turn);
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
    while (Member* const member = take()) {
      PullOptions options = options_.pull;
      options.crawl.budget = options_.slice;
      options.first_tries = member->failed ? kTriesOfFailing : kTriesOfSound;
      Place place(*this, *member);
      options.cancelled = [&place] { return place.has_to_stop(); };
      options.fetch.cancelled = [&place, stopped = options_.pull.fetch.cancelled] {
        return place.has_to_stop() || (stopped && stopped());
      };
      const base::Url site = address_of(*member);
      const PullReport report = pull_one(site, options);
      tidy();
      const Result<void> packed = pack({});
      const double random = std::uniform_real_distribution<>(0, 1)(generator);
      const std::lock_guard lock(mutex_);
      end_turn(*member);
      lanes_.leave(place.lane());
      member->tempo = place.tempo_after();
      if (!packed) {
        error_ = packed.error();
      } else if (place.has_yielded() && !report.ok && !is_cancelled()) {
        put_back_unfinished(*member);
      } else if (auto kept = put_back(*member, report, random); !kept) {
        error_ = kept.error();
      }
      update_gauges();
      changed_.notify_all();
    }
  }

  /// In a thread of the caller's, beside the workers: whoever asks for a pull now must not wait until a
  /// worker is free.
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
    end_turn(members_[claim.site]);
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
    std::size_t site = 0;     ///< its number among the members
    bool was_queued = false;  ///< and due at some time
  };

  /// From now on nobody else pulls the site.
  Result<Claim> claim_site(const PullRequest& request) {
    std::unique_lock lock(mutex_);
    const auto [place, is_new] = numbers_.try_emplace(request.site.origin(), members_.size());
    if (is_new) members_.push_back({.url = request.site, .listed = false});
    Member& member = members_[place->second];
    if (member.running && request.on_wait) {
      lock.unlock();  // it may write to a client that is slow
      request.on_wait();
      lock.lock();
    }
    while (member.running && !error_ && !is_cancelled()) changed_.wait_for(lock, kLook);
    if (error_ || is_cancelled())
      return base::fail(base::Errc::refused, "the process that holds the store is ending; pull again");
    const Claim claim{place->second, member.queued};
    std::erase_if(queue_, [&](const Turn& turn) { return turn.site == claim.site; });
    begin_turn(member);
    return claim;
  }

  /// After a pull that was asked for. One of some sections tells nothing about the whole site, so its
  /// schedule stays as it was; so does that of a site which is not on the list.
  Result<void> put_back(const Claim& claim, const PullRequest& request, const Result<PullReport>& report) {
    Member& member = members_[claim.site];
    if (report && member.listed && request.sections.empty()) return put_back(member, *report, 0);
    if (report && !is_cancelled() && options_.on_report) options_.on_report(*report);
    if (member.listed && (claim.was_queued || !options_.once)) put_into_queue(claim.site);
    return {};
  }

  /// With the mutex.
  void begin_turn(Member& member) {
    member.queued = false;
    member.running = true;
    ++running_;
    update_gauges();
  }

  /// With the mutex.
  void end_turn(Member& member) {
    member.running = false;
    --running_;
  }

  /// An error ends the pull of this site and no other. If the store itself is broken, put_back() cannot
  /// write the schedule either, and that ends the fleet.
  PullReport pull_one(const base::Url& site, const PullOptions& options) {
    auto report = pull_site(store_, site, folder_of_site(options_.downloads, site), options);
    if (report) return std::move(*report);
    PullReport failed;
    failed.site = site.origin();
    failed.began = options.clock();
    failed.failure = failure_of(report.error());
    return failed;
  }

  /// A new list may name another sitemap of the site.
  base::Url address_of(const Member& member) {
    const std::lock_guard lock(mutex_);
    return member.url;
  }

  /// One thread at a time; the others go on pulling.
  Result<void> pack(const std::function<void(const PullProgress&)>& progress) {
    const std::unique_lock lock(packing_, std::try_to_lock);
    if (!options_.pack || !lock.owns_lock() || is_cancelled()) return {};
    SHEAF_TRY(store_.pack(store::kWorthPacking, pack_progress(progress)));
    return {};
  }

  /// One that had to make room for others: it goes on when there is room in the slow lane.
  void put_back_unfinished(Member& member) {
    member.unfinished = true;
    if (member.listed) put_into_queue(numbers_.at(member.url.origin()));
  }

  Result<void> put_back(Member& member, const PullReport& report, double random) {
    member.unfinished = is_cancelled();
    if (member.unfinished) return {};  // what was cut short says nothing about the site
    member.schedule = reschedule(member.schedule, report, options_.every, options_.pull.clock(), random);
    if (!options_.pull.plan_only) {
      store::SectionEdit edit(report.site, kHtmlSection);
      edit.put_note(kScheduleNote, encode(member.schedule));
      SHEAF_TRY(store_.commit(edit));
    }
    member.failed = !report.ok;
    member.unfinished = report.ok && report.crawl && !report.crawl->complete;
    member.attempted = !member.unfinished;
    if (options_.on_report) options_.on_report(report);
    if (member.listed && (member.unfinished || !options_.once))
      put_into_queue(numbers_.at(member.url.origin()));
    return {};
  }

  store::PageStore& store_;
  const FleetOptions& options_;
  std::mutex mutex_;
  std::mutex packing_;
  std::mutex tidying_;
  Clock::time_point next_tidy_ = Clock::now() + kTidy;
  std::condition_variable changed_;
  std::deque<Member> members_;                  ///< all that were ever listed; they stay where they are
  std::map<std::string, std::size_t> numbers_;  ///< of members, by origin
  std::set<Turn> queue_;
  FleetLanes lanes_;
  std::uint64_t turn_ = 0;
  std::size_t running_ = 0;
  std::chrono::steady_clock::time_point next_reread_ = std::chrono::steady_clock::now() + kReread;
  std::optional<base::Error> error_;
};

}  // namespace

std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site) {
  std::string name = site.origin();
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ':' || c == '[' || c == ']'; }, '_');
  return downloads / name;
}

Result<FleetSummary> pull_many(store::PageStore& store, const std::vector<base::Url>& sites,
                               const FleetOptions& options) {
  auto summary = Fleet(store, options).run(sites);
  if (options.requests != nullptr) options.requests->close();  // also where it never began
  return summary;
}

}  // namespace sheaf::pull
