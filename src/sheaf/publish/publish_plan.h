#pragma once

#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/site/advertised.h"
#include <sheaf/publish.h>
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Pure functions that decide what to publish. They access neither disk nor clock.
namespace sheaf::publish {

using Fingerprint = format::PageFingerprint;

/// The last published version of a page.
struct KnownPage {
  Fingerprint fingerprint{};
  Instant modified;
  bool removed = false;  ///< it was unpublished later; clients still know its `modified`
};

enum class PageChange : std::uint8_t { none, added, changed };

struct PageVerdict {
  PageChange change = PageChange::none;
  Instant modified;
};

/// Unchanged content keeps its `modified`, whatever the source says. Changed content gets the source's time
/// if that is later than the published one and not in the future, else the current time. The new time is
/// always later than the published one; otherwise clients would keep the old page.
PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<Instant> source_time, Instant now);

/// `modified` of an added or changed page whose URL other sections have too, or had. There is one clock per
/// URL over all sections: the same content has the same time in all of them, and other content has a later
/// one. `modified` is the time by judge_page(), `own` the last version in this section, and `newest` the
/// newest one in the others.
Instant follow_clock(Instant modified, const std::optional<KnownPage>& own, const KnownPage& newest,
                     const Fingerprint& fingerprint, Instant now);

/// Whether a time was written by a wrong clock: it is so far in the future that clients refuse it. A smaller
/// error is tolerated: `generated` then continues from that time.
bool is_misdated(Instant time, Instant now);

/// Whether a page's `modified` is so far in the future that it is replaced; otherwise all later versions of
/// the page would need an even later time. A time that is up to a month in the future is kept: the clock may
/// be wrong now instead, and clients that have the page would not accept an earlier time.
bool is_too_far_in_future(Instant modified, Instant now);

/// The `generated` of the next collection: now, or one second after the last one if the clock was set back,
/// because clients apply collections in the order of `generated`. In whole seconds, as in the file names.
Instant next_generated(std::optional<Instant> last, Instant now);

/// Whether a new snapshot is due. It may be early by a tenth of the period; otherwise a daily job that starts
/// a second early would skip a day.
bool is_snapshot_due(std::optional<Instant> last_snapshot, site::UpdateFreq update, Instant now);

/// The files to keep, in all codecs: the newest snapshots, and the deltas that are young enough or newer than
/// every snapshot. Misdated files are not kept, because clients would refuse them. All `files` must be of one
/// section.
std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        Instant now);

/// The earliest time at which a file may be deleted. For a snapshot this is two periods from now, because it
/// stays until newer ones replace it. For a delta it follows from its age; a delta that is older but still
/// needed is treated like a snapshot.
Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                  Instant now);

}  // namespace sheaf::publish
