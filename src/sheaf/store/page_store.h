#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/site_notes.h"
#include <sheaf/store.h>
#include <sheaf/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The local copy of many sites. pull fills it, and all other commands read it.
//
// Pages belong to a section, sections to a site. A site is identified by its origin ("https://example.com").
// Every operation is atomic and durable, even if the process or the machine fails.
//
// PageStore is an interface with two implementations: store/local/ is a folder with RocksDB, store/shared/ is
// PostgreSQL with object storage. open_store() (store/open/open_store.h) chooses between them. The operations
// are those of the domain (apply a collection, edit a section, walk over pages, follow the changes) and not
// those of a database, because a store that several machines share must make each operation one transaction.
namespace sheaf::store {

using sheaf::ApplyOutcome;
using sheaf::ApplySummary;
using sheaf::ChangeKind;
using sheaf::FeedCursor;
using sheaf::GcOptions;
using sheaf::GcSummary;
using sheaf::Origin;
using sheaf::PageFilter;
using sheaf::RepairSummary;
using sheaf::SectionState;
using sheaf::StoreAccess;
using sheaf::StoreChange;
using sheaf::StoredPage;
using sheaf::StoreProgress;
using sheaf::StoreProgressSink;
using sheaf::to_string;
using sheaf::UnreadablePages;
using sheaf::VerifySummary;

/// Changes to single pages of a section filled from HTML, and to the notes of its site. They are kept in
/// memory until PageStore::commit() writes them atomically. Committing page by page would cost a synced write
/// for each.
class SectionEdit {
 public:
  struct Page {
    std::string modified;
    std::string json;
    Instant as_of;
  };
  struct NoteChange {
    std::string name;
    std::optional<std::string> value;  ///< nullopt: remove the note
    bool whole_prefix = false;         ///< remove all notes whose names begin with `name`
  };
  using Pages = std::map<std::string, std::optional<Page>, std::less<>>;

  SectionEdit(std::string_view site, std::string_view section) : site_(site), section_(section) {}

  /// Adds or replaces a page. `url` and `modified` must be those in `json`.
  void put_page(std::string_view url, std::string_view modified, std::string_view json, Instant as_of);
  void remove_page(std::string_view url);  ///< no error if it is not stored
  void put_note(std::string_view name, std::string_view value);
  void remove_note(std::string_view name);
  void remove_notes(std::string_view prefix);
  /// Bytes of memory that the changes need, approximately.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void clear();

  // For implementations of PageStore.

  [[nodiscard]] const std::string& site() const { return site_; }
  [[nodiscard]] const std::string& section() const { return section_; }
  [[nodiscard]] const Pages& pages() const { return pages_; }                    ///< by URL; nullopt: removed
  [[nodiscard]] const std::vector<NoteChange>& notes() const { return notes_; }  ///< in the order of calls

 private:
  std::string site_;
  std::string section_;
  Pages pages_;
  std::vector<NoteChange> notes_;
  std::size_t bytes_ = 0;
};

/// The kind of an entry of the feed that replaced the version `old_modified`, which is empty for a new page.
ChangeKind kind_of_change(bool is_removal, std::string_view old_modified);

/// What to do with a collection that removes pages which no other section has: they may have moved to a
/// section that is pulled later.
enum class Losses : std::uint8_t {
  accept,
  hold,  ///< the collection is not applied
  keep,  ///< only its pages are stored: nothing is removed, and the section stays in the state it had
};

struct ApplyOptions {
  format::Limits limits;
  unsigned threads = 1;
  format::Shrink shrink = format::Shrink::refuse;
  /// Threads that pack pages while a large collection is being read; 0 for none. They continue after apply()
  /// has returned. pack() waits for them; closing the store stops them.
  unsigned pack_threads = 0;
  Instant now;
  format::FindingSink findings;  ///< gets findings that do not stop the reader
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
  /// If this returns true, apply() fails with Errc::refused and changes nothing.
  std::function<bool()> cancelled;
  /// The section is known to be wrong. A snapshot that is not older than the section replaces it. An older
  /// snapshot and the deltas after it only add missing pages and bring newer versions.
  bool resynchronise = false;
  /// A snapshot replaces the section, even an older one.
  bool reset = false;
  /// Decides which other hosts may belong to the site. Pages of all other hosts are skipped with the finding
  /// `foreign-page`.
  HostFilter vouch;
  /// The checksum that the sitemap states, "sha256:..."; empty if it states none. A file with another one is
  /// not applied.
  std::string checksum;
  /// What read_unreadable() says of the section before the call.
  UnreadablePages unreadable = {};
  Losses losses = Losses::accept;
};

/// The prefix of the notes in which apply() keeps the unreadable pages of a section, one per URL.
std::string unreadable_prefix(std::string_view section);

/// Packing fewer bytes is not worth the time.
inline constexpr std::uint64_t kWorthPacking = 64 * format::kMiB;

/// Pages to be read together.
struct PageRequests {
  std::span<const std::string> urls;
  std::string site = {};     ///< as for get()
  std::string section = {};  ///< only pages of sections with this name; all if empty
  unsigned threads = 1;
};

/// Called once per request, in the order of the requests. `page` is nullopt if the page is not in the store.
using FoundPageUse =
    std::function<base::Result<void>(std::size_t request, const std::optional<StoredPage>& page)>;

class PageRanges;
struct SectionRecord;
class SectionWriter;
class WorkShare;

class PageStore;
base::Result<UnreadablePages> read_unreadable(const PageStore& store, std::string_view site,
                                              std::string_view section);

class PageStore {
 public:
  PageStore() = default;
  virtual ~PageStore() = default;
  PageStore(const PageStore&) = delete;
  PageStore& operator=(const PageStore&) = delete;

