#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/match_plan.h"
#include <sheaf/time.h>

#include <xapian.h>

#include <optional>
#include <string>
#include <vector>

// A plan as a query of Xapian, and what to say when it finds nothing.
namespace sheaf::search {

/// Terms that a word with a star may stand for.
inline constexpr Xapian::termcount kMostExpansions = 5'000;

/// Phrases become their words: that they stand together is checked in the pages.
Xapian::Query to_xapian(const MatchPlan& plan, const std::optional<Instant>& since);

/// Errc::invalid_argument for a filter that no page has: a misspelt site would look like an empty one.
base::Result<void> check_filters(const Xapian::Database& database, const MatchPlan& plan);

/// Errc::invalid_argument for a word with a star that stands for too many terms. Xapian counts them for each
/// shard.
base::Result<void> check_prefixes(const Xapian::Database& database, const MatchPlan& plan);

/// The query with each unknown word replaced by the nearest of those that `words` has in its metadata; empty
/// if that changes nothing.
base::Result<std::string> suggest_query(const Xapian::Database& words, const Xapian::Database& database,
                                        const std::string& text, const SearchQuery& query,
                                        StemmerSet& stemmers, const std::vector<std::string>& languages);

}  // namespace sheaf::search
