#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sheaf::pull {

/// The lane of a pull. Every site starts in the normal lane. Slow sites share another one, so that tarpits
/// and large sites never fill the normal lane, no matter how many there are.
enum class Lane : std::uint8_t { normal, slow };

/// How slow a site has been in this process.
struct SiteTempo {
  unsigned level = 0;  ///< how often it exceeded its time; 0: it starts in the normal lane

  [[nodiscard]] Lane lane() const { return level == 0 ? Lane::normal : Lane::slow; }
};

/// Counts the places in the two lanes. Plain data: the caller does the locking and provides the time.
class FleetLanes {
 public:
  using Milliseconds = std::chrono::milliseconds;
  FleetLanes(std::size_t normal_places, Milliseconds patience);

  [[nodiscard]] bool has_room(Lane lane) const;
  void enter(Lane lane) { ++running_[index(lane)]; }
  void leave(Lane lane) { --running_[index(lane)]; }
  /// The number of places in both lanes.
  [[nodiscard]] std::size_t places() const { return places_[0] + places_[1]; }

  /// How long a pull may run before it has to make room: `patience`, doubled each time that was not enough.
  /// So tarpits take turns with large sites, and large sites still finish.
  [[nodiscard]] Milliseconds time_for(SiteTempo tempo) const;

  enum class Verdict : std::uint8_t {
    go_on,
    move,   ///< continue in the slow lane, which has admitted the pull
    yield,  ///< stop, and queue the site again with the next level
  };
  /// Decides whether a pull that has run for `elapsed` continues. `others_wait`: another due site waits for
  /// this lane. After `move` the pull is counted in the slow lane.
  Verdict judge(Lane lane, SiteTempo tempo, Milliseconds elapsed, bool others_wait);

 private:
  static std::size_t index(Lane lane) { return lane == Lane::normal ? 0 : 1; }

  std::size_t places_[2];
  std::size_t running_[2] = {0, 0};
  Milliseconds patience_;
};

}  // namespace sheaf::pull