  // Reading. Thread-safe.

  /// All sections, or those of one site, sorted by site and name.
  [[nodiscard]] virtual base::Result<std::vector<SectionState>> sections(
      std::string_view site = {}) const = 0;
  [[nodiscard]] virtual base::Result<std::optional<SectionState>> section(std::string_view site,
                                                                          std::string_view section) const = 0;
  /// The page with that URL; if several sections have it, the one with the newest `modified`. Without a site,
  /// the site of the URL's origin is searched first, then all others.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> get(std::string_view url,
                                                                    std::string_view site = {}) const = 0;
  /// Like get(), but without the JSON, which is much faster.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> find(std::string_view url,
                                                                     std::string_view site = {}) const = 0;
  /// The page of one section.
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> get(std::string_view site,
                                                                    std::string_view section,
                                                                    std::string_view url) const = 0;
  [[nodiscard]] virtual base::Result<std::optional<StoredPage>> find(std::string_view site,
                                                                     std::string_view section,
                                                                     std::string_view url) const = 0;
  /// Like get(), for many URLs. This is much faster than single calls, because pages that are stored next to
  /// each other are read together. Holds up to 128 MiB of pages in memory.
  virtual base::Result<void> get_many(const PageRequests& requests, const FoundPageUse& use) const = 0;
  /// Calls `use` with each page, section by section, in the fastest order, which is usually the order in
  /// which pages were stored. The first page arrives immediately, even if the store is large. The walk sees
  /// the store as it was when the walk began. `use` returns false to stop.
  virtual base::Result<void> each_page(
      const PageFilter& filter, const std::function<base::Result<bool>(const StoredPage&)>& use) const = 0;

  /// Like each_page(), but in ranges that several threads can read. Finding the ranges may
  /// use `threads` threads too. The store must outlive the ranges.
  [[nodiscard]] virtual std::unique_ptr<PageRanges> page_ranges(const PageFilter& filter,
                                                                unsigned threads) const;

  /// The position of the newest change; 0 if there is none.
  [[nodiscard]] virtual base::Result<FeedCursor> newest_change() const = 0;
  /// The changes after `since`, part by part, oldest first, until `use` returns false. All changes of a page
  /// are in one part. Fails with Errc::refused if gc has deleted some of these changes, or if the feed has
  /// not reached `since` yet.
  virtual base::Result<void> changes(
      const FeedCursor& since, const std::function<base::Result<bool>(const StoreChange&)>& use) const = 0;
  /// Makes a store opened for reading show later changes. Must not run concurrently with other calls.
  virtual base::Result<void> refresh() = 0;

  // Writing. Thread-safe; operations on the same section are serialised.

  /// Reads a collection to its end, checks it, and applies it (docs/spec-readings.md). Fails with
  /// Errc::invalid_data if the file is not a valid collection of that section or its `generated` is more than
  /// a day in the future, with Errc::refused if cancelled, or with the error of the disk.
  virtual base::Result<ApplySummary> apply(std::string_view site, std::string_view section,
                                           std::unique_ptr<base::ByteSource> collection,
                                           const ApplyOptions& options) = 0;

  /// Must be called when a pull has reached the newest state of a section that the site offers: the shrink
  /// guard counts all removals since the last call. Does nothing if the section's digest does not match.
  virtual base::Result<void> settle(std::string_view site, std::string_view section) = 0;

  /// Commits the changes of an edit and empties it; they are on disk when this returns. Fails with
  /// Errc::refused if the edit adds or replaces pages of a section that is filled from collections. Pages of
  /// such a section may be removed, if the site has shown that they are gone.
  virtual base::Result<PageChanges> commit(SectionEdit& edit) = 0;

  /// Removes a section, with its notes about unreadable pages, and returns how many pages it had.
  virtual base::Result<std::uint64_t> drop_section(std::string_view site, std::string_view section,
                                                   Instant now) = 0;

  // Notes: named byte strings of a site, in which pull keeps its crawl state. They are written with a
  // SectionEdit.

  [[nodiscard]] virtual base::Result<std::optional<std::string>> note(std::string_view site,
                                                                      std::string_view name) const = 0;
  /// Notes whose names begin with `prefix`, sorted by name, as of the start of the call.
  virtual base::Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<base::Result<bool>(std::string_view name, std::string_view value)>& use) const = 0;

  /// The note `name` of each site, in the order of `sites`.
  [[nodiscard]] virtual base::Result<std::vector<std::optional<std::string>>> notes(
      std::span<const std::string> sites, std::string_view name) const;

  // Several processes.

  /// This process's share of a list of sites that several processes pull. The first call makes this process
  /// one of them. Null if only one process may write to the store.
  virtual WorkShare* work_share() { return nullptr; }

  // For copying a store (copy_store.h).

  [[nodiscard]] virtual base::Result<std::optional<SectionRecord>> section_record(
      std::string_view site, std::string_view section) const = 0;
  virtual base::Result<std::unique_ptr<SectionWriter>> write_section(std::string_view site,
                                                                     std::string_view section) = 0;

  // Maintenance.

  /// Deletes unreferenced data and compresses the rest as well as possible.
  virtual base::Result<GcSummary> gc(const GcOptions& options) = 0;

  /// Waits for the packing that apply() began. Then packs pages like gc if more than `worth` bytes and more
  /// than a quarter of the store are not packed yet. Takes about one thread-minute per gigabyte; other calls
  /// can read and write meanwhile. Returns true if something was packed.
  virtual base::Result<bool> pack(std::uint64_t worth = kWorthPacking, unsigned threads = 1,
                                  const StoreProgressSink& progress = {}) = 0;

  /// Reads every page of a site and deletes unreadable ones. The state of their sections is reset, so that
  /// the next pull fetches a snapshot, which restores the pages; the other pages are kept. Fails with
  /// Errc::invalid_data if the index itself cannot be read.
  virtual base::Result<RepairSummary> repair(std::string_view site) = 0;

  /// Reads and checks everything: each page exists, is valid JSON and matches its entry; the counts and
  /// digests of sections are right; the feed has no gaps; and no commit in the journal is missing. The
  /// summary does not depend on the number of threads.
  virtual base::Result<VerifySummary> verify(unsigned threads = 1,
                                             const StoreProgressSink& progress = {}) const = 0;

  /// Size of the store on disk.
  [[nodiscard]] virtual base::Result<std::uint64_t> disk_bytes() const = 0;
};

/// Pages that are stored next to each other. Several threads can read different ranges at the same time. A
/// range must not outlive its PageRanges.
class PageRange {
 public:
  PageRange() = default;
  virtual ~PageRange() = default;
  PageRange(const PageRange&) = delete;
  PageRange& operator=(const PageRange&) = delete;

  /// Calls `use` with each page. Skips unreadable pages and describes each to `on_damage` in a sentence.
  virtual base::Result<void> read(const std::function<base::Result<void>(const StoredPage&)>& use,
                                  const std::function<void(const std::string&)>& on_damage) const = 0;
};

/// A walk over pages that is divided into ranges, so that several threads can decompress pages.
class PageRanges {
 public:
  PageRanges() = default;
  virtual ~PageRanges() = default;
  PageRanges(const PageRanges&) = delete;
  PageRanges& operator=(const PageRanges&) = delete;

  /// Returns the next range, in the order of PageStore::each_page(), or null after the last one. Must not run
  /// concurrently with itself.
  virtual base::Result<std::unique_ptr<PageRange>> next() = 0;
};

/// Makes each section one range, for stores that cannot divide sections.
std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter);

}  // namespace sheaf::store
