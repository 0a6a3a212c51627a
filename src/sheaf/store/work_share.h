#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// What a worker reports about itself.
struct WorkerLoad {
  std::int64_t sites = 0;
  std::int64_t due = 0;
  std::int64_t late = 0;  ///< overdue sites
  std::int64_t failing = 0;
  std::int64_t running = 0;
};

/// A site of the list and its due time. Times are Unix times by the clocks of workers.
struct ScheduledSite {
  int part = 0;
  std::string url;
  std::int64_t due = 0;
  std::uint32_t failures = 0;  ///< consecutive failures
};

/// This process's share of a list of sites that several processes pull. The list is divided into parts, and
/// at any time at most one process owns a part. Ownership moves as processes come and go. Thread-safe.
///
/// The list may have millions of sites, so a process does not hold all sites of its parts in memory: it reads
/// those that are due first. All sites of a host are in the same part.
class WorkShare {
 public:
  virtual ~WorkShare() = default;

  struct Part {
    int number = 0;
    std::int64_t epoch = 0;  ///< changes if another process owned the part meanwhile

    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Parts {
    std::vector<Part> owned;  ///< sorted by number
    std::string list;         ///< version of the list; changes whenever the list changes
  };
  /// The parts that this process owns now.
  virtual base::Result<Parts> parts() = 0;
  /// Waits until this process owns parts, or until it is clear that other processes own all of them.
  virtual base::Result<void> wait_for_part() = 0;
  [[nodiscard]] virtual int part_of(std::string_view site) const = 0;

  /// The first `limit` sites of each part that are due at `until` or earlier, sorted by part and due time.
  virtual base::Result<std::vector<ScheduledSite>> first_due(std::span<const int> parts, std::size_t limit,
                                                             std::int64_t until) = 0;

  /// Upper bounds of due times.
  struct Latest {
    std::int64_t due = 0;
    /// Seconds after the last pull, for sites whose last pull succeeded.
    std::optional<std::int64_t> after_last;
  };
  /// Makes the sites of these parts due no later than `latest`.
  virtual base::Result<void> bring_forward(std::span<const int> parts, const Latest& latest) = 0;

  struct CountTimes {
    std::int64_t now = 0;
    std::int64_t late = 0;     ///< sites that are due at this time or earlier are overdue
    std::int64_t started = 0;  ///< when this run began
  };
  struct Totals {
    std::int64_t sites = 0;
    std::int64_t due = 0;
    std::int64_t late = 0;
    std::int64_t failing = 0;
    // Since `started`:
    std::int64_t pulled = 0;         ///< sites whose last pull succeeded
    std::int64_t failed = 0;         ///< sites whose last pull failed
    std::int64_t unfinished = 0;     ///< due sites that were not pulled, or only partly
    std::int64_t still_failing = 0;  ///< sites that are not due and whose last pull, before `started`, failed
  };
  /// Counts the sites that this process owns. Reads all of them.
  virtual base::Result<Totals> count(const CountTimes& times) = 0;

  /// Keeps ownership of the site's part until leave(). Returns false if this process no longer owns it.
  virtual bool enter(std::string_view site) = 0;
  virtual void leave(std::string_view site) = 0;
  /// Whether this process owns the site's part.
  [[nodiscard]] virtual bool owns(std::string_view site) const = 0;

  virtual void report(const WorkerLoad& load) = 0;
};

}  // namespace sheaf::store
