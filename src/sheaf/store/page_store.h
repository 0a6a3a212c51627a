#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/section_edit.h"
#include "sheaf/store/site_hosts.h"
#include "sheaf/store/store_progress.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The copy of many sites: what pull fills and every other command reads.
//
// Pages belong to a section, sections to a site. A site is identified by its origin ("https://example.com").
// Whatever an operation changes becomes visible all at once or never, whatever happens to the process or the
// machine.
//
// PageStore is an interface, so that a copy can be kept in other places than a folder: store/local/
// implements it with RocksDB, and nothing outside of that folder knows how. Its operations are those of the
// domain (apply a collection, edit a section, walk over pages, follow the changes), not those of a database:
// a store that is shared by several machines has to make each of them one transaction of its own.
// open_store() (store/open/open_store.h) chooses the implementation.
namespace sheaf::store {

/// Where a section's pages come from.
enum class Origin : std::uint8_t {
  collections,
  html,  ///< fetched page by page and extracted
};

std::string_view to_string(Origin origin);

/// A section as the store has it.
struct SectionState {
  std::string site;
  std::string section;
  Origin origin = Origin::collections;
  Instant generated;                ///< of the newest collection applied
  std::optional<Instant> snapshot;  ///< of the newest snapshot applied
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  base::Digest state{};     ///< the sum over its pages
  /// Whether `state` is what the newest collection states; nothing if it states none.
  std::optional<bool> proven;
  Instant changed_at;  ///< when a change was last made, by our clock
};

struct StoredPage {
  std::string site;
  std::string section;
  std::string url;
  std::string modified;  ///< as it stands in the page
  Instant learnt;        ///< `generated` of the collection it came with, or when it was fetched
  std::string json;      ///< one line, without a line feed; empty where only the entry was asked for
  Instant fetched = {};  ///< when this version came, by our clock; only in walks with JSON
};

enum class ChangeKind : std::uint8_t { put, remove };

/// An entry of the change feed.
struct StoreChange {
  std::uint64_t sequence = 0;  ///< from 1, without gaps, never given twice
  ChangeKind kind = ChangeKind::put;
  std::string site;
  std::string section;
  std::string url;
  std::string old_modified;  ///< empty for a page that is new
  std::string new_modified;  ///< empty for one that is gone
};

struct ApplyOptions {
  format::Limits limits;
  unsigned threads = 1;
  format::Shrink shrink = format::Shrink::refuse;
  Instant now;
  format::FindingSink findings;  ///< findings that did not end the reading
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
  std::function<bool()> cancelled;  ///< true ends it with Errc::refused, nothing done
  /// The section's state is known to be wrong: a snapshot that is not older than the section replaces it. An
  /// older one, and deltas after it up to the section's state, only supply what is missing.
  bool resynchronise = false;
  /// A snapshot replaces the section, whatever is in it and however old the snapshot is.
  bool reset = false;
  /// Pages of other hosts than the site's are skipped as `foreign-page`, unless this accepts their host.
  HostVouch vouch;
};

enum class ApplyOutcome : std::uint8_t {
  applied,
  older,         ///< not newer than what was applied: nothing done
  gap,           ///< a delta that begins after what the section has, or of a section that has nothing
  shrink_held,   ///< would remove more than half: nothing done
  out_of_order,  ///< a delta for a section that is now filled from HTML pages: nothing done
};

std::string_view to_string(ApplyOutcome outcome);

struct ApplySummary {
  ApplyOutcome outcome = ApplyOutcome::applied;
  model::CollectionHead head;
  std::uint64_t pages = 0;  ///< read from the collection
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;  ///< in the collection, and not newer than what was there
  std::uint64_t removed = 0;
  std::uint64_t duplicates = 0;
  std::array<std::uint64_t, format::kCodeCount> findings{};
  std::optional<bool> proven;  ///< whether the section now adds up to the stated digest
};

enum class Access : std::uint8_t {
  write,  ///< one process at a time
  read,   ///< any number of processes, also while another writes
};

/// What a walk over pages looks for. Empty members do not restrict.
struct PageFilter {
  std::string site;
  std::string section;
  std::optional<Instant> modified_since;   ///< then or later
  std::optional<Instant> modified_before;  ///< earlier than this
  std::string url;                         ///< a pattern in which `*` matches anything
  bool with_json = true;
  /// Gets a sentence for each page that cannot be read, which is then skipped. Without it the first such page
  /// is an error that ends the walk.
  std::function<void(const std::string& sentence)> on_damage = {};
};

struct EditSummary {
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
};

struct GcOptions {
  std::optional<std::uint64_t> keep_changes;  ///< of the feed; everything unless given
  StoreProgressSink progress = {};
};

struct GcSummary {
  std::uint64_t orphans = 0;  ///< pages that nothing referred to
  std::uint64_t changes = 0;  ///< removed from the feed
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

struct RepairSummary {
  std::uint64_t pages = 0;     ///< that could be read
  std::uint64_t damaged = 0;   ///< that could not, and were dropped
  std::uint64_t sections = 0;  ///< that have to be filled again
};

struct VerifySummary {
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t changes = 0;
  std::vector<std::string> faults;  ///< a sentence each, at most a hundred
};

/// Below so many bytes packing is not worth the time.
inline constexpr std::uint64_t kWorthPacking = 64 * format::kMiB;

class PageStore {
 public:
  PageStore() = default;
  virtual ~PageStore() = default;
  PageStore(const PageStore&) = delete;
  PageStore& operator=(const PageStore&) = delete;

