#include "sheaf/pull/fleet_queue.h"

namespace sheaf::pull {

void FleetQueue::insert(std::size_t site, std::int64_t due) {
  remove(site);
  if (of_site_.size() <= site) of_site_.resize(site + 1);
  of_site_[site] = {due, ++inserted_, site};
  turns_.insert(of_site_[site]);
}

void FleetQueue::remove(std::size_t site) {
  if (site >= of_site_.size() || of_site_[site].order == 0) return;
  turns_.erase(of_site_[site]);
  of_site_[site] = {};
}

std::size_t FleetQueue::count_due(std::int64_t now) const {
  std::size_t count = 0;
  for (const Turn& turn : turns_) {
    if (turn.due > now) break;
    ++count;
  }
  return count;
}

std::optional<std::size_t> FleetQueue::first_due(std::int64_t now,
                                                 const std::function<bool(std::size_t)>& accepts) const {
  for (const Turn& turn : turns_) {
    if (turn.due > now) break;
    if (accepts(turn.site)) return turn.site;
  }
  return std::nullopt;
}

}  // namespace sheaf::pull
