#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/fleet_queue.h"
#include "sheaf/pull/fleet_roster.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

namespace sheaf::pull {

/// State that the threads of a fleet share. It is accessed only with the mutex held.
struct FleetState {
  std::mutex mutex;
  std::condition_variable changed;
  FleetRoster roster;
  FleetQueue queue;
  std::size_t running = 0;
  std::optional<base::Error> error;  ///< ends the fleet

  void put_into_queue(std::size_t number) {
    queue.insert(number, roster[number].due);
    roster[number].queued = true;
  }
  void remove_from_queue(std::size_t number) {
    queue.remove(number);
    roster[number].queued = false;
  }
};

/// The source of a fleet's sites: fills the roster and the queue. For all functions except begin() and end()
/// the caller must hold the mutex.
class FleetSource {
 public:
  virtual ~FleetSource() = default;

  /// Called before the first site is taken.
  virtual base::Result<void> begin() = 0;
  /// After the last turn has ended.
  virtual void end() {}

  /// Called often: applies changes of the list.
  virtual void look() {}
  /// Called when the turn of a member has ended; it may have been queued again.
  virtual void end_turn(std::size_t number) = 0;
  /// Whether the fleet must queue a member again that is due later.
  [[nodiscard]] virtual bool keeps(std::size_t number) const = 0;
  /// Whether everything that was due at the start has been queued. With `once`, the run ends then.
  [[nodiscard]] virtual bool is_complete() const { return true; }

  /// Sets the gauges `sites`, `failing`, `due`, `late`, `next_due` and `in_memory`. Reports them to other
  /// processes if they share the list.
  virtual void count(FleetGauges& gauges) = 0;
  /// After the last turn has ended.
  [[nodiscard]] virtual FleetSummary summarize() = 0;
};

}  // namespace sheaf::pull
