#pragma once

#include "sheaf/base/time.h"
#include "sheaf/format/codec.h"
#include "sheaf/format/page_fingerprint.h"
#include "sheaf/model/collection.h"
#include "sheaf/site/advertised.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What to publish, decided from what is known: pure functions, with neither disk nor clock.
namespace sheaf::publish {

using Fingerprint = format::PageFingerprint;

/// What was last published of a page.
struct KnownPage {
  Fingerprint fingerprint{};
  base::Instant modified;
  bool removed = false;  ///< it was unpublished since; readers still know its `modified`
};

enum class Change : std::uint8_t { none, added, changed };

struct PageVerdict {
  Change change = Change::none;
  base::Instant modified;
};

/// Unchanged content keeps its `modified`, whatever the source says. Changed content gets the source's time
/// if that is later than the last one published and not in the future, else now; never one that is not later,
/// or readers would keep the old page.
PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<base::Instant> source_time, base::Instant now);

/// The `generated` of the next collection: now, unless the clock went back, since readers apply collections
/// in this order. Whole seconds, which the names of the files have.
base::Instant next_generated(std::optional<base::Instant> last, base::Instant now);

/// Whether the last snapshot is so old that another is due. A tenth of the period is forgiven, or a daily job
/// that starts a second early would skip a day.
bool is_snapshot_due(std::optional<base::Instant> last_snapshot, site::UpdateFreq update, base::Instant now);

/// A file of ours, by its name: blog-snapshot-20260115T000000Z.scp.zst.
struct CollectionName {
  std::string section;
  model::CollectionType type = model::CollectionType::snapshot;
  base::Instant generated;
  format::Codec codec = format::Codec::zstd;

  friend bool operator==(const CollectionName&, const CollectionName&) = default;
};

std::string to_string(const CollectionName& name);
/// nullopt for every file that we would not have named so.
std::optional<CollectionName> parse_collection_name(std::string_view file_name);

struct Retention {
  std::int64_t delta_seconds = std::int64_t{30} * 86'400;
  std::uint32_t snapshots = 2;
};

/// The newest snapshots and the deltas that are young enough or newer than every snapshot; of each all
/// codecs. `files` are of one section.
std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        base::Instant now);

/// Until when a file will be there at least. A snapshot: two more periods from now, since it stays until
/// newer ones take its place. A delta: by its age.
base::Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                        base::Instant now);

}  // namespace sheaf::publish
