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

/// What a worker reports of itself.
struct WorkerLoad {
  std::int64_t sites = 0;
  std::int64_t due = 0;
  std::int64_t late = 0;  ///< due for a while
  std::int64_t failing = 0;
  std::int64_t running = 0;
};

/// A site of the list, and when it is due. Times are Unix times by the clocks of workers.
struct ScheduledSite {
  int part = 0;
  std::string url;
  std::int64_t due = 0;
  std::uint32_t failures = 0;  ///< in a row
};

/// The part of a list of sites that this process pulls; other processes have the other parts. Which parts
/// these are changes as processes come and go, but no site is ever in two. Any thread.
///
/// The list may have millions of sites, so a process does not hold its parts in memory: it reads the sites of
/// each part that are due first. Sites of one host are in one part.
class WorkShare {
 public:
  virtual ~WorkShare() = default;

  struct Part {
    int number = 0;
    std::int64_t epoch = 0;  ///< another one if the part was another process's meanwhile

    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Parts {
    std::vector<Part> owned;  ///< by number
    std::string list;         ///< another text when the list has changed
  };
  /// The parts that are this process's now.
  virtual base::Result<Parts> parts() = 0;
  /// Waits until this process has its share of the parts, or until it is clear that others have everything.
  virtual base::Result<void> wait_for_part() = 0;
  [[nodiscard]] virtual int part_of(std::string_view site) const = 0;

  /// The first `limit` sites of each part that are due until then, by part and due time.
  virtual base::Result<std::vector<ScheduledSite>> first_due(std::span<const int> parts, std::size_t limit,
                                                             std::int64_t until) = 0;

  /// Due times that are later than they can be now.
  struct Latest {
    std::int64_t due = 0;
    std::optional<std::int64_t> after_last;  ///< of sites that do not fail: so long after their last pull
  };
  /// Makes sites of these parts due no later than that.
  virtual base::Result<void> bring_forward(std::span<const int> parts, const Latest& latest) = 0;

  struct CountTimes {
    std::int64_t now = 0;
    std::int64_t late = 0;     ///< due until then: late
    std::int64_t started = 0;  ///< when this run began
  };
  struct Totals {
    std::int64_t sites = 0;
    std::int64_t due = 0;
    std::int64_t late = 0;
    std::int64_t failing = 0;
    // Since `started`:
    std::int64_t pulled = 0;         ///< and the last pull succeeded
    std::int64_t failed = 0;         ///< and the last pull failed
    std::int64_t unfinished = 0;     ///< of those that are due: not pulled, or only partly
    std::int64_t still_failing = 0;  ///< of those that are not due: their last pull, before that, failed
  };
  /// Of all sites that are this process's. Reads all of them.
  virtual base::Result<Totals> count(const CountTimes& times) = 0;

  /// Keeps a site until leave(). False if it is not this process's any more.
  virtual bool enter(std::string_view site) = 0;
  virtual void leave(std::string_view site) = 0;
  /// Whether the site is still this process's.
  [[nodiscard]] virtual bool owns(std::string_view site) const = 0;

  virtual void report(const WorkerLoad& load) = 0;
};

}  // namespace sheaf::store
