#include "sheaf/pull/fleet_roster.h"

#include <algorithm>
#include <functional>

namespace sheaf::pull {

namespace {

constexpr std::size_t kFirstSlots = 64;
// Larger than what the program's allocator takes from its heap, where it would keep freed blocks from being
// returned.
constexpr std::size_t kOriginBytes = std::size_t{4} << 20;

}  // namespace

std::size_t FleetRoster::find_or_add(const base::Url& site, bool* is_new) {
  if (members_.size() * 3 >= slots_.size() * 2) make_room();
  const std::string origin = site.origin();
  std::uint32_t& slot = slots_[slot_of(origin)];
  if (is_new != nullptr) *is_new = slot == 0;
  if (slot == 0) {
    members_.push_back({.origin = keep(origin)});
    slot = static_cast<std::uint32_t>(members_.size());
    set_address(members_.back(), site);
  }
  return slot - 1;
}

std::size_t FleetRoster::number_of(const FleetMember& member) const {
  return slots_[slot_of(member.origin)] - 1;
}

base::Url FleetRoster::url_of(const FleetMember& member) const {
  const auto found = addresses_.find(static_cast<std::uint32_t>(number_of(member)));
  return *base::Url::parse(found != addresses_.end() ? found->second : std::string(member.origin) + "/");
}

void FleetRoster::list(FleetMember& member, const base::Url& site) {
  set_address(member, site);
  if (member.listed) return;
  member.listed = true;
  ++listed_;
  if (member.failed) ++failing_;
}

void FleetRoster::set_address(const FleetMember& member, const base::Url& site) {
  const bool is_usual = site.href() == std::string(member.origin) + "/";
  if (is_usual && addresses_.empty()) return;
  const auto number = static_cast<std::uint32_t>(number_of(member));
  if (is_usual)
    addresses_.erase(number);
  else
    addresses_[number] = site.href();
}

std::size_t FleetRoster::slot_of(std::string_view origin) const {
  std::size_t slot = std::hash<std::string_view>()(origin) % slots_.size();
  while (slots_[slot] != 0 && members_[slots_[slot] - 1].origin != origin) slot = (slot + 1) % slots_.size();
  return slot;
}

void FleetRoster::make_room() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), 0);
  for (std::size_t number = 0; number < members_.size(); ++number)
    slots_[slot_of(members_[number].origin)] = static_cast<std::uint32_t>(number + 1);
}

std::string_view FleetRoster::keep(std::string_view origin) {
  if (origins_.empty() || origins_.back().capacity() - origins_.back().size() < origin.size()) {
    // The first is small: most fleets are.
    const std::size_t usual = origins_.empty() ? kOriginBytes / 64 : kOriginBytes;
    origins_.emplace_back().reserve(std::max(usual, origin.size()));
  }
  std::string& text = origins_.back();
  text += origin;
  return std::string_view(text).substr(text.size() - origin.size());
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
