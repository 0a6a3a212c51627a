#pragma once

#include "sheaf/site/advertised.h"
#include <sheaf/sitemap.h>
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Plans what to fetch, given what the store has and what a site offers. Pure functions, without disk, clock
// or network. A sitemap is not trusted and may list 100,000 collections, so the work is O(n log n); comparing
// all pairs of deltas would be quadratic. SectionPlan::work counts the comparisons, and a test checks it.
namespace sheaf::offers {

using sheaf::kSnapshotEverySeconds;
using sheaf::PlanKind;
using sheaf::SectionPlan;
using sheaf::to_string;

/// The section that stands for the whole site.
inline constexpr std::string_view kWholeSite = "all";

/// The state of a section in the store.
struct Held {
  Instant generated;                        ///< of the newest collection applied
  std::optional<Instant> snapshot = {};     ///< `generated` of the newest snapshot applied
  std::optional<Instant> snapshot_checked;  ///< when, by our clock, a snapshot was last applied or found
                                            ///< to be the one already applied
  bool proven = false;                      ///< its pages match the digest that the site states
};

struct PlanRules {
  Instant now;
  bool only_snapshots = false;  ///< the stored state is in doubt, or a chain of deltas had a gap
  std::int64_t snapshot_every = kSnapshotEverySeconds;
  std::optional<std::int64_t> update_seconds = {};  ///< how often the site says that it updates the section
};

/// The cheapest chain to the newest state offered: deltas that begin no later than the stored state, or a
/// snapshot and the deltas after it. The chain with fewer bytes is cheaper; on a tie, the one with fewer
/// files. If a collection is offered in several codecs, zstd is preferred, then gzip. If a snapshot is due
/// (see is_snapshot_due) and the newest one offered was not applied yet, the plan begins with that snapshot,
/// even if it is older than the deltas that were applied since. Offers of other sections are ignored.
SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const site::AdvertisedCollection> offers, const PlanRules& rules);

/// Whether deletions may have been missed for so long that a snapshot has to be fetched.
bool is_snapshot_due(const Held& held, const PlanRules& rules);

/// A stored state that is ahead of our clock by more than this was dated by a wrong clock.
inline constexpr std::int64_t kClockSeconds = 3600;

/// Whether the stored state was dated by a wrong clock that has been corrected: it is in the future, all
/// offers are older, and one of them is a snapshot. Without this check, no offer would count as new until
/// that time.
bool is_misdated(const Held& held, std::span<const site::AdvertisedCollection> offers, Instant now);

/// The offers of each section.
using OffersBySection = std::map<std::string, std::vector<site::AdvertisedCollection>, std::less<>>;
OffersBySection group_by_section(std::span<const site::AdvertisedCollection> offers);

/// The newest `generated` among the offers; nullopt if none states one.
std::optional<Instant> newest_of(std::span<const site::AdvertisedCollection> offers);

/// The number of pages that the site states for a section; nullopt if it states none.
std::optional<std::uint64_t> stated_pages(const site::Advertised& advertised, const OffersBySection& offers,
                                          std::string_view section);

/// What decides which sections are pulled.
struct SectionChoice {
  const site::Advertised& advertised;
  const OffersBySection& offers;
  std::span<const std::string> wanted = {};  ///< by the user
  std::span<const std::string> stored = {};  ///< sections of the site in the store
};

/// The sections to pull, small and frequent ones first (SCP 0.1 "Collection Prioritization"): the wanted ones
/// if there are any, else all that are offered. If `all` is offered, it stands for the others where that is
/// likely: those that are newer than `all` or not dated are pulled too, those that the store has are kept up
/// to date, and if the others state more pages than `all`, every one is pulled. A wanted section that is not
/// offered is included; its plan is PlanKind::nothing.
std::vector<std::string> choose_sections(const SectionChoice& choice);

}  // namespace sheaf::offers

// A sitemap makes statements about each collection. These functions compare them with the file. pull uses
// them to decide what to apply, and doctor to decide what to report.
namespace sheaf::offers {

/// A file is stale if its `generated` is earlier than in its sitemap entry by more than this. Smaller
/// differences are normal: many publishers read the clock once for the file and once for the sitemap.
inline constexpr std::int64_t kStaleSeconds = 3600;

/// The facts about a downloaded file that are compared.
struct FileStatement {
  std::uint64_t bytes = 0;
  std::string_view checksum = {};           ///< checksum that the file states, in lower case; empty if none
  std::optional<std::uint64_t> pages = {};  ///< pages in it, including skipped ones; nullopt if not read
};

enum class StatementKind : std::uint8_t { size, checksum, pages };

/// A statement of a sitemap that is wrong.
struct WrongStatement {
  StatementKind kind = StatementKind::size;
  std::string message = {};
};

/// The first statement of the sitemap that is wrong about the file: its size, checksum or page count. Nullopt
/// if all are right.
std::optional<WrongStatement> compare_statements(const site::AdvertisedCollection& offer,
                                                 const FileStatement& file);

/// Whether a file is older than its sitemap entry says, by more than kStaleSeconds.
bool is_older_than_stated(const std::optional<Instant>& advertised, Instant generated);

/// Whether a file that starts with these bytes may be a collection: gzip, zstd or JSON. Four bytes are
/// enough.
bool may_be_collection(std::string_view prefix);

}  // namespace sheaf::offers
