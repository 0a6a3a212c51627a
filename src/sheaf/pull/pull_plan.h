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

// What to fetch, decided from what the store has and what a site offers: pure functions, with neither disk
// nor clock nor network. A sitemap is written by a stranger and may list 100,000 collections, so the work is
// O(n log n); SectionPlan::work counts it and a test checks it.
namespace sheaf::pull {

/// The section that stands for the whole site.
inline constexpr std::string_view kWholeSite = "all";

/// Without a state that proves a section, a snapshot is fetched this often: deltas need not name what was
/// deleted, a snapshot shows it.
inline constexpr std::int64_t kSnapshotEverySeconds = std::int64_t{7} * 86'400;

/// What the store has of a section.
struct Held {
  Instant generated;                        ///< of the newest collection applied
  std::optional<Instant> snapshot = {};     ///< `generated` of the newest snapshot applied
  std::optional<Instant> snapshot_checked;  ///< by our clock: when a snapshot was last applied or found
                                            ///< to be the one already applied
  bool proven = false;                      ///< its pages add up to the state that the site declares
};

enum class PlanKind : std::uint8_t {
  current,   ///< nothing newer is offered
  deltas,    ///< deltas close the gap
  snapshot,  ///< a snapshot, and the deltas after it
  nothing,   ///< nothing that could be used is offered
};

std::string_view to_string(PlanKind kind);

/// What brings one section up to date.
struct SectionPlan {
  std::string section;
  PlanKind kind = PlanKind::nothing;
  std::vector<site::AdvertisedCollection> steps;  ///< in the order of application
  std::uint64_t bytes = 0;                        ///< to be fetched, as far as the sitemap tells
  bool bytes_known = true;                        ///< every step says its size
  std::vector<std::string> notes;                 ///< what was passed over, a sentence each; at most a few
  std::optional<Instant> newest = {};             ///< the newest state offered that is not in the future
  std::optional<Instant> future = {};             ///< the latest `generated` that is
  std::uint64_t work = 0;                         ///< comparisons made
};

struct PlanRules {
  Instant now;
  bool only_snapshots = false;  ///< what the store has cannot be trusted, or a chain of deltas had a gap
  std::int64_t snapshot_every = kSnapshotEverySeconds;
};

/// The cheapest chain that leads to the newest state offered: deltas whose `since` is no later than what is
/// there, or a snapshot and the deltas after it; fewer bytes first, then fewer files. A collection that is
/// offered in several codecs counts once, zstd before gzip before others. Where a snapshot is due (see
/// is_snapshot_due) and one is offered that was not applied yet, the newest comes first, even one that is
/// older than what deltas have brought since. Offers of other sections are passed over.
SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const site::AdvertisedCollection> offers, const PlanRules& rules);

/// Whether deletions may have gone unnoticed for so long that a snapshot has to be looked at.
bool is_snapshot_due(const Held& held, const PlanRules& rules);

/// A copy that is further ahead of our clock than this was dated by a clock that was wrong.
inline constexpr std::int64_t kClockSeconds = 3600;

/// Whether the copy was dated by a wrong clock that has been put right since: it lies in the future, and
/// everything on offer is older. Without this, the site would have nothing new until that time has come.
bool is_misdated(const Held& held, std::span<const site::AdvertisedCollection> offers, Instant now);

/// What is offered of each section.
using OffersBySection = std::map<std::string, std::vector<site::AdvertisedCollection>, std::less<>>;
OffersBySection group_by_section(std::span<const site::AdvertisedCollection> offers);

/// The sections to be pulled: those wanted if any are, else `all` if that is offered, else every one that is.
/// What is wanted and not offered is in the result all the same: its plan will say so.
std::vector<std::string> choose_sections(const OffersBySection& offers, std::span<const std::string> wanted);

}  // namespace sheaf::pull
