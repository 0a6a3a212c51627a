#pragma once

#include "sheaf/store/work_share.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::pull {

/// Which sites of a shared list are in memory: of each part the few that are due first. Up to its horizon
/// nothing of a part is missing, so the site that is due next is always there, whatever the size of the list.
/// Plain data: the caller provides lock and clock, and reads the sites.
class FleetWindow {
 public:
  /// `sites`: how many are in memory, in all parts together.
  explicit FleetWindow(std::size_t sites) : sites_(sites) {}

  /// The parts now owned. New ones have to be read; all of them if the list has changed.
  void follow(const store::WorkShare::Parts& parts);
  [[nodiscard]] bool has(int part) const { return parts_.contains(part); }
  /// How many sites of a part are read.
  [[nodiscard]] std::size_t per_part() const;

  struct Reading {
    std::vector<int> parts;
    std::vector<int> fresh;  ///< of these: not read since they are owned, or since the list has changed
  };
  /// What has to be read now. `waiting`: sites of the parts in memory that wait for their turn.
  [[nodiscard]] Reading to_read(std::int64_t now, const std::map<int, std::size_t>& waiting) const;

  /// A part was read: everything that is due before `horizon` is in memory; without one, all of it.
  void set_read(int part, std::optional<std::int64_t> horizon);
  /// Something has changed while the part was read.
  void read_again(int part);

  /// Whether a site that is due then has to be in memory.
  [[nodiscard]] bool covers(int part, std::int64_t due) const;
  /// Whether all parts are in memory as a whole.
  [[nodiscard]] bool is_complete() const;
  /// The earliest time at which a site may be due that is not in memory.
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
