#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/format/collection_delta.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/state_digest.h"
#include "sheaf/model/collection.h"
#include "sheaf/store/site_hosts.h"
#include "sheaf/store/store_progress.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The local copy of many sites.
//
// Pages belong to a section, sections to a site. A site is named by its origin ("https://example.com"). What
// an operation changes appears to readers all at once or never, whatever happens to the process or the
// machine.
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
  base::Instant generated;                ///< of the newest collection applied
  std::optional<base::Instant> snapshot;  ///< of the newest snapshot applied
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  format::Digest state{};   ///< the sum over its pages
  std::optional<bool>
      proven;                ///< whether that is what the newest collection states; nothing if it states none
  base::Instant changed_at;  ///< when a change was last made, by our clock
};

struct StoredPage {
  std::string site;
  std::string section;
  std::string url;
  std::string modified;        ///< as it stands in the page
  base::Instant learnt;        ///< `generated` of the collection it came with, or when it was fetched
  std::string json;            ///< one line, without a line feed; empty where only the entry was asked for
  base::Instant fetched = {};  ///< when this version came, by our clock; only in walks with JSON
};

enum class ChangeKind : std::uint8_t { put, remove };

/// An entry of the change feed.
struct Change {
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
  base::Instant now;
  format::FindingSink findings;  ///< what the reader found and went on
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
  std::function<bool()> cancelled;  ///< true ends it with Errc::refused, nothing done
  /// The section's state is known to be wrong: a snapshot that is not older than the section replaces it. An
  /// older one, and deltas after it up to the section's state, only make up what is missing.
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
  shrink_held,   ///< would take away more than half: nothing done
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
  read,   ///< any number, also beside a writer
};

/// What a walk over pages looks for. Empty members do not restrict.
struct PageFilter {
  std::string site;
  std::string section;
  std::optional<base::Instant> modified_since;   ///< then or later
  std::optional<base::Instant> modified_before;  ///< then not any more
  std::string url;                               ///< in which `*` stands for anything
  bool with_json = true;
  /// Gets a sentence for each page that cannot be read, and the walk goes on behind it. Without it the first
  /// such page is an error that ends the walk.
  std::function<void(const std::string& sentence)> on_damage = {};
};

class PageStore {
 public:
  /// Errors: not_found for a reader where there is no store, refused where another process writes,
  /// invalid_data where it is damaged or of a newer version.
  static base::Result<PageStore> open(const std::filesystem::path& folder, Access access);
  ~PageStore();
  PageStore(PageStore&&) noexcept;
  PageStore& operator=(PageStore&&) noexcept;

  // Reading; any thread.

  /// Sorted by site and name.
  [[nodiscard]] base::Result<std::vector<SectionState>> sections(std::string_view site = {}) const;
  [[nodiscard]] base::Result<std::optional<SectionState>> section(std::string_view site,
                                                                  std::string_view section) const;
  /// The page of that address; where several sections have it, the one with the newest `modified`. Without a
  /// site, the one with the address's origin is asked first, then every other.
  [[nodiscard]] base::Result<std::optional<StoredPage>> get(std::string_view url,
                                                            std::string_view site = {}) const;
  /// The same without its JSON, which is much quicker.
  [[nodiscard]] base::Result<std::optional<StoredPage>> find(std::string_view url,
                                                             std::string_view site = {}) const;
  /// The page of one section.
  [[nodiscard]] base::Result<std::optional<StoredPage>> get(std::string_view site, std::string_view section,
                                                            std::string_view url) const;
  [[nodiscard]] base::Result<std::optional<StoredPage>> find(std::string_view site, std::string_view section,
                                                             std::string_view url) const;
  /// Hands over pages section by section, in the order in which the store came by them, which is quick to
  /// read. All as they were when the walk began. `use` ends the walk with false.
  base::Result<void> each_page(const PageFilter& filter,
                               const std::function<base::Result<bool>(const StoredPage&)>& use) const;

  /// The number of the newest change; 0 when there was none yet.
  [[nodiscard]] base::Result<std::uint64_t> last_sequence() const;
  /// The changes after `since`, oldest first, until `use` says false. Errc::refused where the feed begins
  /// later, since gc took its older part away, and where it never came that far.
  base::Result<void> changes(std::uint64_t since, const std::function<bool(const Change&)>& use) const;
  /// A reader sees what was written since it was opened. Not beside other calls.
  base::Result<void> refresh();

  // Writing; any thread, one operation on a section at a time.

