#include "sheaf/pull/fleet_lanes.h"

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr unsigned kMaxLevel = 9;  // 17 hours if patience is two minutes

}  // namespace

FleetLanes::FleetLanes(std::size_t normal_places, Milliseconds patience)
    : places_{std::max<std::size_t>(normal_places, 1), std::max<std::size_t>(normal_places / 2, 1)},
      patience_(patience) {}

bool FleetLanes::has_room(Lane lane) const { return running_[index(lane)] < places_[index(lane)]; }

FleetLanes::Milliseconds FleetLanes::time_for(SiteTempo tempo) const {
  return patience_ * (1U << std::min(tempo.level, kMaxLevel));
}

FleetLanes::Verdict FleetLanes::judge(Lane lane, SiteTempo tempo, Milliseconds elapsed, bool others_wait) {
  if (elapsed < time_for(tempo)) return Verdict::go_on;
  if (lane == Lane::normal && has_room(Lane::slow)) {
    leave(lane);
    enter(Lane::slow);
    return Verdict::move;
  }
  return others_wait ? Verdict::yield : Verdict::go_on;
}

}  // namespace sheaf::pull
