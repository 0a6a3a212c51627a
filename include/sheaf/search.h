// sheaf/search.h - full-text search over a store
//
// Store::update_index() builds the index of a store, or brings it up to date after a pull. Store::search()
// then finds pages by their text.
//
//     #include <sheaf/search.h>
//     #include <sheaf/store.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto store = sheaf::Store::open("copy", sheaf::StoreAccess::write);
//       if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 2;
//       const auto applied = store->apply("https://shop.example", "all", "monday.scp");
//       const auto index = store->update_index();
//       const auto results = store->search({.query = "\"badger brush\" OR enamel -catalogue"});
//       if (!applied || !index || !results) return 2;
//       for (const sheaf::SearchHit& hit : results->hits)
//         std::printf("%s\n%s\n", hit.title.c_str(), hit.url.c_str());
//       return results->hits.empty() ? 1 : 0;
//     }
//
// A query has words, "phrases", -excluded words, one OR other, prefix*, site:example.com, lang:de and
// title:word. docs/search.md describes queries, ranking and the index.
//
// Lifetimes: results own their strings. Titles and snippets come from the store, so a hit always shows the
// page as the store has it.
//
// Errors: invalid_argument for a query, filter or cursor that cannot be used, with a message for the person
// who typed it; not_found if the store has no index, or the index has no page of the requested site, section
// or language; in_use if another process updates the index.
//
// Threads: search() may be called from any thread; searches of one Store run one at a time.
#pragma once

#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf {

inline constexpr std::size_t kDefaultSearchResults = 10;
inline constexpr std::size_t kMaxSearchResults = 100;    ///< of one search
inline constexpr std::uint64_t kMaxSearchRank = 10'000;  ///< results after this rank are refused

/// What to search for. Empty members do not restrict the search.
struct SearchRequest {
  std::string query;
  std::string site = {};  ///< a host, which includes its subdomains, or an origin ("https://example.com")
  std::string section = {};
  std::string language = {};          ///< "de" also finds "de-AT"
  std::optional<Instant> since = {};  ///< only pages modified at this time or later
  bool title_only = false;            ///< look for words in titles only
  std::size_t limit = kDefaultSearchResults;
  std::string cursor = {};  ///< SearchResults::next of the previous results
};

/// A piece of a snippet.
struct SnippetPart {
  std::string text;
  bool matches = false;  ///< matches the query: show it highlighted
  friend bool operator==(const SnippetPart&, const SnippetPart&) = default;
};

/// The place of a page that matches best.
struct Snippet {
  std::vector<std::string> headings;  ///< the headings above that place, outermost first
  std::vector<SnippetPart> parts;     ///< one line of text; empty if the page has no text
};

/// A page that matches.
struct SearchHit {
  std::string site;
  std::string section;
  std::string url;
  std::string title;
  std::string modified;
  std::string language;
  double score = 0;
  Snippet snippet;
};

/// The results of one search.
struct SearchResults {
  std::vector<SearchHit> hits;  ///< best first
  std::uint64_t total = 0;      ///< matching pages; a phrase counts every page that has all of its words
  bool is_estimate = false;     ///< `total` is an estimate
  std::string next;             ///< cursor for the following results; empty if there are none
  /// The search read the maximum number of pages to check a phrase and stopped there, so there may be few
  /// hits or none. `next` continues after these pages.
  bool is_cut = false;
  std::string suggestion;    ///< if nothing matched: a similar query with words of the index; may be empty
  std::uint64_t behind = 0;  ///< changes of the store that are not in the index yet
};

/// How to update an index.
struct IndexOptions {
  bool rebuild = false;  ///< delete the index first
  /// Xapian databases of a new index of a local store, each written by its own thread; 0: one per processor,
  /// at most four. An existing index keeps its number.
  std::size_t shards = 0;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< pages or changes
  std::function<void(const std::string& sentence)> on_notice = {};  ///< why it takes longer than usual
  std::function<void(const std::string& sentence)> on_damage = {};  ///< for each page that cannot be read
  /// Return true to stop: the update then fails with Errc::refused, and the next one continues from there.
  std::function<bool()> cancelled = {};
};

/// What an update of an index did.
struct IndexUpdate {
  std::uint64_t indexed = 0;     ///< pages read and indexed
  std::uint64_t removed = 0;     ///< pages removed from the index
  std::uint64_t unreadable = 0;  ///< damaged pages of the store: only filters find them, no words do
  std::uint64_t pages = 0;       ///< pages of the index now
  bool is_rebuilt = false;       ///< every page was read, not only changed ones
};

}  // namespace sheaf
