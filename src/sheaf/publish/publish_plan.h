#pragma once

#include "sheaf/format/pages/page_fingerprint.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/collection_name.h"
#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Pure functions that decide what to publish, without disk or clock.
namespace sheaf::publish {

using Fingerprint = format::PageFingerprint;

/// The last published version of a page.
struct KnownPage {
  Fingerprint fingerprint{};
  Instant modified;
  bool removed = false;  ///< it was unpublished since; clients still know its `modified`
};

enum class PageChange : std::uint8_t { none, added, changed };

struct PageVerdict {
  PageChange change = PageChange::none;
  Instant modified;
};

/// Unchanged content keeps its `modified`, regardless of the source. Changed content gets the source's time
/// if that is later than the last published one and not in the future, else the current time. It is always
/// later than before; otherwise clients would keep the old page.
PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<Instant> source_time, Instant now);

/// Whether a time was written by a wrong clock: it is so far in the future that clients refuse it. A smaller
/// error is tolerated: `generated` continues from there.
bool is_misdated(Instant time, Instant now);

/// Whether a page's `modified` is so far in the future that it is replaced: all later versions of the page
/// would need a later one. For a few days the time is kept instead: the clock may just as well be wrong now,
/// and clients that have the page would never accept an earlier time.
bool is_beyond_waiting(Instant modified, Instant now);

/// The `generated` of the next collection: now, or later if the clock was set back, since clients apply
/// collections in this order. Whole seconds, as in the file names.
Instant next_generated(std::optional<Instant> last, Instant now);

/// Whether a new snapshot is due. A tenth of the period is tolerated; otherwise a daily job that starts a
/// second early would skip a day.
bool is_snapshot_due(std::optional<Instant> last_snapshot, site::UpdateFreq update, Instant now);

/// The files to keep: the newest snapshots, and the deltas that are young enough or newer than every
/// snapshot, each in all codecs. Misdated files are not kept, since clients would refuse them. `files` are of
/// one section.
std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        Instant now);

/// The earliest time at which a file may be deleted. For a snapshot two periods from now, since it stays
/// until newer ones replace it; for a delta by its age, and for one that is older but still needed as for a
/// snapshot.
Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                  Instant now);

}  // namespace sheaf::publish
