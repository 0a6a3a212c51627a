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

/// What the threads of a fleet share. Everything is changed with the mutex held.
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

/// Where a fleet gets its sites from: it fills roster and queue. The caller of everything but begin() and
/// end() holds the mutex.
class FleetSource {
 public:
  virtual ~FleetSource() = default;

  /// Before the first site is taken.
  virtual base::Result<void> begin() = 0;
  /// After the last turn has ended.
  virtual void end() {}

  /// Called often: follows changes of the list.
  virtual void look() {}
  /// The turn of a member has ended; it is queued again or not.
  virtual void end_turn(std::size_t number) = 0;
  /// Whether a member that is due again later is put back into the queue by the fleet.
  [[nodiscard]] virtual bool keeps(std::size_t number) const = 0;
  /// Whether everything that was due at the beginning has been in the queue: with `once` the run ends.
  [[nodiscard]] virtual bool is_complete() const { return true; }

  /// Sites, failing, due, late and next_due; other processes that share the list get them too.
  virtual void count(FleetGauges& gauges) = 0;
  /// After the last turn has ended.
  [[nodiscard]] virtual FleetSummary summarize() = 0;
};

}  // namespace sheaf::pull
