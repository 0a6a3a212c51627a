#pragma once

#include "sheaf/base/time.h"
#include "sheaf/site/advertised.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What to fetch, decided from what the store has and what a site offers: pure functions, with neither disk
// nor clock nor network.
namespace sheaf::pull {

/// What the store has of a section.
struct Held {
  base::Instant generated;  ///< of the newest collection applied
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
  std::vector<std::string> notes;                 ///< what was passed over, a sentence each
};

struct PlanRules {
  base::Instant now;
  bool only_snapshots = false;  ///< what the store has cannot be trusted, or a chain of deltas had a gap
};

/// The cheapest chain that leads to the newest state offered: deltas whose `since` is no later than what is
/// there, or a snapshot and the deltas after it; fewer bytes first, then fewer files. A collection that is
/// offered in several codecs counts once, zstd before gzip before others. Offers of other sections are passed
/// over.
SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const site::AdvertisedCollection> offers, const PlanRules& rules);

/// The sections to be pulled: those wanted if any are, else `all` if that is offered, else every one that is.
/// What is wanted and not offered is in the result all the same: its plan will say so.
std::vector<std::string> choose_sections(const site::Advertised& advertised,
                                         std::span<const std::string> wanted);

}  // namespace sheaf::pull
