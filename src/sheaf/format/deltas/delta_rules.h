#pragma once

#include "sheaf/model/collection.h"
#include <sheaf/delta.h>
#include <sheaf/time.h>

#include <cstdint>
#include <expected>
#include <optional>

// What a collection does to a section and to each page in it: docs/spec-readings.md, "Applying collections",
// as pure functions.
//
// Four programs need the same answers: the store applies collections, `merge` folds deltas into a snapshot,
// `diff` writes the delta that leads from one snapshot to the next, and publish recovers from its own files
// what clients have. When each had its own code, they disagreed about pages dated in the future. So every
// comparison of two versions of a page, and every decision to apply a collection or not, is made here.
//
// Nothing here reads a file or a clock. Callers pass what is stored and what a collection offers.
namespace sheaf::format {

// Versions of a page.

/// A collection generated further than this in the future is refused.
inline constexpr std::int64_t kFutureSeconds = 86'400;

constexpr bool is_in_future(Instant time, Instant now) {
  return time > Instant{now.seconds + kFutureSeconds, now.nanoseconds};
}

/// The `modified` by which versions of a page are compared. A time in the future of the page's own collection
/// would outlive every later version; it counts as the collection's `generated`, which is bounded by the
/// client's clock.
constexpr Instant bounded_modified(Instant modified, Instant generated) {
  return is_in_future(modified, generated) ? generated : modified;
}

/// Whether the later of two lines of one collection with the same URL wins: the newest `modified` does, the
/// later line on a tie.
constexpr bool wins_within_collection(Instant later_line, Instant earlier_line) {
  return later_line >= earlier_line;
}

/// Whether a version replaces one from another collection: only if its `modified` is later.
constexpr bool replaces(Instant offered, Instant stored) { return offered > stored; }

// Whether a collection is applied.

/// How up to date a section is.
struct SectionTimes {
  Instant generated;                ///< of the newest collection applied
  std::optional<Instant> snapshot;  ///< of the newest snapshot applied

  friend bool operator==(const SectionTimes&, const SectionTimes&) = default;
};

struct OfferedCollection {
  model::CollectionType type = model::CollectionType::snapshot;
  Instant generated;
  std::optional<Instant> since;
};

OfferedCollection offered_by(const model::CollectionHead& head);

enum class ApplyIntent : std::uint8_t {
  update,
  resynchronise,  ///< the section is known to be wrong
  reset,          ///< a snapshot replaces the section, however old it is
};

/// The rules that decide what becomes of each page.
enum class ApplyMode : std::uint8_t {
  delta,
  snapshot,
  replacement,   ///< the snapshot replaces all pages of the section
  old_snapshot,  ///< a snapshot older than the section's state: adds nothing, for it may have been removed
                 ///< since
  old_delta,     ///< a delta older than the section's state, applied again to add what is missing
};

enum class NotApplied : std::uint8_t {
  older,  ///< not newer than what was applied
  gap,    ///< the delta begins after the section's state, or the section has no state
};

/// Whether and how to apply a collection. `section` is empty if the section has no state yet. A section never
/// goes back in time unless that is intended: a snapshot older than the section replaces pages by newer ones
/// and removes pages that are as old as it is. To resynchronise, it and the deltas after it also add missing
/// pages.
std::expected<ApplyMode, NotApplied> admit(const std::optional<SectionTimes>& section,
                                           const OfferedCollection& collection,
                                           ApplyIntent intent = ApplyIntent::update);

/// How a snapshot updates a section.
ApplyMode snapshot_mode(const SectionTimes& section, Instant generated);

/// The times of the section after the collection was applied.
SectionTimes advance(const std::optional<SectionTimes>& section, const OfferedCollection& collection,
                     ApplyMode mode);

// What becomes of a page. All `modified` here are bounded (see bounded_modified).

struct StoredVersion {
  Instant modified;
  Instant as_of;  ///< `generated` of the collection it came with
};

/// What a collection says about one URL, after duplicates within it are resolved.
struct OfferedVersion {
  bool removed = false;     ///< it is in the delta's `removed`, or its page says noindex
  bool unreadable = false;  ///< the collection has the page, but breaks a rule of the format there
  std::optional<Instant> modified = {};  ///< of the page, if the collection has it
};

enum class UrlOutcome : std::uint8_t {
  stays,
  inserted,
  replaced,
  removed,
  absent,  ///< neither stored nor offered
};

/// What becomes of one URL when a collection generated at `generated` is applied. For a delta, call this only
/// for URLs that it mentions.
UrlOutcome url_outcome(ApplyMode mode, Instant generated, const std::optional<StoredVersion>& stored,
                       const OfferedVersion& offered);

/// What one collection says about one URL, gathered from its records. A Record has modified(), is_removal()
/// and is_unreadable(); records come in the order of the collection's lines, removals first.
template <class Record>
class UrlOffer {
 public:
  /// Returns the duplicate that lost, if there were two pages.
  std::optional<Record> add(const Record& record) {
    if (record.is_removal()) {
      removed_ = true;
      return std::nullopt;
    }
    if (record.is_unreadable()) {
      unreadable_ = true;
      return std::nullopt;
    }
    std::optional<Record> loser = page_;
    if (!page_ || wins_within_collection(record.modified(), page_->modified())) {
      page_ = record;
    } else {
      loser = record;
    }
    return loser;
  }

