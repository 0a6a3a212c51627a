// sheaf/store.h - the local copy of many sites
//
// A Store is a folder with the pages of any number of sites. pull_site (sheaf/pull.h) fills it; this header
// reads it: single pages, all pages, and the change feed, by which an index stays in step.
//
//     #include <sheaf/store.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto store = sheaf::Store::open("copy", sheaf::StoreAccess::write);  // made if it is not there
//       if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 2;
//       const auto applied = store->apply("https://shop.example", "all", "monday.scp");
//       if (applied) std::printf("%d pages\n", static_cast<int>(applied->added));
//       const auto done = store->each_page({}, [](const sheaf::StoredPage& page) -> sheaf::Result<bool> {
//         std::printf("%s: %zu bytes\n", page.url.c_str(), page.json.size());
//         return true;  // false ends the walk
//       });
//       return applied && done ? 0 : 1;
//     }
//
// A site is named by its origin ("https://example.com"); its pages are in sections. What an operation changes
// appears to readers all at once or never, whatever happens to the process or the machine.
//
// The change feed: remember the position after the last change that you have dealt with (FeedCursor::advance,
// or Store::position after all of them), and go on from there.
//
// Lifetimes: everything handed out owns its strings. A reader sees the state at open() until refresh().
//
// Errors: not_found where there is no store, in_use where another process writes it, invalid_data where it is
// damaged or of another version, otherwise the disk.
//
// Threads: any number may use one Store, but refresh() needs it alone. One process may write at a time; any
// number may read meanwhile.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/delta.h>
#include <sheaf/error.h>
#include <sheaf/search.h>
#include <sheaf/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

enum class StoreAccess : std::uint8_t {
  read,   ///< any number of processes, also while another writes
  write,  ///< one process at a time; creates the store if it does not exist
};

/// Where a section's pages come from.
enum class Origin : std::uint8_t {
  collections,
  html,  ///< fetched page by page and extracted
};
std::string_view to_string(Origin origin);  ///< "collections", "html"

/// The state of a section.
struct SectionState {
  std::string site;
  std::string section;
  Origin origin = Origin::collections;
  Instant generated;                ///< `generated` of the newest applied collection
  std::optional<Instant> snapshot;  ///< `generated` of the newest applied snapshot
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;                  ///< bytes of the pages' JSON
  std::array<std::uint8_t, 32> state = {};  ///< state digest of its pages
  /// Whether `state` equals the digest that the newest collection states; nullopt if it states none.
  std::optional<bool> proven;
  Instant changed_at;  ///< time of the last change, by our clock
};

/// A page of a store. PageParser (sheaf/reader.h) makes a Page of `json`.
struct StoredPage {
  std::string site;
  std::string section;
  std::string url;
  std::string modified;  ///< as written in the page
  Instant as_of;         ///< `generated` of its collection, or when it was fetched
  std::string json;      ///< one line, without a line feed; empty if only the entry was requested
  Instant fetched = {};  ///< when this version was stored, by our clock; only in walks with JSON
};

/// Selects pages of a walk. Empty members select everything.
struct PageFilter {
  std::string site = {};
  std::string section = {};
  std::string url = {};                        ///< a pattern in which `*` matches anything
  std::optional<Instant> modified_since = {};  ///< at this time or later
  std::optional<Instant> modified_before = {};
  bool with_json = true;  ///< a walk without it is much faster
  /// Gets a sentence for each unreadable page, which is then skipped. Without it, the first such page ends
  /// the walk with an error.
  std::function<void(const std::string& sentence)> on_damage = {};
};

enum class ChangeKind : std::uint8_t { added, changed, removed };
std::string_view to_string(ChangeKind kind);  ///< "added", "changed", "removed"