  // Reading; any thread.

  /// Sorted by site and name.
  [[nodiscard]] virtual base::Result<std::vector<SectionState>> sections(
      std::string_view site = {}) const = 0;
  [[nodiscard]] virtual base::Result<std::optional<SectionState>> section(std::string_view site,
                                                                          std::string_view section) const = 0;
  /// The page with that URL; where several sections have it, the one with the newest `modified`. Without a
  /// site, the site of the URL's origin is searched first, then all others.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> get(std::string_view url,
                                                                    std::string_view site = {}) const = 0;
  /// The same without its JSON, which is much faster.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> find(std::string_view url,
                                                                     std::string_view site = {}) const = 0;
  /// The page of one section.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> get(std::string_view site,
                                                                    std::string_view section,
                                                                    std::string_view url) const = 0;
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> find(std::string_view site,
                                                                     std::string_view section,
                                                                     std::string_view url) const = 0;
  /// Calls `use` with each page, section by section, in the order in which the store got them, which is fast
  /// to read. All pages are as they were when the walk began. `use` ends the walk with false.
  virtual base::Result<void> each_page(
      const PageFilter& filter, const std::function<base::Result<bool>(const StoredPage&)>& use) const = 0;

  /// The number of the newest change; 0 when there was none yet.
  [[nodiscard]] virtual base::Result<std::uint64_t> last_sequence() const = 0;
  /// The changes after `since`, oldest first, until `use` returns false. Errc::refused where the feed begins
  /// later, since gc removed its older part, and where it never got that far.
  virtual base::Result<void> changes(std::uint64_t since,
                                     const std::function<bool(const StoreChange&)>& use) const = 0;
  /// A store opened for reading shows what was written since it was opened. Not concurrently with other
  /// calls.
  virtual base::Result<void> refresh() = 0;

  // Writing; any thread, one operation on a section at a time.

  /// Reads a collection to its end, checks it, and applies it (docs/spec-readings.md). Errors: invalid_data
  /// when the file is not a valid collection of that section or its `generated` is over a day in the future;
  /// refused when cancelled; or a failure of the disk.
  virtual base::Result<ApplySummary> apply(std::string_view site, std::string_view section,
                                           std::unique_ptr<base::ByteSource> collection,
                                           const ApplyOptions& options) = 0;

  /// To be called when a pull has reached the newest state that is offered of a section: the shrink guard
  /// counts all removals since the last such call. A section whose digest does not match is left as it is.
  virtual base::Result<void> settle(std::string_view site, std::string_view section) = 0;

  /// Makes the changes of an edit, on disk when it returns, and empties it. Errc::refused for pages of a
  /// section that comes from collections.
  virtual base::Result<EditSummary> commit(SectionEdit& edit) = 0;

  /// Removes a section and returns how many pages it had. Pages that another section of the site has too are
  /// not reported as removed in the feed.
  virtual base::Result<std::uint64_t> drop_section(std::string_view site, std::string_view section,
                                                   Instant now) = 0;

  // Notes: crawl state, which a pull keeps for each site beside its pages, under names of its own. An edit
  // writes them.

  [[nodiscard]] virtual base::Result<std::optional<std::string>> note(std::string_view site,
                                                                      std::string_view name) const = 0;
  /// Notes whose names begin with `prefix`, in the order of names, as they were when the walk began.
  virtual base::Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<bool(std::string_view name, std::string_view value)>& use) const = 0;

  // Maintenance.

  /// Deletes what nothing refers to and packs the rest as small as possible.
  virtual base::Result<GcSummary> gc(const GcOptions& options) = 0;

  /// Packs pages as small as gc does, if that is worth it: when more than `worth` bytes and more than a
  /// quarter of the store are not packed yet. Takes half a minute a gigabyte on two threads; reading and
  /// writing go on meanwhile. True if something was packed.
  virtual base::Result<bool> pack(std::uint64_t worth = kWorthPacking,
                                  const StoreProgressSink& progress = {}) = 0;

  /// Reads every page of a site and drops those that cannot be read. Their sections forget what was applied
  /// to them last, so that the next pull fetches a snapshot, which brings the pages back; nothing else in
  /// them changes until then. Errors: invalid_data where even the index cannot be read.
  virtual base::Result<RepairSummary> repair(std::string_view site) = 0;

  /// Reads everything and checks it: each page is there, valid JSON and matches its entry; counts and digests
  /// of sections; the feed has no gaps; and nothing is older than the journal of commits says.
  virtual base::Result<VerifySummary> verify(const StoreProgressSink& progress = {}) const = 0;

  /// Bytes that the store takes on disk.
  [[nodiscard]] virtual base::Result<std::uint64_t> disk_bytes() const = 0;
};

}  // namespace sheaf::store
