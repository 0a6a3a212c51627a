#pragma once

#include "sheaf/pull/fleet_source.h"
#include "sheaf/pull/fleet_window.h"
#include "sheaf/store/work_share.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::pull {

/// The sites of a shared list that this process owns. Only a window of them is in memory (fleet_window.h). A
/// thread reads the next sites while the fleet pulls, and counts all of them.
class FleetFeed final : public FleetSource {
 public:
  FleetFeed(FleetState& state, store::WorkShare& share, const FleetJob& options);
  ~FleetFeed() override { end(); }
  FleetFeed(const FleetFeed&) = delete;
  FleetFeed& operator=(const FleetFeed&) = delete;

  /// Reads the sites that are missing in the window. The thread calls it; without begin(), the caller does.
  base::Result<void> feed();
  base::Result<void> begin() override;
  void end() override;
  void end_turn(std::size_t number) override;
  [[nodiscard]] bool keeps(std::size_t number) const override;
  [[nodiscard]] bool is_complete() const override { return window_.is_complete(); }
  void count(FleetGauges& gauges) override;
  [[nodiscard]] FleetSummary summarize() override;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  /// Counts of the sites in memory.
  struct InMemory {
    std::map<int, std::size_t> waiting;  ///< queued in the normal lane, by part
    std::size_t most_busy = 0;           ///< maximum over the parts: being pulled, or queued in the slow lane
  };
  [[nodiscard]] InMemory look_at_members() const;
  void drop_lost();
  void merge(const std::vector<int>& parts, const std::vector<store::ScheduledSite>& sites,
             std::size_t limit);
  void take_in(const store::ScheduledSite& site);
  void drop_unread(const std::vector<int>& parts);
  /// Removes a member that need not be in memory.
  void drop(std::size_t number);
  void count_all();

  FleetState& state_;
  store::WorkShare& share_;
  const FleetJob& options_;
  const std::int64_t started_;
  FleetWindow window_;
  std::vector<int> part_of_;            ///< the part of each site, by number in the roster
  std::vector<std::uint64_t> read_in_;  ///< the last reading that had the site, by number in the roster
  std::uint64_t readings_ = 0;
  std::optional<std::int64_t> next_horizon_;
  std::set<std::string, std::less<>> ended_;  ///< sites whose turn ended during a reading
  store::WorkShare::Totals totals_;
  std::size_t running_due_ = 0;   ///< of totals_.due, those being pulled
  std::size_t running_late_ = 0;  ///< of totals_.late, those being pulled
  Clock::time_point next_count_ = {};
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace sheaf::pull
