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

}  // namespace sheaf::search
