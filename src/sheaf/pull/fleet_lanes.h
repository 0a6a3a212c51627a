#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sheaf::pull {

/// Where a pull runs. Every site begins in the normal lane; those that take long share another one, so that
/// any number of tarpits, and of large sites, leaves the normal lane to the others.
enum class Lane : std::uint8_t { normal, slow };

/// How slow a site has proved to be, in this process.
struct SiteTempo {
  unsigned level = 0;  ///< times that it exceeded its time; 0: starts in the normal lane

  [[nodiscard]] Lane lane() const { return level == 0 ? Lane::normal : Lane::slow; }
};

/// Places in the two lanes. Plain data: the caller has a lock and a clock.
class FleetLanes {
 public:
  using Milliseconds = std::chrono::milliseconds;
  FleetLanes(std::size_t normal_places, Milliseconds patience);

  [[nodiscard]] bool has_room(Lane lane) const;
  void enter(Lane lane) { ++running_[index(lane)]; }
  void leave(Lane lane) { --running_[index(lane)]; }
  /// Of both lanes.
  [[nodiscard]] std::size_t places() const { return places_[0] + places_[1]; }

  /// How long a pull may run before it has to make room: `patience`, and twice as long each time that it did
  /// not suffice. So tarpits take turns with large sites, and those come to an end all the same.
  [[nodiscard]] Milliseconds time_for(SiteTempo tempo) const;

  enum class Verdict : std::uint8_t {
    go_on,
    move,   ///< go on in the slow lane, which the caller is now in
    yield,  ///< stop, and be queued again with the next level
  };
  /// What a pull has to do that has run for `elapsed`; `others_wait` says whether a site that is due waits
  /// for its lane. Moves it to the slow lane where that is the answer.
  Verdict judge(Lane lane, SiteTempo tempo, Milliseconds elapsed, bool others_wait);

 private:
  static std::size_t index(Lane lane) { return lane == Lane::normal ? 0 : 1; }

  std::size_t places_[2];
  std::size_t running_[2] = {0, 0};
  Milliseconds patience_;
};

}  // namespace sheaf::pull
