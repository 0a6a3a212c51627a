#pragma once

#include "sheaf/base/time.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <optional>

// What becomes of a collection, and of each page of a section when one is applied: docs/spec-readings.md as
// pure functions. Nothing here knows a disk.
namespace sheaf::store {

/// A collection that says it was generated further than this in the future is refused.
inline constexpr std::int64_t kFutureSeconds = 86'400;

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
  bool resynchronise = false;
};

/// By which rule pages are judged.
enum class ApplyMode : std::uint8_t {
  delta,
  snapshot,
  replacement,  ///< the snapshot is what the section becomes, whatever was in it
};

struct Admission {
  ApplyOutcome outcome = ApplyOutcome::applied;
  ApplyMode mode = ApplyMode::delta;  ///< where it is applied
};

/// Whether a collection is applied to the section, of which nothing is known without facts.
constexpr Admission admit(const std::optional<SectionFacts>& section, const CollectionFacts& collection) {
  if (collection.type == model::CollectionType::delta) {
    if (!section) return {ApplyOutcome::gap};
    if (section->origin == Origin::html) return {ApplyOutcome::out_of_order};
    if (collection.generated <= section->generated) return {ApplyOutcome::older};
    if (!collection.since || *collection.since > section->generated) return {ApplyOutcome::gap};
    return {ApplyOutcome::applied, ApplyMode::delta};
  }
  if (!section || collection.resynchronise || section->origin == Origin::html)
    return {ApplyOutcome::applied, ApplyMode::replacement};
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
  if (mode == ApplyMode::delta && offered.removed) return offered.modified ? Fate::replaced : Fate::removed;
  if (offered.modified) return *offered.modified > stored->modified ? Fate::replaced : Fate::stays;
  if (mode == ApplyMode::snapshot && stored->learnt <= generated) return Fate::removed;
  return Fate::stays;
}

}  // namespace sheaf::store