/// An entry of the change feed: a page was put into a section, or removed from it. A page may be in several
/// sections; it is gone when the last of them has removed it.
struct StoreChange {
  std::uint64_t sequence = 0;  ///< number in its part of the feed: from 1, without gaps, never reused
  std::uint32_t part = 0;      ///< the part; a shared store has several
  std::uint32_t parts = 1;     ///< number of parts of the feed
  ChangeKind kind = ChangeKind::added;
  std::string site;
  std::string section;
  std::string url;
  std::string old_modified;  ///< empty for an added page
  std::string new_modified;  ///< empty for a removed one
};

/// A position in the change feed of a store: the number of the last change that was read. The feed of a
/// shared store has several parts, each numbered separately, and the position has one number for each part.
///
/// As text, a position is the number itself (`1200`), or for several parts a token of letters, digits, `-`
/// and `_` (`c...`). Zero is the position before the first change of any store.
class FeedCursor {
 public:
  FeedCursor() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a position in a feed with one part
  FeedCursor(std::uint64_t number) : parts_{number} {}
  explicit FeedCursor(std::vector<std::uint64_t> parts);

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] std::uint64_t of(std::size_t part) const { return part < parts_.size() ? parts_[part] : 0; }
  /// Whether this is before the first change, in any store.
  [[nodiscard]] bool is_start() const;
  /// The number of changes up to this position, summed over the parts.
  [[nodiscard]] std::uint64_t total() const;
  /// Advances to change `number` of `part`, in a feed with `parts` parts. Never moves back.
  void advance(std::size_t part, std::uint64_t number, std::size_t parts);

  [[nodiscard]] std::string text() const;
  /// As a JSON value: a number, or a string with the token.
  [[nodiscard]] std::string json() const;
  /// Fails with Errc::invalid_argument if `text` was not written by text().
  static Result<FeedCursor> parse(std::string_view text);

  friend bool operator==(const FeedCursor& a, const FeedCursor& b) = default;

  static constexpr std::size_t kMaxParts = 65'536;

 private:
  std::vector<std::uint64_t> parts_{0};
};

enum class ApplyOutcome : std::uint8_t {
  applied,
  older,  ///< not newer than the section's state; nothing was changed
  gap,    ///< a delta that begins after the section's state, or for an empty section; nothing was changed
  losses_held,     ///< would remove pages that may have moved to another section; only during a pull
  shrink_held,     ///< would remove all or more than half of the pages; nothing was changed
  out_of_order,    ///< a delta for a section that is now filled from HTML pages; nothing was changed
  other_checksum,  ///< the file is not the one that the sitemap describes; nothing was changed
};
std::string_view to_string(ApplyOutcome outcome);

/// What the application of a collection did. `unchanged` pages are in it, but not newer than those in the
/// store.
struct ApplySummary : PageChanges {
  ApplyOutcome outcome = ApplyOutcome::applied;
  CollectionHead head;
  std::uint64_t pages = 0;  ///< read from the collection
  std::uint64_t duplicates = 0;
  std::uint64_t unreadable = 0;  ///< listed pages that break a rule; their stored versions stay
  std::array<std::uint64_t, kFindingCodes> findings{};
  std::optional<bool> proven;  ///< whether the section now matches the stated digest

  [[nodiscard]] bool is_applied() const { return outcome == ApplyOutcome::applied; }
};

/// Pages that a section lists but that cannot be read, because they break a rule of the format: `generated`
/// of the collection by URL. The empty URL stands for pages whose URL cannot be read either.
using UnreadablePages = std::map<std::string, Instant, std::less<>>;

/// Progress of a long operation on a store.
struct StoreProgress {
  enum class Stage : std::uint8_t {
    check,  ///< checking pages
    pack,   ///< packing bytes
  };
  Stage stage = Stage::check;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0 if unknown
};

/// Called several times per second on the thread that called the operation, even if there is no progress. May
/// be empty.
using StoreProgressSink = std::function<void(const StoreProgress&)>;

struct GcOptions {
  std::optional<std::uint64_t> keep_changes = {};  ///< entries of the feed to keep; all if empty
  unsigned threads = 1;                            ///< does not affect the result
  StoreProgressSink progress = {};
};

