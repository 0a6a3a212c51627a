#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/feed_cursor.h"
#include "sheaf/store/section_edit.h"
#include "sheaf/store/site_hosts.h"
#include "sheaf/store/store_progress.h"
#include <sheaf/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The copy of many sites: what pull fills and every other command reads.
//
// Pages belong to a section, sections to a site. A site is identified by its origin ("https://example.com").
// Every operation is atomic and durable, even if the process or the machine fails.
//
// PageStore is an interface, so that a copy can be kept in other places than a folder: store/local/
// implements it with RocksDB, and nothing outside that folder depends on it. Its operations are those of the
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

/// The state of a section.
struct SectionState {
  std::string site;
  std::string section;
  Origin origin = Origin::collections;
  Instant generated;                ///< of the newest collection applied
  std::optional<Instant> snapshot;  ///< of the newest snapshot applied
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  base::Digest state{};     ///< the sum over its pages
  /// Whether `state` is the digest in the newest collection; nothing if it has none.
  std::optional<bool> proven;
  Instant changed_at;  ///< last change, by our clock
};

struct StoredPage {
  std::string site;
  std::string section;
  std::string url;
  std::string modified;  ///< as written in the page
  Instant learnt;        ///< `generated` of the collection it came with, or when it was fetched
  std::string json;      ///< one line, without a line feed; empty if only the entry was requested
  Instant fetched = {};  ///< when this version was stored, by our clock; only in walks with JSON
};

enum class ChangeKind : std::uint8_t { put, remove };

/// An entry of the change feed.
struct StoreChange {
  std::uint64_t sequence = 0;  ///< from 1, without gaps, never reused; in its part of the feed
  std::uint32_t part = 0;      ///< of the feed (FeedCursor)
  std::uint32_t parts = 1;     ///< that the feed has
  ChangeKind kind = ChangeKind::put;
  std::string site;
  std::string section;
  std::string url;
  std::string old_modified;  ///< empty for a new page
  std::string new_modified;  ///< empty for a removed one
};

struct ApplyOptions {
  format::Limits limits;
  unsigned threads = 1;
  format::Shrink shrink = format::Shrink::refuse;
  /// That pack pages while more are read, if there are many; 0: none. They continue after apply() has
  /// returned, until pack() has, or until the store is closed.
  unsigned pack_threads = 0;
  Instant now;
  format::FindingSink findings;  ///< findings that did not end the reading
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
  std::function<bool()> cancelled;  ///< true ends it with Errc::refused and without changes
  /// The section is known to be wrong: a snapshot that is not older replaces it. An older one, and the deltas
  /// after it, only add missing pages.
  bool resynchronise = false;
  /// A snapshot replaces the section, even an older one.
  bool reset = false;
  /// Pages of other hosts than the site's are skipped as `foreign-page`, unless this accepts their host.
  HostVouch vouch;
};

enum class ApplyOutcome : std::uint8_t {
  applied,
  older,         ///< not newer than what was applied: nothing done
  gap,           ///< a delta that begins after the section's state, or for an empty section
  shrink_held,   ///< would remove more than half: nothing done
  out_of_order,  ///< a delta for a section that is now filled from HTML pages: nothing done
};

std::string_view to_string(ApplyOutcome outcome);

/// `unchanged` pages are in the collection, but not newer than those in the store.
struct ApplySummary : PageChanges {
  ApplyOutcome outcome = ApplyOutcome::applied;
  model::CollectionHead head;
  std::uint64_t pages = 0;  ///< read from the collection
  std::uint64_t duplicates = 0;
  std::array<std::uint64_t, format::kCodeCount> findings{};
  std::optional<bool> proven;  ///< whether the section now matches the stated digest
};

enum class Access : std::uint8_t {
  write,  ///< one process at a time
  read,   ///< any number of processes, also while another writes
};

/// Selects pages of a walk. Empty members select everything.
struct PageFilter {
  std::string site;
  std::string section;
  std::optional<Instant> modified_since;   ///< then or later
  std::optional<Instant> modified_before;  ///< earlier than this
  std::string url;                         ///< a pattern in which `*` matches anything
  bool with_json = true;
  /// Gets a sentence for each unreadable page, which is then skipped. Without it, the first such page ends
  /// the walk with an error.
  std::function<void(const std::string& sentence)> on_damage = {};
};

struct GcOptions {
  std::optional<std::uint64_t> keep_changes;  ///< entries of the feed to keep; all if empty
  unsigned threads = 1;                       ///< the result does not depend on them
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
  std::uint64_t damaged = 0;   ///< unreadable ones, deleted
  std::uint64_t sections = 0;  ///< that need a new snapshot
};

struct VerifySummary {
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t changes = 0;
  std::uint64_t orphans = 0;        ///< objects that nothing refers to; gc deletes them after a day
  std::vector<std::string> faults;  ///< a sentence each, at most a hundred
};

/// Packing fewer bytes is not worth the time.
inline constexpr std::uint64_t kWorthPacking = 64 * format::kMiB;

/// Pages to be read together.
struct PageRequests {
  std::span<const std::string> urls;
  std::string site = {};     ///< as for get()
  std::string section = {};  ///< only pages of sections with this name; all if empty
  unsigned threads = 1;
};

/// Gets the page of a request, in the order of the requests; nothing if it is not in the store.
using FoundPageUse =
    std::function<base::Result<void>(std::size_t request, const std::optional<StoredPage>& page)>;

