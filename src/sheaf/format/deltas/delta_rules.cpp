#include "sheaf/format/deltas/delta_rules.h"

#include <algorithm>

namespace sheaf::format {
namespace {

using model::CollectionType;

std::expected<ApplyMode, NotApplied> admit_delta(const SectionTimes& section, const OfferedCollection& delta,
                                                 ApplyIntent intent) {
  if (delta.generated <= section.generated) {
    if (intent == ApplyIntent::resynchronise) return ApplyMode::old_delta;
    return std::unexpected(NotApplied::older);
  }
  if (!delta.since || *delta.since > section.generated) return std::unexpected(NotApplied::gap);
  return ApplyMode::delta;
}

}  // namespace

OfferedCollection offered_by(const model::CollectionHead& head) {
  return {head.type, head.generated_at, head.since_at};
}

std::expected<ApplyMode, NotApplied> admit(const std::optional<SectionTimes>& section,
                                           const OfferedCollection& collection, ApplyIntent intent) {
  if (collection.type == CollectionType::delta) {
    if (!section) return std::unexpected(NotApplied::gap);
    return admit_delta(*section, collection, intent);
  }
  if (!section || intent == ApplyIntent::reset) return ApplyMode::replacement;
  if (intent == ApplyIntent::resynchronise)
    return collection.generated < section->generated ? ApplyMode::snapshot : ApplyMode::replacement;
  if (section->snapshot && collection.generated <= *section->snapshot)
    return std::unexpected(NotApplied::older);
  return snapshot_mode(*section, collection.generated);
}

ApplyMode snapshot_mode(const SectionTimes& section, Instant generated) {
  return generated < section.generated ? ApplyMode::old_snapshot : ApplyMode::snapshot;
}

SectionTimes advance(const std::optional<SectionTimes>& section, const OfferedCollection& collection,
                     ApplyMode mode) {
  const bool is_snapshot = collection.type == CollectionType::snapshot;
  SectionTimes times = section.value_or(SectionTimes{collection.generated, std::nullopt});
  if (mode == ApplyMode::replacement) times = {collection.generated, std::nullopt};
  times.generated = std::max(times.generated, collection.generated);
  if (is_snapshot) times.snapshot = std::max(times.snapshot, {collection.generated});
  return times;
}

UrlOutcome url_outcome(ApplyMode mode, Instant generated, const std::optional<StoredVersion>& stored,
                       const OfferedVersion& offered) {
  const bool may_insert = mode != ApplyMode::old_snapshot;
  if (!stored) return offered.modified && may_insert ? UrlOutcome::inserted : UrlOutcome::absent;
  const bool is_only_unreadable = offered.unreadable && !offered.modified;
  if (mode == ApplyMode::replacement) {
    if (is_only_unreadable) return UrlOutcome::stays;
    return offered.modified ? UrlOutcome::replaced : UrlOutcome::removed;
  }
  // If a delta both removes and has a page, the removal came first.
  const bool may_remove =
      mode == ApplyMode::delta || (mode == ApplyMode::old_delta && stored->as_of <= generated);
  if (may_remove && offered.removed && !is_only_unreadable)
    return offered.modified ? UrlOutcome::replaced : UrlOutcome::removed;
  if (offered.modified)
    return replaces(*offered.modified, stored->modified) ? UrlOutcome::replaced : UrlOutcome::stays;
  if (is_only_unreadable) return UrlOutcome::stays;
  const bool is_snapshot = mode == ApplyMode::snapshot || mode == ApplyMode::old_snapshot;
  if (is_snapshot && stored->as_of <= generated) return UrlOutcome::removed;
  return UrlOutcome::stays;
}

DiffKind classify(const std::optional<SnapshotVersion>& older, const std::optional<SnapshotVersion>& newer) {
  if (!older) return DiffKind::added;
  if (!newer) return DiffKind::removed;
  if (replaces(newer->modified, older->modified)) return DiffKind::changed;
  const bool same = newer->modified == older->modified && newer->fingerprint == older->fingerprint;
  return same ? DiffKind::unchanged : DiffKind::stale;
}

bool is_held_back(const ShrinkGuard& guard, std::uint64_t pages, std::uint64_t removed) {
  return is_suspicious_shrink(pages, removed) ||
         (removed > 0 && is_suspicious_shrink(std::max(guard.pages, pages), guard.removed + removed));
}

ShrinkGuard settle(const ShrinkGuard& guard, std::uint64_t pages, bool proven) {
  if (proven || pages >= guard.pages) return {pages, 0};
  return {guard.pages, guard.pages - pages};
}

}  // namespace sheaf::format