struct GcSummary {
  std::uint64_t orphans = 0;  ///< pages that nothing referred to
  std::uint64_t changes = 0;  ///< entries deleted from the feed
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

struct RepairSummary {
  std::uint64_t pages = 0;     ///< readable pages
  std::uint64_t damaged = 0;   ///< unreadable pages, which were deleted
  std::uint64_t sections = 0;  ///< sections that need a new snapshot
};

struct VerifySummary {
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t changes = 0;
  std::uint64_t orphans = 0;        ///< objects that nothing refers to; gc() deletes them after a day
  std::vector<std::string> faults;  ///< a sentence each, at most a hundred
};

/// Looks up a variable of the environment, for the keys of object storage (AWS_ACCESS_KEY_ID, ...), which a
/// shared store may use. None is read unless given.
using StoreEnvironment = std::function<std::optional<std::string>(const std::string& name)>;

/// See the top of this file.
class Store {
 public:
  /// `location` is a folder, or the URL of a shared store (postgresql://...).
  static Result<Store> open(const std::filesystem::path& location, StoreAccess access,
                            const StoreEnvironment& environment = {});
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Sections of one site, or of all; sorted by site and name.
  [[nodiscard]] Result<std::vector<SectionState>> sections(std::string_view site = {}) const;

  /// The page of that URL, or nullopt. Where several sections have it, the one with the newest `modified`.
  [[nodiscard]] Result<std::optional<StoredPage>> get(std::string_view url) const;

  /// Hands over pages section by section, all as they were when the walk began. `use` ends the walk with
  /// false, or with an error, which is then the walk's.
  Result<void> each_page(const PageFilter& filter,
                         const std::function<Result<bool>(const StoredPage&)>& use) const;

  /// The changes after `since` (0: all of them), part by part, oldest first; `use` ends it as in each_page.
  /// refused if the feed no longer reaches back that far, or has not come that far yet.
  Result<void> changes(const FeedCursor& since,
                       const std::function<Result<bool>(const StoreChange&)>& use) const;
  /// The position after the newest change; 0 if there is none.
  [[nodiscard]] Result<FeedCursor> position() const;

  /// Shows what other processes wrote since open(). Must not run concurrently with other calls.
  Result<void> refresh();

  /// Finds pages by their text (sheaf/search.h). Fails with not_found if the store has no index.
  [[nodiscard]] Result<SearchResults> search(const SearchRequest& request) const;

  /// Builds the search index, or brings it up to date with the change feed. Needs no write access to the
  /// store. If the process is killed, the next call continues.
  Result<IndexUpdate> update_index(const IndexOptions& options = {}) const;

  /// Applies a collection file to a section of a site. invalid_data where it is not a valid collection of
  /// that section.
  Result<ApplySummary> apply(std::string_view site, std::string_view section,
                             const std::filesystem::path& collection, Shrink shrink = Shrink::refuse);

  /// Removes a section of a site; without a section the whole site, with everything that pull_site remembers
  /// about it, its pinned key included. The feed has an entry for each page. Returns the number of pages;
  /// not_found where the store does not have the site or the section. The next pull_site stores them again.
  Result<std::uint64_t> drop(std::string_view site, const std::optional<std::string>& section = {});

  /// Reads and checks everything: pages, counts, digests, the feed. The result does not depend on the number
  /// of threads.
  [[nodiscard]] Result<VerifySummary> verify(unsigned threads = 1,
                                             const StoreProgressSink& progress = {}) const;
  /// Deletes the unreadable pages of a site, so that the next pull_site fetches them again.
  Result<RepairSummary> repair(std::string_view site);
  /// Deletes what nothing refers to, packs pages, and shortens the change feed if `keep_changes` says so.
  Result<GcSummary> gc(const GcOptions& options = {});

 private:
  friend class StoreInside;  // how the library's own calls reach what is inside
  class Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