class PageRanges;
struct SectionRecord;
class SectionWriter;
class WorkShare;

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
  /// get() for many URLs, which is much faster than one by one: pages that are stored next to each other are
  /// read together. Holds up to 128 MiB of pages.
  virtual base::Result<void> get_many(const PageRequests& requests, const FoundPageUse& use) const = 0;
  /// Calls `use` with each page, section by section, in the order that is fastest: usually that of storing.
  /// The first page comes at once, however large the store is. All pages are those of the moment when the
  /// walk began. `use` returns false to stop.
  virtual base::Result<void> each_page(
      const PageFilter& filter, const std::function<base::Result<bool>(const StoredPage&)>& use) const = 0;

  /// The same in ranges for several threads (page_ranges.h), which may be used to find the ranges too. The
  /// store must outlive them.
  [[nodiscard]] virtual std::unique_ptr<PageRanges> page_ranges(const PageFilter& filter,
                                                                unsigned threads) const;

  /// The position of the newest change; 0 when there was none yet.
  [[nodiscard]] virtual base::Result<FeedCursor> newest_change() const = 0;
  /// The changes after `since`, part by part, oldest first, until `use` returns false. All changes of a page
  /// are in one part. Errc::refused if gc has deleted the feed up to there, or if the feed has not reached
  /// `since` yet.
  virtual base::Result<void> changes(const FeedCursor& since,
                                     const std::function<bool(const StoreChange&)>& use) const = 0;
  /// Makes a store opened for reading show later changes. Not concurrently with other calls.
  virtual base::Result<void> refresh() = 0;

  // Writing; any thread, one operation on a section at a time.

  /// Reads a collection to its end, checks it, and applies it (docs/spec-readings.md). Errors: invalid_data
  /// when the file is not a valid collection of that section or its `generated` is over a day in the future;
  /// refused when cancelled; or a failure of the disk.
  virtual base::Result<ApplySummary> apply(std::string_view site, std::string_view section,
                                           std::unique_ptr<base::ByteSource> collection,
                                           const ApplyOptions& options) = 0;

  /// Call this when a pull has reached the newest offered state of a section: the shrink guard counts all
  /// removals since the last call. A section whose digest does not match is not changed.
  virtual base::Result<void> settle(std::string_view site, std::string_view section) = 0;

  /// Commits the changes of an edit and empties it; they are on disk when this returns. Errc::refused for
  /// pages of a section from collections.
  virtual base::Result<PageChanges> commit(SectionEdit& edit) = 0;

  /// Removes a section and returns how many pages it had. Pages that another section of the site has too are
  /// not reported as removed in the feed.
  virtual base::Result<std::uint64_t> drop_section(std::string_view site, std::string_view section,
                                                   Instant now) = 0;

  // Notes: named byte strings of a site, in which pull keeps its crawl state. They are written by an edit.

  [[nodiscard]] virtual base::Result<std::optional<std::string>> note(std::string_view site,
                                                                      std::string_view name) const = 0;
  /// Notes whose names begin with `prefix`, sorted by name, as of the start of the call.
  virtual base::Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<bool(std::string_view name, std::string_view value)>& use) const = 0;

  /// The notes of that name of several sites, in the order of the sites.
  [[nodiscard]] virtual base::Result<std::vector<std::optional<std::string>>> notes(
      std::span<const std::string> sites, std::string_view name) const;

  // Several processes.

  /// What this process pulls of a list that processes share. The first call makes it one of them. Null for a
  /// store that only one process may write to.
  virtual WorkShare* work_share() { return nullptr; }

  // For copying a store as it is (copy_store.h).

  [[nodiscard]] virtual base::Result<std::optional<SectionRecord>> section_record(
      std::string_view site, std::string_view section) const = 0;
  virtual base::Result<std::unique_ptr<SectionWriter>> write_section(std::string_view site,
                                                                     std::string_view section) = 0;

  // Maintenance.

  /// Deletes unreferenced data and compresses the rest as well as possible.
  virtual base::Result<GcSummary> gc(const GcOptions& options) = 0;

  /// Waits for the packing that apply() began. Then packs pages like gc if more than `worth` bytes and more
  /// than a quarter of the store are not packed yet. Takes a minute per gigabyte and thread; reading and
  /// writing continue meanwhile. True if something was packed.
  virtual base::Result<bool> pack(std::uint64_t worth = kWorthPacking, unsigned threads = 1,
                                  const StoreProgressSink& progress = {}) = 0;

  /// Reads every page of a site and deletes unreadable ones. The state of their sections is reset, so that
  /// the next pull fetches a snapshot, which restores the pages; the other pages stay. Errors: invalid_data
  /// if the index itself cannot be read.
  virtual base::Result<RepairSummary> repair(std::string_view site) = 0;

  /// Reads and checks everything: each page exists, is valid JSON and matches its entry; the counts and
  /// digests of sections are right; the feed has no gaps; and no commit in the journal is missing. The
  /// summary does not depend on the number of threads.
  virtual base::Result<VerifySummary> verify(unsigned threads = 1,
                                             const StoreProgressSink& progress = {}) const = 0;

  /// Size of the store on disk.
  [[nodiscard]] virtual base::Result<std::uint64_t> disk_bytes() const = 0;
};

}  // namespace sheaf::store
