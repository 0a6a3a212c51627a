#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/store/page_store.h"
#include <sheaf/search.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Full-text search over a store. The index of a local store consists of several Xapian databases in the
// folder `search` of the store. It holds terms and no text: titles and snippets come from the store, so a
// result always shows the page as the store has it. docs/search.md describes what is indexed and how. The
// plain types of requests and results are in the public header.
namespace sheaf::search {

/// The state of an index.
struct IndexState {
  std::uint64_t pages = 0;
  store::FeedCursor sequence;  ///< the newest change of the store that the index has
  bool is_complete = false;    ///< false until the first indexing has finished
  std::uint64_t disk_bytes = 0;
};

/// A page of the index, without its text.
struct IndexedPage {
  std::uint64_t number = 0;  ///< stays the same while the page is in the index
  std::string site;
  std::string url;
  std::string modified;
};

/// An index, open for reading. Thread-safe; calls run one at a time.
class SearchIndex {
 public:
  SearchIndex() = default;
  virtual ~SearchIndex() = default;
  SearchIndex(const SearchIndex&) = delete;
  SearchIndex& operator=(const SearchIndex&) = delete;

  /// Returns the best matches, as of the last commit of the index. `store` must be the store that is indexed.
  /// Fails with Errc::invalid_argument for a query, filter or cursor that cannot be used; the message is for
  /// the person who typed it.
  virtual base::Result<SearchResults> search(const store::PageStore& store, const SearchRequest& request) = 0;
  virtual base::Result<IndexState> state() = 0;
  /// Returns the pages after number `after`, ordered by number: lists all pages in parts.
  virtual base::Result<std::vector<IndexedPage>> pages(std::uint64_t after, std::size_t limit) = 0;
};

/// Opens the index of the store at `location`. Fails with Errc::not_found if it has none; the message says
/// how to build one.
base::Result<std::unique_ptr<SearchIndex>> open_index(const std::string& location);

/// What an update did, and how far the index is.
struct IndexSummary : IndexUpdate {
  std::uint64_t text_bytes = 0;  ///< of the pages read
  store::FeedCursor sequence;    ///< the newest change of the store that the index has
};

/// Brings the index of the store at `location` up to date with its change feed, or builds it. The position in
/// the feed is committed together with the pages, so a process that is killed at any point leaves an index
/// that the next call completes. Fails with Errc::in_use while another process updates the index.
base::Result<IndexSummary> update_index(const store::PageStore& store, const std::string& location,
                                        const IndexOptions& options);

// Formats results of a search as JSON and as lines, for every program that shows them.

/// Appends the members of an object, between begin_object() and end_object(): total, estimated, results,
/// next, suggestion, cut, behind.
void append_results_json(format::JsonWriter& out, const SearchResults& results);

/// The texts that are shown for a hit.
struct HitLines {
  std::string title;     ///< the URL if the page has no title
  std::string url;       ///< made safe to print by `show`
  std::string date;      ///< date of its `modified`
  std::string headings;  ///< "Outer > Inner"; empty if it matches above the first heading
  std::string snippet;   ///< empty if the page has no text
};

/// Makes text of strangers safe for where it is shown. `is_match` is true for text that matches the query.
using ShowText = std::function<std::string(std::string_view text, bool is_match)>;
HitLines describe_hit(const SearchHit& hit, const ShowText& show);

}  // namespace sheaf::search
