#pragma once

#include "sheaf/store/work_share.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::pull {

/// Decides which sites of a shared list are in memory: of each part, the few that are due first. All sites of
/// a part that are due before its horizon are in memory, so the next due site is always available, no matter
/// how long the list is. Plain data: the caller does the locking, provides the time, and reads the sites.
class FleetWindow {
 public:
  /// `sites`: number of sites in memory, in all parts together.
  explicit FleetWindow(std::size_t sites) : sites_(sites) {}

  /// Sets the parts that are owned now. New parts have to be read; if the list has changed, all parts.
  void follow(const store::WorkShare::Parts& parts);
  [[nodiscard]] bool has(int part) const { return parts_.contains(part); }
  /// The number of sites to read of each part.
  [[nodiscard]] std::size_t per_part() const;

  struct Reading {
    std::vector<int> parts;
    std::vector<int> fresh;  ///< those of `parts` not read since they are owned, or since the list has
                             ///< changed
  };
  /// The parts that have to be read now. `waiting`: queued sites in memory, by part.
  [[nodiscard]] Reading to_read(std::int64_t now, const std::map<int, std::size_t>& waiting) const;

  /// Records that a part was read. Everything that is due before `horizon` is in memory; nullopt: the whole
  /// part is.
  void set_read(int part, std::optional<std::int64_t> horizon);
  /// Makes a part be read again, because something changed while it was read.
  void read_again(int part);

  /// Whether a site of this part that is due at `due` has to be in memory.
  [[nodiscard]] bool covers(int part, std::int64_t due) const;
  /// Whether all parts are completely in memory.
  [[nodiscard]] bool is_complete() const;
  /// The earliest due time that a site may have that is not in memory.
  [[nodiscard]] std::optional<std::int64_t> next_horizon() const;

 private:
  enum class Reads : std::uint8_t { never, again, done };
  struct PartState {
    std::int64_t epoch = 0;
    Reads reads = Reads::never;
    std::optional<std::int64_t> horizon = {};
  };
  [[nodiscard]] bool is_low(const PartState& part, std::int64_t now, std::size_t waiting) const;

  std::size_t sites_;
  std::map<int, PartState> parts_;
  std::string list_;
};

}  // namespace sheaf::pull
