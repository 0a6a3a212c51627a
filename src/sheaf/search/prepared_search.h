#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/page_matcher.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/search_query.h"
#include "sheaf/store/page_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Where the next results of a query begin. While the index is unchanged, the rank tells it. If the index has
/// changed, they begin after the last result that was shown, whatever its rank is now.
struct SearchCursor {
  std::uint64_t query = 0;     ///< hash of the request, which the cursor belongs to
  std::uint64_t revision = 0;  ///< revision of the index
  std::uint64_t rank = 0;      ///< rank of the first result that was not shown
  std::uint64_t document = 0;  ///< number of the last result that was shown
  friend bool operator==(const SearchCursor&, const SearchCursor&) = default;
};

std::string encode(const SearchCursor& cursor);
/// Returns nullopt if `text` was not made by encode().
std::optional<SearchCursor> decode_search_cursor(std::string_view text);

/// Number of candidates whose pages are read to check a phrase, per search.
inline constexpr std::uint64_t kMaxChecked = 2'000;
/// Number of languages whose stemmers are tried for a word of a query.
inline constexpr std::size_t kMaxLanguages = 12;

/// A request that has been checked. Its filters for site and language are clauses of the query.
struct PreparedSearch {
  SearchQuery query;
  std::uint64_t hash = 0;  ///< hash of the request, for cursors
  std::optional<SearchCursor> cursor;
};
/// Fails with Errc::invalid_argument if the request is invalid.
base::Result<PreparedSearch> prepare_search(const SearchRequest& request);

/// Makes the plan of a request for an index with pages in `languages`.
MatchPlan plan_search(const SearchRequest& request, const SearchQuery& query,
                      std::span<const std::string> languages, StemmerSet& stemmers);

/// The error for a filter that no page fulfils. Without it, a misspelt site would look like an empty one.
base::Error unknown_filter(const std::string& term);

/// A page that the index found.
struct HitCandidate {
  std::uint64_t document = 0;  ///< its number in the index
  IndexRecord record;
  double score = 0;
};

/// Makes search results from index records and the pages themselves. Not thread-safe.
class HitMaker {
 public:
  /// Returns a hit for each candidate; nullopt if the page has been removed from the store, cannot be read,
  /// or does not have the phrase. Pages are read together, which is much faster than one by one.
  base::Result<std::vector<std::optional<SearchHit>>> operator()(const store::PageStore& store,
                                                                 const MatchPlan& plan,
                                                                 std::span<const HitCandidate> candidates);

 private:
  std::optional<SearchHit> make(const MatchPlan& plan, const store::StoredPage& stored, double score);

  PageMatcher matches_;
  SnippetMaker make_snippet_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

/// Fills the results of one search from ranked candidates, for every kind of index.
class ResultFiller {
 public:
  /// All references must outlive this object. Starts at rank `at.rank`.
  ResultFiller(HitMaker& make_hits, const store::PageStore& store, const MatchPlan& plan, std::size_t limit,
               const SearchCursor& at, SearchResults& out)
      : make_hits_(make_hits), store_(store), plan_(plan), limit_(limit), at_(at), out_(out) {}

  [[nodiscard]] std::uint64_t rank() const { return at_.rank; }
  /// How many candidates to request next: few at first, then many, because another request costs as much as
  /// the first.
  [[nodiscard]] std::size_t step() const;
  /// Takes the candidates from rank() on. Returns false if no more are needed; then `next` of the results is
  /// a cursor if there may be more results.
  base::Result<bool> take(std::span<const HitCandidate> candidates);

 private:
  base::Result<bool> take_some(std::span<const HitCandidate> candidates);

  HitMaker& make_hits_;
  const store::PageStore& store_;
  const MatchPlan& plan_;
  std::size_t limit_;
  SearchCursor at_;
  SearchResults& out_;
  std::uint64_t checked_ = 0;
};

}  // namespace sheaf::search
