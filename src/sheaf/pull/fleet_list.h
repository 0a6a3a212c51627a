#pragma once

#include "sheaf/pull/fleet_source.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/site_notes.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sheaf::pull {

/// A list of sites that is completely in memory. The schedules come from the store.
class FleetList final : public FleetSource {
 public:
  FleetList(FleetState& state, store::PageStore& store, const FleetJob& options,
            std::vector<base::Url> sites);

  base::Result<void> begin() override;
  void look() override;
  void end_turn(std::size_t /*number*/) override {}
  [[nodiscard]] bool keeps(std::size_t number) const override { return state_.roster[number].listed; }
  void count(FleetGauges& gauges) override;
  [[nodiscard]] FleetSummary summarize() override;

 private:
  using Clock = std::chrono::steady_clock;

  base::Result<void> take_in(const std::vector<base::Url>& sites);
  base::Result<void> enqueue(std::span<const std::size_t> numbers);
  void enqueue(std::size_t number, const std::optional<store::SiteSchedule>& stored);

  FleetState& state_;
  store::PageStore& store_;
  const FleetJob& options_;
  std::vector<base::Url> sites_;  ///< until begin()
  Clock::time_point next_reread_;
  Clock::time_point next_count_ = {};  ///< when due sites are counted again, if there are many
};

}  // namespace sheaf::pull
