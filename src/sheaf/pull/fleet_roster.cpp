#include "sheaf/pull/fleet_roster.h"

namespace sheaf::pull {

base::Url FleetMember::url() const {
  return *base::Url::parse(address.empty() ? std::string(origin) + "/" : address);
}

std::size_t FleetRoster::find_or_add(const base::Url& site, bool* is_new) {
  const auto number = static_cast<std::uint32_t>(members_.size());
  const auto [place, inserted] = numbers_.try_emplace(site.origin(), number);
  if (inserted) {
    members_.push_back({.origin = place->first});
    if (site.href() != place->first + "/") members_.back().address = site.href();
  }
  if (is_new != nullptr) *is_new = inserted;
  return place->second;
}

std::size_t FleetRoster::number_of(const FleetMember& member) const {
  return numbers_.at(std::string(member.origin));
}

void FleetRoster::list(FleetMember& member, const base::Url& site) {
  member.address = site.href() == std::string(member.origin) + "/" ? std::string() : std::string(site.href());
  if (member.listed) return;
  member.listed = true;
  ++listed_;
  if (member.failed) ++failing_;
}

void FleetRoster::unlist(FleetMember& member) {
  if (!member.listed) return;
  member.listed = false;
  --listed_;
  if (member.failed) --failing_;
}

void FleetRoster::set_failed(FleetMember& member, bool failed) {
  if (member.listed && member.failed != failed) failing_ += failed ? 1 : std::size_t{0} - 1;
  member.failed = failed;
}

FleetSummary FleetRoster::summarize(Instant now) const {
  FleetSummary summary;
  for (const FleetMember& member : members_) {
    if (!member.listed) continue;
    ++summary.sites;
    if (member.unfinished || (member.queued && !member.attempted && member.due <= now.seconds)) {
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

}  // namespace sheaf::pull
