#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/match_plan.h"
#include <sheaf/time.h>

#include <xapian.h>

#include <optional>
#include <string>
#include <vector>

// Converts a plan to a query of Xapian, and suggests another query if it finds nothing.
namespace sheaf::search {

/// Number of terms that a word with a star may match.
inline constexpr Xapian::termcount kMaxExpansions = 5'000;

/// Phrases become their words; whether these are adjacent is checked in the pages.
Xapian::Query to_xapian(const MatchPlan& plan, const std::optional<Instant>& since);

/// Fails with Errc::invalid_argument if no page has the value of a filter. Otherwise a misspelt site would
/// look like an empty one.
base::Result<void> check_filters(const Xapian::Database& database, const MatchPlan& plan);

/// Fails with Errc::invalid_argument if a word with a star matches too many terms. Xapian's own limit would
/// count them for each shard.
base::Result<void> check_prefixes(const Xapian::Database& database, const MatchPlan& plan);

/// Returns the query with each unknown word replaced by the most similar word in the metadata of `words`;
/// empty if nothing is replaced.
base::Result<std::string> suggest_query(const Xapian::Database& words, const Xapian::Database& database,
                                        const std::string& text, const SearchQuery& query,
                                        StemmerSet& stemmers, const std::vector<std::string>& languages);

}  // namespace sheaf::search
