#include "sheaf/pull/fleet_roster.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sheaf::pull {

namespace {

constexpr std::size_t kFirstSlots = 64;
// Size of a block of origins. Large enough that the allocator maps the block separately instead of taking it
// from its heap, where it would prevent freed memory from being returned to the system.
constexpr std::size_t kOriginBytes = std::size_t{4} << 20;

}  // namespace

std::size_t FleetRoster::find_or_add(const base::Url& site, bool* is_new) {
  // The hash table is at most two thirds full.
  if (members_.size() * 3 >= slots_.size() * 2) make_room();
  const std::string origin = site.origin();
  std::uint32_t& slot = slots_[slot_of(origin)];
  if (is_new != nullptr) *is_new = slot == 0;
  if (slot != 0) return slot - 1;
  if (free_.empty()) {
    members_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(members_.size() - 1));
  }
  FleetMember& member = members_[free_.back()];
  member = {.origin = keep(origin)};
  slot = free_.back() + 1;
  free_.pop_back();
  set_address(member, site);
  return slot - 1;
}

void FleetRoster::forget(std::size_t number) {
  FleetMember& member = members_[number];
  unlist(member);
  addresses_.erase(static_cast<std::uint32_t>(number));
  clear_slot(slot_of(member.origin));
  origin_bytes_ -= member.origin.size();
  removed_bytes_ += member.origin.size();
  member = {};
  free_.push_back(static_cast<std::uint32_t>(number));
  if (removed_bytes_ > origin_bytes_ + kOriginBytes / 64) drop_removed_origins();
}

/// Frees a slot of the hash table, and moves up those behind it that could otherwise not be found any more
/// (linear probing).
void FleetRoster::clear_slot(std::size_t slot) {
  const std::size_t count = slots_.size();
  std::size_t hole = slot;
  for (std::size_t next = (slot + 1) % count; slots_[next] != 0; next = (next + 1) % count) {
    const std::size_t home = std::hash<std::string_view>()(members_[slots_[next] - 1].origin) % count;
    if ((next + count - home) % count < (next + count - hole) % count) continue;
    slots_[hole] = slots_[next];
    hole = next;
  }
  slots_[hole] = 0;
}

void FleetRoster::drop_removed_origins() {
  const std::deque<std::string> before = std::exchange(origins_, {});
  origin_bytes_ = removed_bytes_ = 0;
  for (FleetMember& member : members_)
    if (!member.origin.empty()) member.origin = keep(member.origin);
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
    if (!members_[number].origin.empty())
      slots_[slot_of(members_[number].origin)] = static_cast<std::uint32_t>(number + 1);
}

std::string_view FleetRoster::keep(std::string_view origin) {
  if (origins_.empty() || origins_.back().capacity() - origins_.back().size() < origin.size()) {
    // The first block is small, because most fleets are.
    const std::size_t usual = origins_.empty() ? kOriginBytes / 64 : kOriginBytes;
    origins_.emplace_back().reserve(std::max(usual, origin.size()));
  }
  std::string& text = origins_.back();
  text += origin;
  origin_bytes_ += origin.size();
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
