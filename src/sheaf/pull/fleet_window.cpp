#include "sheaf/pull/fleet_window.h"

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::size_t kMinPerPart = 4;
constexpr std::int64_t kLead = 30;  // seconds before the horizon at which the next sites are read

}  // namespace

void FleetWindow::follow(const store::WorkShare::Parts& parts) {
  std::map<int, PartState> now;
  for (const store::WorkShare::Part& part : parts.owned) {
    const auto before = parts_.find(part.number);
    const bool is_same = before != parts_.end() && before->second.epoch == part.epoch;
    now[part.number] = is_same ? before->second : PartState{.epoch = part.epoch};
  }
  parts_ = std::move(now);
  if (list_ == parts.list) return;
  list_ = parts.list;
  for (auto& [number, part] : parts_) part.reads = Reads::never;
}

std::size_t FleetWindow::per_part() const {
  return std::max(kMinPerPart, sites_ / std::max<std::size_t>(parts_.size(), 1));
}

bool FleetWindow::is_low(const PartState& part, std::int64_t now, std::size_t waiting) const {
  return part.horizon && *part.horizon <= now + kLead && waiting <= per_part() / 4;
}

FleetWindow::Reading FleetWindow::to_read(std::int64_t now, const std::map<int, std::size_t>& waiting) const {
  Reading reading;
  for (const auto& [number, part] : parts_) {
    const auto found = waiting.find(number);
    const std::size_t count = found != waiting.end() ? found->second : 0;
    if (part.reads == Reads::done && !is_low(part, now, count)) continue;
    reading.parts.push_back(number);
    if (part.reads == Reads::never) reading.fresh.push_back(number);
  }
  return reading;
}

void FleetWindow::set_read(int part, std::optional<std::int64_t> horizon) {
  const auto found = parts_.find(part);
  if (found == parts_.end()) return;
  found->second.reads = Reads::done;
  found->second.horizon = horizon;
}

void FleetWindow::read_again(int part) {
  const auto found = parts_.find(part);
  if (found != parts_.end() && found->second.reads == Reads::done) found->second.reads = Reads::again;
}

bool FleetWindow::covers(int part, std::int64_t due) const {
  const auto found = parts_.find(part);
  if (found == parts_.end() || found->second.reads == Reads::never) return false;
  return !found->second.horizon || due < *found->second.horizon;
}

bool FleetWindow::is_complete() const {
  return std::ranges::all_of(
      parts_, [](const auto& part) { return part.second.reads == Reads::done && !part.second.horizon; });
}

std::optional<std::int64_t> FleetWindow::next_horizon() const {
  std::optional<std::int64_t> next;
  for (const auto& [number, part] : parts_)
    if (part.horizon && (!next || *part.horizon < *next)) next = part.horizon;
  return next;
}

}  // namespace sheaf::pull
