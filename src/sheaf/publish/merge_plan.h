#pragma once

#include "sheaf/publish/catalog.h"
#include <sheaf/time.h>

#include <cstdint>
#include <span>
#include <vector>

// Which deltas are also offered as one. Pure functions, without disk or clock.
//
// A client that was away for long would need every delta since, and a page that changes often is in each of
// them. So the deltas of a day, of a week and of four weeks (`merge_days`) are merged into one. The days are
// counted from 1970, and each number is a multiple of the one before, so that a longer window consists of
// shorter ones.
//
// The first run after a window merges what was published in it. So a merged delta ends before the newest one,
// and a client that keeps up does not fetch it: by the drafts it fetches "all deltas since the last crawl".
namespace sheaf::publish {

/// The time that a delta covers.
struct DeltaSpan {
  Instant since;
  Instant generated;

  friend bool operator==(const DeltaSpan&, const DeltaSpan&) = default;
};

/// What a run that publishes at `generated` has to merge, the shortest first: the deltas without a gap at the
/// end of each window that is over, if there are several.
std::vector<DeltaSpan> plan_merges(const CatalogSection& published, std::span<const std::uint32_t> merge_days,
                                   Instant generated);

/// The longest deltas in one codec that cover the span one after the other; none if there is a gap.
std::vector<PublishedFile> find_chain(const CatalogSection& published, const DeltaSpan& span,
                                      format::Codec codec);

/// The size of the newest snapshot, in all codecs together.
std::uint64_t bytes_of_snapshot(const CatalogSection& published);

/// The longest deltas that lead to the newest state, as far back as they are together not larger than the
/// newest snapshot, and at most a year. Clients that have an older state fetch the snapshot.
std::vector<CollectionName> choose_chain(const CatalogSection& published, Instant now);

}  // namespace sheaf::publish