  /// Reads a collection to its end, checks it, and applies it by our reading of the drafts
  /// (docs/spec-readings.md). Errors: invalid_data when the file is no valid collection of that section or
  /// its `generated` is over a day in the future; refused when cancelled; or a failure of the disk.
  base::Result<ApplySummary> apply(std::string_view site, std::string_view section,
                                   std::unique_ptr<base::ByteSource> collection, const ApplyOptions& options);

  /// To be called when a pull has reached the newest state that is offered of a section: the shrink guard
  /// counts all removals since the last such call. A section whose digest does not match is left as it is.
  base::Result<void> settle(std::string_view site, std::string_view section);

  /// Single pages of a section filled from HTML, and notes, all at once and on disk when commit() returns.
  class Edit {
   public:
    ~Edit();
    Edit(Edit&&) noexcept;
    Edit& operator=(Edit&&) noexcept;

    /// A page as JSON; `url` and `modified` are those in it. What is there is replaced.
    void put_page(std::string_view url, std::string_view modified, std::string_view json,
                  base::Instant learnt);
    void remove_page(std::string_view url);  ///< no matter whether it is there
    void put_note(std::string_view name, std::string_view value);
    void remove_note(std::string_view name);
    void remove_notes(std::string_view prefix);
    [[nodiscard]] std::size_t bytes() const;

   private:
    friend class PageStore;
    struct Impl;
    explicit Edit(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };
  /// For one section of one site. Notes belong to the site.
  [[nodiscard]] Edit edit(std::string_view site, std::string_view section);
  struct EditSummary {
    std::uint64_t added = 0;
    std::uint64_t changed = 0;
    std::uint64_t removed = 0;
  };
  /// Makes the changes and empties the edit. A section that comes from collections is refused.
  base::Result<EditSummary> commit(Edit& edit);

  /// Takes a section away. Pages that another section of the site has too are no removals in the feed.
  base::Result<std::uint64_t> drop_section(std::string_view site, std::string_view section,
                                           base::Instant now);

  // Notes: what a puller has to remember of a site beside its pages, under names of its own. On disk with the
  // edit that put them.
  [[nodiscard]] base::Result<std::optional<std::string>> note(std::string_view site,
                                                              std::string_view name) const;
  /// Notes whose names begin so, in the order of names, as they were when the walk began.
  base::Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<bool(std::string_view name, std::string_view value)>& use) const;

  // Care.

  struct GcOptions {
    std::optional<std::uint64_t> keep_changes;  ///< of the feed; everything unless given
    StoreProgressSink progress = {};
  };
  struct GcSummary {
    std::uint64_t orphans = 0;  ///< pages nobody could reach any more
    std::uint64_t changes = 0;  ///< taken from the feed
    std::uint64_t bytes_before = 0;
    std::uint64_t bytes_after = 0;
  };
  /// Takes away what nothing needs and packs the rest as small as it gets.
  base::Result<GcSummary> gc(const GcOptions& options);

  static constexpr std::uint64_t kWorthPacking = 64 * format::kMiB;
  /// Packs pages as small as gc does, if that is worth it: when what is not packed yet is over `worth` bytes
  /// and over a quarter of the store. Takes half a minute a gigabyte on two threads;
  /// reading and writing go on meanwhile. True if
  /// something was packed.
  base::Result<bool> pack(std::uint64_t worth = kWorthPacking, const StoreProgressSink& progress = {});

  struct RepairSummary {
    std::uint64_t pages = 0;     ///< that could be read
    std::uint64_t damaged = 0;   ///< that could not, and were given up
    std::uint64_t sections = 0;  ///< that have to be filled again
  };
  /// Reads every page of a site and gives up those that cannot be read. Their sections forget what was
  /// applied to them last, so that the next pull fetches a snapshot, which brings the pages back; nothing
  /// else in them changes until then. Errors: invalid_data where even the index cannot be read.
  base::Result<RepairSummary> repair(std::string_view site);

  struct VerifySummary {
    std::uint64_t sections = 0;
    std::uint64_t pages = 0;
    std::uint64_t changes = 0;
    std::vector<std::string> faults;  ///< a sentence each, at most a hundred
  };
  /// Reads everything and checks it: each page there, valid JSON and what its entry says; counts and digests
  /// of sections; the feed without gaps; and that nothing is older than the journal of commits says.
  base::Result<VerifySummary> verify(const StoreProgressSink& progress = {}) const;

  /// Of the files on disk.
  [[nodiscard]] base::Result<std::uint64_t> disk_bytes() const;

 private:
  class Impl;
  explicit PageStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::store
