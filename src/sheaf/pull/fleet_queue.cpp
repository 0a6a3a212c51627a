#include "sheaf/pull/fleet_queue.h"

namespace sheaf::pull {

FleetSummary summarize(const std::deque<FleetMember>& members, Instant now) {
  FleetSummary summary;
  for (const FleetMember& member : members) {
    if (!member.listed) continue;
    ++summary.sites;
    if (member.unfinished || (member.queued && !member.attempted && member.schedule.next <= now)) {
      ++summary.unfinished;
    } else if (member.attempted) {
      ++(member.failed ? summary.failed : summary.pulled);
    } else {
      ++summary.not_due;
      if (member.failed) ++summary.still_failing;
    }
  }
  return summary;
}

void FleetQueue::insert(std::size_t site, std::int64_t due) {
  remove(site);
  const Turn turn{due, inserted_++, site};
  turns_.insert(turn);
  of_site_.emplace(site, turn);
}

void FleetQueue::remove(std::size_t site) {
  const auto found = of_site_.find(site);
  if (found == of_site_.end()) return;
  turns_.erase(found->second);
  of_site_.erase(found);
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
