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
//       const auto done = store->each_page({}, [](const sheaf::StoreEntry& page) -> sheaf::Result<bool> {
//         std::printf("%s: %zu bytes\n", page.url.c_str(), page.json.size());
//         return true;  // false ends the walk
//       });
//       return applied && done ? 0 : 1;
//     }
//
// A site is named by its origin ("https://example.com"); its pages are in sections. What an operation changes
// appears to readers all at once or never, whatever happens to the process or the machine.
//
// The change feed: remember the `sequence` of the last change that you have dealt with, and go on from there.
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

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

enum class StoreAccess : std::uint8_t {
  read,   ///< any number of processes, also beside a writer
  write,  ///< one process at a time; makes the store where there is none
};

/// A section of a site, as the store has it.
struct StoreSection {
  std::string site;
  std::string section;
  bool from_html = false;  ///< pages were fetched one by one, not from collections
  Instant generated;       ///< of the newest collection applied
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;     ///< of their JSON
  std::optional<bool> proven;  ///< whether the pages add up to the state that the site declares, if it does
};

/// A page of a store. PageParser (sheaf/reader.h) makes a Page of `json`.
struct StoreEntry {
  std::string site;
  std::string section;
  std::string url;
  std::string modified;  ///< as it stands in the page
  std::string json;      ///< one line, without a line feed; empty where it was not asked for
};

/// Which pages. Empty members do not restrict.
struct StoreFilter {
  std::string site = {};
  std::string section = {};
  std::string url = {};                        ///< in which `*` stands for anything
  std::optional<Instant> modified_since = {};  ///< then or later
  std::optional<Instant> modified_before = {};
  bool with_json = true;  ///< without it a walk is much quicker
};

enum class FeedKind : std::uint8_t { added, changed, removed };
std::string_view to_string(FeedKind kind);  ///< "added", "changed", "removed"

/// An entry of the change feed.
struct FeedEntry {
  std::uint64_t sequence = 0;  ///< from 1, without gaps, never given twice
  FeedKind kind = FeedKind::added;
  std::string site;
  std::string section;
  std::string url;
  std::string old_modified;  ///< empty for `added`
  std::string new_modified;  ///< empty for `removed`
};

/// What Store::apply did.
struct AppliedCollection : PageChanges {
  /// False where the collection does not follow what the section has, and nothing was done: it is not newer,
  /// it is a delta that leaves a gap, or it would remove more than half of the section.
  bool applied = false;
  std::string reason;          ///< why not
  std::optional<bool> proven;  ///< whether the section now adds up to the stated digest
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
  [[nodiscard]] Result<std::vector<StoreSection>> sections(std::string_view site = {}) const;

  /// The page of that URL, or nullopt. Where several sections have it, the one with the newest `modified`.
  [[nodiscard]] Result<std::optional<StoreEntry>> get(std::string_view url) const;

  /// Hands over pages section by section, all as they were when the walk began. `use` ends the walk with
  /// false, or with an error, which is then the walk's.
  Result<void> each_page(const StoreFilter& filter,
                         const std::function<Result<bool>(const StoreEntry&)>& use) const;

  /// The changes after `since` (0: all of them), oldest first; `use` ends it as in each_page. refused where
  /// the feed no longer reaches back that far, or never came that far.
  Result<void> changes(std::uint64_t since, const std::function<Result<bool>(const FeedEntry&)>& use) const;
  /// The same after a position. The feed of a shared store has several parts with numbers of their own, so a
  /// single number does not say where to go on: take position() after the last change was read.
  Result<void> changes(std::string_view position,
                       const std::function<Result<bool>(const FeedEntry&)>& use) const;
  /// The position after the newest change, as text: "1200", or a token for a shared store.
  [[nodiscard]] Result<std::string> position() const;
  /// The number of the newest change; 0 when there was none yet.
  [[nodiscard]] Result<std::uint64_t> last_change() const;

  /// Shows what other processes wrote since open(). Must not run concurrently with other calls.
  Result<void> refresh();

  /// Finds pages by their text (sheaf/search.h). Fails with not_found if the store has no index.
  [[nodiscard]] Result<SearchResults> search(const SearchRequest& request) const;

  /// Builds the search index, or brings it up to date with the change feed. Needs no write access to the
  /// store. If the process is killed, the next call continues.
  Result<IndexUpdate> update_index(const IndexOptions& options = {}) const;

  /// Applies a collection file to a section of a site. invalid_data where it is not a valid collection of
  /// that section.
  Result<AppliedCollection> apply(std::string_view site, std::string_view section,
                                  const std::filesystem::path& collection, Shrink shrink = Shrink::refuse);

  /// Removes a section of a site; without a section the whole site, with everything that pull_site remembers
  /// about it, its pinned key included. The feed has an entry for each page. Returns the number of pages;
  /// not_found where the store does not have the site or the section. The next pull_site stores them again.
  Result<std::uint64_t> drop(std::string_view site, const std::optional<std::string>& section = {});

  /// Reads and checks everything: pages, counts, digests, the feed. A sentence for each fault, at most a
  /// hundred; none means that all is well. The result does not depend on the number of threads.
  [[nodiscard]] Result<std::vector<std::string>> verify(unsigned threads = 1) const;

 private:
  friend class StoreInside;  // how the library's own calls reach what is inside
  class Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
