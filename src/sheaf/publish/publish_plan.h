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

// What to publish, decided from what is known: pure functions, with neither disk nor clock.
namespace sheaf::publish {

using Fingerprint = format::PageFingerprint;

/// What was last published of a page.
struct KnownPage {
  Fingerprint fingerprint{};
  Instant modified;
  bool removed = false;  ///< it was unpublished since; readers still know its `modified`
};

enum class PageChange : std::uint8_t { none, added, changed };

struct PageVerdict {
  PageChange change = PageChange::none;
  Instant modified;
};

/// Unchanged content keeps its `modified`, whatever the source says. Changed content gets the source's time
/// if that is later than the last one published and not in the future, else now; never one that is not later,
/// or readers would keep the old page.
PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<Instant> source_time, Instant now);

/// Whether a time was written by a clock that was wrong: it lies so far in the future that readers refuse it.
/// Less is put up with: `generated` just goes on from there.
bool is_misdated(Instant time, Instant now);

/// Whether a page's `modified` is so far in the future that it is given up for a new one. The page's later
/// versions would all have to lie behind it. Days are waited for instead: the clock may just as well be wrong
/// now, and then readers have the page by its time, and would never take an earlier one.
bool is_beyond_waiting(Instant modified, Instant now);

/// The `generated` of the next collection: now, unless the clock went back, since readers apply collections
/// in this order. Whole seconds, which the names of the files have.
Instant next_generated(std::optional<Instant> last, Instant now);

/// Whether the last snapshot is so old that another is due. A tenth of the period is forgiven, or a daily job
/// that starts a second early would skip a day.
bool is_snapshot_due(std::optional<Instant> last_snapshot, site::UpdateFreq update, Instant now);

/// The newest snapshots and the deltas that are young enough or newer than every snapshot; of each all
/// codecs. Files that are misdated are not kept: readers would refuse them, or wait for their time to come.
/// `files` are of one section.
std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        Instant now);

/// Until when a file will be there at least. A snapshot: two more periods from now, since it stays until
/// newer ones take its place. A delta: by its age.
Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                  Instant now);

}  // namespace sheaf::publish
