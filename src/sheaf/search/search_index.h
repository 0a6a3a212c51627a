#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/page_snippet.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Full-text search over a store. The index of a local store is several Xapian databases in the folder
// `search` beside its pages. It holds terms and no text: titles and snippets come from the store, so a result
// is always the page as the store has it. docs/search.md says what is indexed and how.
namespace sheaf::search {

inline constexpr std::size_t kDefaultResults = 10;
inline constexpr std::size_t kMostResults = 100;       ///< of one search
inline constexpr std::uint64_t kDeepestRank = 10'000;  ///< further pages of results are refused

struct SearchRequest {
  std::string query;      ///< search_query.h
  std::string site = {};  ///< a host or an origin, as site: takes it; empty members do not restrict
  std::string section = {};
  std::string language = {};          ///< "de" finds "de-AT" too
  std::optional<Instant> since = {};  ///< modified then or later
  bool title_only = false;            ///< words are looked for in titles only
  std::size_t limit = kDefaultResults;
  std::string cursor = {};  ///< `next` of the results before
};

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

struct SearchResults {
  std::vector<SearchHit> hits;  ///< best first
  std::uint64_t total = 0;      ///< pages that match; a phrase counts as its words do
  bool is_estimate = false;     ///< of `total`
  std::string next;             ///< cursor of the following results; empty if there are none
  /// Phrases are checked in the pages, of so many at most. Then the results may be few, even none, and
  /// `next` goes on from there.
  bool is_cut = false;
  std::string suggestion;    ///< where nothing matched: the query with words that the index has; or empty
  std::uint64_t behind = 0;  ///< changes of the store that are not in the index yet
};

/// How far an index is.
struct IndexState {
  std::uint64_t pages = 0;
  store::FeedCursor sequence;  ///< the newest change of the store that is in it
  bool is_complete = false;    ///< false while the first indexing has not reached its end
  std::uint64_t disk_bytes = 0;
};

/// A page of the index, without its text.
struct IndexedPage {
  std::uint64_t number = 0;  ///< stays the same while the page is in the index
  std::string site;
  std::string url;
  std::string modified;
};

/// An index, open for reading. Calls may come from any thread, one at a time goes on.
class SearchIndex {
 public:
  SearchIndex() = default;
  virtual ~SearchIndex() = default;
  SearchIndex(const SearchIndex&) = delete;
  SearchIndex& operator=(const SearchIndex&) = delete;

  /// The best matches, with what the index had last committed. `store` is the one that is indexed.
  /// Errc::invalid_argument for a query, filter or cursor that makes no sense; the message is for the person
  /// who typed it.
  virtual base::Result<SearchResults> search(const store::PageStore& store, const SearchRequest& request) = 0;
  virtual base::Result<IndexState> state() = 0;
  /// The pages after number `after`, in the order of their numbers: for lists of everything, part by part.
  virtual base::Result<std::vector<IndexedPage>> pages(std::uint64_t after, std::size_t limit) = 0;
};

/// Opens the index of the store at `location`. Errc::not_found where there is none: the message says how to
/// make one.
base::Result<std::unique_ptr<SearchIndex>> open_index(const std::string& location);

struct IndexOptions {
  bool rebuild = false;  ///< from nothing, whatever is there
  /// Databases of a new index of a local store, each written by a thread; 0: as many as processors, up to
  /// four. An index keeps its number.
  std::size_t shards = 0;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< pages or changes
  std::function<void(const std::string& sentence)> on_notice = {};  ///< why it takes longer than usual
  std::function<void(const std::string& sentence)> on_damage = {};  ///< for each page that cannot be read
  std::function<bool()> cancelled = {};  ///< true ends it with Errc::refused; what is done stays done
};

struct IndexSummary {
  std::uint64_t indexed = 0;  ///< pages read
  std::uint64_t removed = 0;
  std::uint64_t unreadable = 0;  ///< pages of the store that are damaged; found by nothing but filters
  std::uint64_t pages = 0;       ///< in the index now
  std::uint64_t text_bytes = 0;  ///< of the pages read
  store::FeedCursor sequence;
  bool is_rebuilt = false;  ///< every page was looked at, not only changes
};

/// Brings the index of the store at `location` up to date with its change feed, or makes it. The position in
/// the feed is committed together with the pages, so a process that is killed at any point leaves an index
/// that the next call completes. Errc::in_use while another process updates it.
base::Result<IndexSummary> update_index(const store::PageStore& store, const std::string& location,
                                        const IndexOptions& options);

}  // namespace sheaf::search
