#pragma once

#include "sheaf/base/url.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/fleet_lanes.h"
#include "sheaf/pull/schedule.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace sheaf::pull {

/// A site of a fleet.
struct FleetMember {
  base::Url url;
  SiteSchedule schedule = {};
  bool listed = true;  ///< still on the list
  bool failed = false;
  bool attempted = false;   ///< a pull of it was completed in this run
  bool unfinished = false;  ///< its pull was interrupted
  bool queued = false;
  bool running = false;
  SiteTempo tempo = {};
};

/// Counts what happened to the members, after the workers have ended. A member that is due but still queued
/// was not reached.
FleetSummary summarize(const std::deque<FleetMember>& members, Instant now);

/// Sites by the time when they are due; those that are due at the same time in the order of insertion. A site
/// is its number among the members, and is queued at most once.
class FleetQueue {
 public:
  void insert(std::size_t site, std::int64_t due);
  void remove(std::size_t site);
  [[nodiscard]] bool empty() const { return turns_.empty(); }
  /// When the next site is due; 0 if there is none.
  [[nodiscard]] std::int64_t next_due() const { return turns_.empty() ? 0 : turns_.begin()->due; }
  /// How many are due at that time.
  [[nodiscard]] std::size_t count_due(std::int64_t now) const;
  /// The first site that is due and accepted.
  [[nodiscard]] std::optional<std::size_t> first_due(std::int64_t now,
                                                     const std::function<bool(std::size_t)>& accepts) const;

 private:
  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;
    std::size_t site = 0;

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  std::set<Turn> turns_;
  std::map<std::size_t, Turn> of_site_;
  std::uint64_t inserted_ = 0;
};

}  // namespace sheaf::pull
