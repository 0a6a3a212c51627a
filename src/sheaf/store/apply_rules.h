#pragma once

#include "sheaf/base/time.h"
#include "sheaf/format/collection_delta.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/page_store.h"

#include <algorithm>
#include <cstdint>
#include <optional>

// What becomes of a collection, and of each page of a section when one is applied: docs/spec-readings.md as
// pure functions. Nothing here knows a disk.
namespace sheaf::store {

/// A collection that says it was generated further than this in the future is refused.
inline constexpr std::int64_t kFutureSeconds = 86'400;

constexpr bool is_in_future(base::Instant time, base::Instant now) {
  return time > base::Instant{now.seconds + kFutureSeconds, now.nanoseconds};
}

/// The `modified` by which versions of a page are compared. One that lies in the future of its own collection
/// would outlive every later version; it counts as the `generated` of the collection (`learnt`), which is
/// bounded by our clock.
constexpr base::Instant bounded_modified(base::Instant modified, base::Instant learnt) {
  return is_in_future(modified, learnt) ? learnt : modified;
}

/// What the shrink guard remembers of a section. It counts from the last settled state: one that a site's
/// digest proved at the end of a pull, or that a person confirmed. A count that began anew with every
/// collection could be led down to nothing in small steps.
struct ShrinkGuard {
  std::uint64_t pages = 0;    ///< of the settled state
  std::uint64_t removed = 0;  ///< since then

  friend bool operator==(const ShrinkGuard&, const ShrinkGuard&) = default;
};

/// Whether `removed` more pages of a section that has `pages` are to be held back.
constexpr bool is_held_back(const ShrinkGuard& guard, std::uint64_t pages, std::uint64_t removed) {
  return format::is_suspicious_shrink(pages, removed) ||
         (removed > 0 && format::is_suspicious_shrink(guard.pages, guard.removed + removed));
}

/// The guard after a pull that reached the newest state on offer. A proven state is where it counts from now.
/// Without proof, pages that came forgive as many that went, but a loss stays counted against the most pages
/// that the section had: only a person can confirm it.
constexpr ShrinkGuard settle(const ShrinkGuard& guard, std::uint64_t pages, bool proven) {
  if (proven || pages >= guard.pages) return {pages, 0};
  return {guard.pages, guard.pages - pages};
}

/// What the store knows of a section that a collection comes for.
struct SectionFacts {
  Origin origin = Origin::collections;
  base::Instant generated;                ///< of the newest collection applied
  std::optional<base::Instant> snapshot;  ///< of the newest snapshot applied
};

struct CollectionFacts {
  model::CollectionType type = model::CollectionType::snapshot;
  base::Instant generated;
  std::optional<base::Instant> since;
  bool resynchronise = false;  ///< the section is known to be wrong
  bool reset = false;          ///< going back in time is wanted
};

/// By which rule pages are judged.
enum class ApplyMode : std::uint8_t {
  delta,
  snapshot,
  replacement,  ///< the snapshot is what the section becomes, whatever was in it
  old_delta,  ///< a delta from before the section's state, which is applied again to make up what is missing
};

struct Admission {
  ApplyOutcome outcome = ApplyOutcome::applied;
  ApplyMode mode = ApplyMode::delta;  ///< where it is applied
};

/// Whether a collection is applied to the section, of which nothing is known without facts. Nothing goes back
/// in time unless that is wanted: a snapshot that is older than the section may only add what is missing and
/// bring newer pages, and so may the deltas after it.
constexpr Admission admit(const std::optional<SectionFacts>& section, const CollectionFacts& collection) {
  if (collection.type == model::CollectionType::delta) {
    if (!section) return {ApplyOutcome::gap};
    if (section->origin == Origin::html) return {ApplyOutcome::out_of_order};
    if (collection.generated <= section->generated)
      return collection.resynchronise ? Admission{ApplyOutcome::applied, ApplyMode::old_delta}
                                      : Admission{ApplyOutcome::older};
    if (!collection.since || *collection.since > section->generated) return {ApplyOutcome::gap};
    return {ApplyOutcome::applied, ApplyMode::delta};
  }
  if (!section || collection.reset || section->origin == Origin::html)
    return {ApplyOutcome::applied, ApplyMode::replacement};
  if (collection.resynchronise)
    return {ApplyOutcome::applied,
            collection.generated < section->generated ? ApplyMode::snapshot : ApplyMode::replacement};
  if (section->snapshot && collection.generated <= *section->snapshot) return {ApplyOutcome::older};
  return {ApplyOutcome::applied, ApplyMode::snapshot};
}

struct StoredFacts {
  base::Instant modified;
  base::Instant learnt;
};

/// What a collection says of one URL, after duplicates within it are resolved.
struct OfferedFacts {
  bool removed = false;                   ///< it is in the delta's `removed`
  std::optional<base::Instant> modified;  ///< of the page it has, if it has one
};

enum class Fate : std::uint8_t { stays, inserted, replaced, removed, nothing };

/// What becomes of one URL. A delta speaks only of what it offers: a page that it lacks is not asked about.
constexpr Fate fate_of(ApplyMode mode, base::Instant generated, const std::optional<StoredFacts>& stored,
                       const OfferedFacts& offered) {
  if (!stored) return offered.modified ? Fate::inserted : Fate::nothing;
  if (mode == ApplyMode::replacement) return offered.modified ? Fate::replaced : Fate::removed;
  // A page that a delta both takes away and brings was taken away first.
  const bool takes_away =
      mode == ApplyMode::delta || (mode == ApplyMode::old_delta && stored->learnt <= generated);
  if (takes_away && offered.removed) return offered.modified ? Fate::replaced : Fate::removed;
  if (offered.modified) return *offered.modified > stored->modified ? Fate::replaced : Fate::stays;
  if (mode == ApplyMode::snapshot && stored->learnt <= generated) return Fate::removed;
  return Fate::stays;
}

}  // namespace sheaf::store
