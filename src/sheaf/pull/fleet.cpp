#include "sheaf/pull/fleet.h"

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

constexpr std::chrono::milliseconds kLook{200};  // how often the time and the user are looked at
constexpr std::chrono::seconds kReread{2};       // and the list
// Who does not answer at all is asked again by the schedule; meanwhile others have the turn.
constexpr unsigned kTriesOfSound = 3;
constexpr unsigned kTriesOfFailing = 1;

class Fleet {
 public:
  Fleet(store::PageStore& store, const FleetOptions& options) : store_(store), options_(options) {}

  Result<FleetSummary> run(const std::vector<base::Url>& sites) {
    SHEAF_TRY(take_in(sites));
    update_gauges();
    {
      std::vector<std::jthread> workers;
      const std::size_t most =
          options_.reread ? options_.sites_at_once : std::max<std::size_t>(sites.size(), 1);
      const std::size_t count = std::min<std::size_t>(options_.sites_at_once, most);
      workers.reserve(count);
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this, i] { work(i); });
    }
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
    const base::Instant now = options_.pull.clock();
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
    const base::Instant now = options_.pull.clock();
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

  /// The site whose turn it is; nothing when all is done.
  Member* take() {
    std::unique_lock lock(mutex_);
    while (!error_ && !is_cancelled()) {
      look_at_list();
      if (!queue_.empty() && queue_.begin()->due <= options_.pull.clock().seconds) {
        Member& member = members_[queue_.begin()->site];
        queue_.erase(queue_.begin());
        member.queued = false;
        member.running = true;
        ++running_;
        update_gauges();
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
      const base::Url site = address_of(*member);
      auto report = pull_site(store_, site, folder_of_site(options_.downloads, site), options);
      if (auto packed = pack(); !packed) report = std::unexpected(packed.error());
      const double random = std::uniform_real_distribution<>(0, 1)(generator);
      const std::lock_guard lock(mutex_);
      --running_;
      member->running = false;
      if (!report) {
        error_ = report.error();
      } else if (auto kept = put_back(*member, *report, random); !kept) {
        error_ = kept.error();
      }
      update_gauges();
      changed_.notify_all();
    }
  }

  /// A new list may name another sitemap of the site.
  base::Url address_of(const Member& member) {
    const std::lock_guard lock(mutex_);
    return member.url;
  }

  /// One thread at a time; the others go on pulling.
  Result<void> pack() {
    const std::unique_lock lock(packing_, std::try_to_lock);
    if (!options_.pack || !lock.owns_lock() || is_cancelled()) return {};
    SHEAF_TRY(store_.pack());
    return {};
  }

  Result<void> put_back(Member& member, const PullReport& report, double random) {
    member.unfinished = is_cancelled();
    if (member.unfinished) return {};  // what was cut short says nothing about the site
    member.schedule = reschedule(member.schedule, report, options_.every, options_.pull.clock(), random);
    if (!options_.pull.plan_only) {
      auto edit = store_.edit(report.site, kHtmlSection);
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

  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;
    std::size_t site = 0;  ///< its number among the members

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  store::PageStore& store_;
  const FleetOptions& options_;
  std::mutex mutex_;
  std::mutex packing_;
  std::condition_variable changed_;
  std::deque<Member> members_;                  ///< all that were ever listed; they stay where they are
  std::map<std::string, std::size_t> numbers_;  ///< of members, by origin
  std::set<Turn> queue_;
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
  return Fleet(store, options).run(sites);
}

}  // namespace sheaf::pull
