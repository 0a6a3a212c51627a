#pragma once

#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Plans what to fetch from what the store has and what a site offers. Pure functions, without disk, clock or
// network. A sitemap is not trusted and may list 100,000 collections, so the work is O(n log n); comparing
// all pairs of deltas would be quadratic. SectionPlan::work counts the comparisons and a test checks them.
namespace sheaf::offers {

/// The section that stands for the whole site.
inline constexpr std::string_view kWholeSite = "all";

/// A section without a state digest gets a snapshot this often: deltas need not list deletions, a snapshot
/// shows them.
inline constexpr std::int64_t kSnapshotEverySeconds = std::int64_t{7} * 86'400;

/// The state of a section in the store.
struct Held {
  Instant generated;                        ///< of the newest collection applied
  std::optional<Instant> snapshot = {};     ///< `generated` of the newest snapshot applied
  std::optional<Instant> snapshot_checked;  ///< by our clock: when a snapshot was last applied or found
                                            ///< to be the one already applied
  bool proven = false;                      ///< its pages match the digest that the site states
};

enum class PlanKind : std::uint8_t {
  current,   ///< nothing newer is offered
  deltas,    ///< deltas close the gap
  snapshot,  ///< a snapshot, and the deltas after it
  nothing,   ///< no usable offer
};

std::string_view to_string(PlanKind kind);

/// The collections that bring one section up to date.
struct SectionPlan {
  std::string section;
  PlanKind kind = PlanKind::nothing;
  std::vector<site::AdvertisedCollection> steps;  ///< in the order of application
  std::uint64_t bytes = 0;                        ///< to fetch, as far as the sitemap states sizes
  bool bytes_known = true;                        ///< every step says its size
  std::vector<std::string> notes;                 ///< skipped offers, one sentence each, at most a few
  std::optional<Instant> newest = {};             ///< the newest state offered that is not in the future
  std::optional<Instant> future = {};             ///< the latest `generated` that is
  std::uint64_t work = 0;                         ///< comparisons made
};

struct PlanRules {
  Instant now;
  bool only_snapshots = false;  ///< the stored state is in doubt, or a chain of deltas had a gap
  std::int64_t snapshot_every = kSnapshotEverySeconds;
};

/// The cheapest chain that leads to the newest state offered: deltas whose `since` is not later than the
/// stored state, or a snapshot and the deltas after it; fewer bytes first, then fewer files. A collection
/// that is offered in several codecs counts once, zstd before gzip before others. Where a snapshot is due
/// (see is_snapshot_due) and one is offered that was not applied yet, the newest comes first, even one that
/// is older than what deltas have brought since. Offers of other sections are ignored.
SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const site::AdvertisedCollection> offers, const PlanRules& rules);

/// Whether deletions may have been missed for so long that a snapshot has to be fetched.
bool is_snapshot_due(const Held& held, const PlanRules& rules);

/// A copy further ahead of our clock than this was dated by a wrong clock.
inline constexpr std::int64_t kClockSeconds = 3600;

/// Whether the copy was dated by a wrong clock that has been corrected: it is in the future, and all offers
/// are older. Without this check, nothing offered would count as new until that time.
bool is_misdated(const Held& held, std::span<const site::AdvertisedCollection> offers, Instant now);

/// The offers of each section.
using OffersBySection = std::map<std::string, std::vector<site::AdvertisedCollection>, std::less<>>;
OffersBySection group_by_section(std::span<const site::AdvertisedCollection> offers);

/// The sections to pull: the wanted ones if there are any, else `all` if it is offered, else every offered
/// section. A wanted section that is not offered is included: its plan reports that.
std::vector<std::string> choose_sections(const OffersBySection& offers, std::span<const std::string> wanted);

}  // namespace sheaf::offers
