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

using sheaf::FleetOptions;
using sheaf::FleetSummary;

/// State of a running fleet, for other threads: metrics.
struct FleetGauges {
  std::atomic<std::uint64_t> sites = 0;
  std::atomic<std::uint64_t> failing = 0;  ///< sites whose last pull failed
  std::atomic<std::uint64_t> running = 0;
  std::atomic<std::uint64_t> due = 0;        ///< due and waiting for their turn
  std::atomic<std::uint64_t> late = 0;       ///< due for longer than kLate
  std::atomic<std::int64_t> next_due = 0;    ///< when the next site is due, in Unix time
  std::atomic<std::uint64_t> in_memory = 0;  ///< sites that are in memory
};

/// A site that waits for its turn longer than this is late.
inline constexpr std::chrono::minutes kLate{10};

/// Maximum number of seconds until a site is due: a clock that was wrong for a day must not postpone a site
/// for a year.
inline constexpr std::int64_t kLatestDue = 40 * std::int64_t{86'400};

struct FleetJob : FleetOptions {
  SitePullOptions pull = {};
  /// How long a site may hold one of these places while others wait for it.
  std::chrono::milliseconds patience = std::chrono::minutes(2);
  std::chrono::seconds slice{60};  ///< time for fetching pages one by one before other sites get a turn
  std::filesystem::path downloads = {};
  /// Called every few seconds, by one thread at a time. Returns the list of sites if it has changed: new
  /// sites are added, and sites that are no longer listed are not pulled again. Not used with `share`.
  std::function<std::optional<std::vector<base::Url>>()> reread = {};
  FleetGauges* gauges = nullptr;
  /// For a list that several processes share: tells which sites are this process's at the moment. The list is
  /// then read from there.
  store::WorkShare* share = nullptr;
  std::size_t window = 10'000;        ///< maximum number of sites of a shared list in memory
  FleetRequests* requests = nullptr;  ///< pulls that other threads request during the run
};

/// Pulls many sites, each when it is due, several in parallel, with a thread for each: a waiting thread costs
/// a few kilobytes, while with coroutines no function on the way could stay an ordinary function. The due
/// times are kept in the store. Runs until it is cancelled, or with `once` until all due sites are done. An
/// Error means that the store or the disk failed.
///
/// Slow sites do not hold up the others, no matter how many there are (fleet_lanes.h). A site that takes
/// longer than `patience` gives its place to the next one and continues in the slow lane, which has half as
/// many places. If the slow lane is full, the pull is interrupted, keeps what it has, and continues when a
/// place becomes free. So a site waits at most `patience` for every `sites_at_once` sites before it in the
/// queue.
///
/// A list is completely in memory (fleet_list.h), at about 190 bytes per site. Of a list that several
/// processes share, only the sites that are due next are in memory (fleet_feed.h).
base::Result<FleetSummary> pull_many(store::PageStore& store, std::vector<base::Url> sites,
                                     const FleetJob& options);

/// The folder below `downloads` for a site's files.
std::filesystem::path folder_of_site(const std::filesystem::path& downloads, const base::Url& site);

}  // namespace sheaf::pull
