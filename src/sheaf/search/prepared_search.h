#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/match_plan.h"
#include "sheaf/search/search_cursor.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/search_query.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sheaf::search {

/// Candidates of a phrase whose pages are read for one search.
inline constexpr std::uint64_t kMostChecked = 2'000;
/// Languages whose stems a word of a query is tried with.
inline constexpr std::size_t kMostLanguages = 12;

/// A request that was checked. Its filters are clauses of the query.
struct PreparedSearch {
  SearchQuery query;
  std::uint64_t hash = 0;  ///< of the request, for cursors
  std::optional<SearchCursor> cursor;
};
/// Errc::invalid_argument for what makes no sense.
base::Result<PreparedSearch> prepare_search(const SearchRequest& request);

/// The plan of the request over an index with pages in `languages`.
MatchPlan plan_search(const SearchRequest& request, const SearchQuery& query,
                      std::span<const std::string> languages, StemmerSet& stemmers);

/// The error for a filter that no page has: a misspelt site would look like an empty one.
base::Error unknown_filter(const std::string& term);

}  // namespace sheaf::search
