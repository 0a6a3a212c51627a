#pragma once

#include "sheaf/pull/fleet_requests.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/schedule.h"
#include "sheaf/store/work_share.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sheaf::pull {

/// State of a running fleet, for other threads: metrics.
struct FleetGauges {
  std::atomic<std::uint64_t> sites = 0;
  std::atomic<std::uint64_t> failing = 0;  ///< their last pull failed
  std::atomic<std::uint64_t> running = 0;
  std::atomic<std::uint64_t> due = 0;        ///< wait for their turn
  std::atomic<std::uint64_t> late = 0;       ///< of these, for more than kLate
  std::atomic<std::int64_t> next_due = 0;    ///< when the next site is due, in Unix time
  std::atomic<std::uint64_t> in_memory = 0;  ///< sites that are in memory
};

/// A site that waits longer than this for its turn is late.
inline constexpr std::chrono::minutes kLate{10};

/// Seconds in which every site is due: a clock that was wrong for a day must not postpone a site for a year.
inline constexpr std::int64_t kLatestDue = 40 * std::int64_t{86'400};

struct FleetOptions {
  PullOptions pull = {};
  Every every = {};
  bool once = false;            ///< pull each site that is due, then end
  unsigned sites_at_once = 16;  ///< pulled in parallel; see pull_many for slow sites
  /// How long a site may hold one of these places while others wait for it.
  std::chrono::milliseconds patience = std::chrono::minutes(2);
  std::chrono::seconds slice{60};  ///< time for fetching pages one by one before other sites get their turn
  std::filesystem::path downloads = {};
  std::function<void(const PullReport&)> on_report = {};  ///< from one thread at a time
  /// Called now and then, by one thread at a time: the current list of sites, if it has changed. New sites
  /// are added, others are not pulled again.
  /// Not with `share`.
  std::function<std::optional<std::vector<base::Url>>()> reread = {};
  FleetGauges* gauges = nullptr;
  /// Where the list is shared with other processes: which of its sites are this process's at the moment. The
  /// list is then read from there.
  store::WorkShare* share = nullptr;
  std::size_t window = 10'000;        ///< sites of a shared list that are in memory
  FleetRequests* requests = nullptr;  ///< pulls that other threads request meanwhile
};

/// Results for the sites of the list. pulled + failed + not_due + unfinished is their number.
struct FleetSummary {
  std::uint64_t sites = 0;
  std::uint64_t pulled = 0;         ///< in this run, and the last pull succeeded
  std::uint64_t failed = 0;         ///< in this run, and the last pull failed
  std::uint64_t not_due = 0;        ///< not attempted in this run
  std::uint64_t still_failing = 0;  ///< of those not due: their last pull, in an earlier run, failed
  std::uint64_t unfinished = 0;     ///< were due, but the run ended first
};

/// Pulls many sites, each when it is due, several in parallel. The due times are kept in the store. Runs
/// until it is cancelled, or with `once` until all due sites are done. An Error means that the store or the
/// disk failed.
///
/// Slow sites do not hold up the others, however many they are (fleet_lanes.h): a site that takes longer than
/// `patience` gives its place to the next and continues in the slow lane, which has half as many places. If
/// none of those is free, it is interrupted, keeps what it has, and continues when one becomes free. So a
/// site waits at most `patience` for each `sites_at_once` sites before it in the queue.
///
/// A list is in memory as a whole (fleet_list.h), with about 190 bytes a site; of one that processes share
/// only the sites that are due next (fleet_feed.h).
base::Result<FleetSummary> pull_many(store::PageStore& store, std::vector<base::Url> sites,
                                     const FleetOptions& options);

/// The folder below `downloads` for a site's files.
std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site);

}  // namespace sheaf::pull
