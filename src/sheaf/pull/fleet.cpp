#include "sheaf/pull/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;

constexpr std::chrono::milliseconds kLook{200};  // how often the time and the user are looked at

class Fleet {
 public:
  Fleet(store::PageStore& store, const std::vector<base::Url>& sites, const FleetOptions& options)
      : store_(store),
        sites_(sites),
        options_(options),
        schedules_(sites.size()),
        failed_(sites.size(), false) {}

  Result<FleetSummary> run() {
    SHEAF_TRY(load());
    {
      std::vector<std::jthread> workers;
      const std::size_t count =
          std::min<std::size_t>(options_.sites_at_once, std::max<std::size_t>(sites_.size(), 1));
      workers.reserve(count);
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this, i] { work(i); });
    }
    if (error_) return std::unexpected(*error_);
    summary_.failed = static_cast<std::uint64_t>(std::ranges::count(failed_, true));
    return summary_;
  }

 private:
  Result<void> load() {
    const base::Instant now = options_.pull.clock();
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      SHEAF_TRY_ASSIGN(const auto schedule, read_schedule(store_, sites_[i]));
      if (schedule) schedules_[i] = *schedule;
      schedules_[i].next = due_under(schedules_[i], options_.every);
      // A clock that was wrong for a day must not silence a site for a year.
      schedules_[i].next.seconds =
          std::min(schedules_[i].next.seconds, now.seconds + 40 * std::int64_t{86'400});
      if (options_.once && schedules_[i].next > now) {
        failed_[i] = schedules_[i].failures > 0;
        if (!failed_[i]) ++summary_.not_due;
      } else {
        queue_.emplace(schedules_[i].next.seconds, turn_++, i);
      }
    }
    return {};
  }

  [[nodiscard]] bool is_cancelled() const { return options_.pull.cancelled && options_.pull.cancelled(); }

  /// The site whose turn it is; nothing when all is done.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    while (!error_ && !is_cancelled()) {
      if (!queue_.empty() && std::get<0>(*queue_.begin()) <= options_.pull.clock().seconds) {
        const std::size_t site = std::get<2>(*queue_.begin());
        queue_.erase(queue_.begin());
        ++running_;
        return site;
      }
      if (options_.once && queue_.empty() && running_ == 0) break;
      changed_.wait_for(lock, kLook);
    }
    changed_.notify_all();
    return std::nullopt;
  }

  void work(std::size_t seed) {
    std::minstd_rand generator(static_cast<std::uint32_t>(std::random_device{}() + seed));
    while (const auto site = take()) {
      PullOptions options = options_.pull;
      options.crawl.budget = options_.slice;
      auto report =
          pull_site(store_, sites_[*site], folder_of_site(options_.downloads, sites_[*site]), options);
      if (auto packed = pack(); !packed) report = std::unexpected(packed.error());
      const double random = std::uniform_real_distribution<>(0, 1)(generator);
      const std::lock_guard lock(mutex_);
      --running_;
      if (!report) {
        error_ = report.error();
      } else if (auto kept = put_back(*site, *report, random); !kept) {
        error_ = kept.error();
      }
      changed_.notify_all();
    }
  }

  /// One thread at a time; the others go on pulling.
  Result<void> pack() {
    const std::unique_lock lock(packing_, std::try_to_lock);
    if (!options_.pack || !lock.owns_lock() || is_cancelled()) return {};
    SHEAF_TRY(store_.pack());
    return {};
  }

  Result<void> put_back(std::size_t site, const PullReport& report, double random) {
    if (is_cancelled()) return {};  // what was cut short says nothing about the site
    SiteSchedule& schedule = schedules_[site];
    schedule = reschedule(schedule, report, options_.every, options_.pull.clock(), random);
    auto edit = store_.edit(report.site, kHtmlSection);
    edit.put_note(kScheduleNote, encode(schedule));
    SHEAF_TRY(store_.commit(edit));
    failed_[site] = !report.ok;
    const bool unfinished = report.ok && report.crawl && !report.crawl->complete;
    if (report.ok && !unfinished) ++summary_.pulled;
    if (options_.on_report) options_.on_report(report);
    if (unfinished || !options_.once) queue_.emplace(schedule.next.seconds, turn_++, site);
    return {};
  }

  store::PageStore& store_;
  const std::vector<base::Url>& sites_;
  const FleetOptions& options_;
  std::mutex mutex_;
  std::mutex packing_;
  std::condition_variable changed_;
  std::vector<SiteSchedule> schedules_;
  std::vector<bool> failed_;
  /// When, in which order, which site.
  std::set<std::tuple<std::int64_t, std::uint64_t, std::size_t>> queue_;
  std::uint64_t turn_ = 0;
  std::size_t running_ = 0;
  std::optional<base::Error> error_;
  FleetSummary summary_;
};

}  // namespace

std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site) {
  std::string name = site.origin();
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ':' || c == '[' || c == ']'; }, '_');
  return downloads / name;
}

Result<FleetSummary> pull_many(store::PageStore& store, const std::vector<base::Url>& sites,
                               const FleetOptions& options) {
  return Fleet(store, sites, options).run();
}

}  // namespace sheaf::pull
