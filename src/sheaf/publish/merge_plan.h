#pragma once

#include "sheaf/publish/catalog.h"
#include <sheaf/time.h>

#include <cstdint>
#include <span>
#include <vector>

// Decides which deltas are also offered as one merged delta. Pure functions that access neither disk nor
// clock.
//
// A client that was away for long would need every delta since, and a page that changes often is in each of
// them. So the deltas of a day, of a week and of four weeks (`merge_days`) are merged into one. The days are
// counted from 1970, and each number is a multiple of the previous one, so a longer window consists of
// shorter ones.
//
// The first run after a window merges what was published in it. So a merged delta ends before the newest
// delta, and a client that keeps up does not fetch it: by the drafts it fetches "all deltas since the last
// crawl".
namespace sheaf::publish {

/// The period that a delta covers.
struct DeltaSpan {
  Instant since;
  Instant generated;

  friend bool operator==(const DeltaSpan&, const DeltaSpan&) = default;
};

/// The spans that a run that publishes at `generated` has to merge, shortest first. For each window that is
/// over, this is the gapless sequence of deltas at its end, if there are at least two.
std::vector<DeltaSpan> plan_merges(const CatalogSection& published, std::span<const std::uint32_t> merge_days,
                                   Instant generated);

/// The longest deltas in one codec that together cover the span without a gap; empty if there is a gap.
std::vector<PublishedFile> find_chain(const CatalogSection& published, const DeltaSpan& span,
                                      format::Codec codec);

/// The size of the newest snapshot, in all codecs together.
std::uint64_t bytes_of_snapshot(const CatalogSection& published);

/// The longest deltas that lead to the newest state. Goes back at most a year, and only as long as the deltas
/// together are not larger than the newest snapshot. Clients with an older state fetch the snapshot.
std::vector<CollectionName> choose_chain(const CatalogSection& published, Instant now);

}  // namespace sheaf::publish