  [[nodiscard]] bool empty() const { return !removed_ && !unreadable_ && !page_; }
  [[nodiscard]] const std::optional<Record>& page() const { return page_; }
  [[nodiscard]] OfferedVersion version() const {
    return {removed_, unreadable_, page_ ? std::optional(page_->modified()) : std::nullopt};
  }

 private:
  bool removed_ = false;
  bool unreadable_ = false;
  std::optional<Record> page_;
};

// Comparing two snapshots to write a delta.

/// The facts about a page of a snapshot that are compared.
struct SnapshotVersion {
  Instant modified;
  std::uint64_t fingerprint = 0;  ///< of the page's content
};

enum class DiffKind : std::uint8_t {
  added,
  changed,
  unchanged,
  removed,
  stale,  ///< it differs, but a client that applies a delta would keep the older version
};

/// What became of one URL between two snapshots. At least one of them has it.
DiffKind classify(const std::optional<SnapshotVersion>& older, const std::optional<SnapshotVersion>& newer);

// The shrink guard: a collection that would remove most of a section is more likely a mistake of the
// publisher than a real change.

using sheaf::Shrink;

/// The number of pages from which on a section is held back if it would lose more than half of them. A
/// smaller one is held back only if it would lose all.
inline constexpr std::uint64_t kShrinkPages = 5;

/// Whether removing `removed` of `before` pages needs a person's confirmation.
constexpr bool is_suspicious_shrink(std::uint64_t before, std::uint64_t removed) {
  if (removed == 0) return false;
  return removed >= before || (before >= kShrinkPages && removed > before / 2);
}

/// What the guard remembers about a section. It counts from the last settled state: one that the site's
/// digest proved at the end of a pull, or that a person confirmed. If the count started again with every
/// collection, a section could be emptied in small steps.
struct ShrinkGuard {
  std::uint64_t pages = 0;    ///< pages in the settled state
  std::uint64_t removed = 0;  ///< pages removed since then

  friend bool operator==(const ShrinkGuard&, const ShrinkGuard&) = default;
};

/// Whether to refuse the removal of `removed` more pages from a section that has `pages`.
bool is_held_back(const ShrinkGuard& guard, std::uint64_t pages, std::uint64_t removed);

/// The guard after a pull that reached the newest state on offer. A proven state starts the count again.
/// Without proof, new pages make up for removed ones, but a loss stays counted against the largest number of
/// pages that the section had: only a person can confirm it.
ShrinkGuard settle(const ShrinkGuard& guard, std::uint64_t pages, bool proven);

}  // namespace sheaf::format
