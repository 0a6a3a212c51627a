#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"

#include <span>
#include <string>

// Converts terms and queries to the text that PostgreSQL reads. Pure functions.
namespace sheaf::search {

/// The terms of a page, with the filter terms, as the text of a tsvector. Words of the title have weight A;
/// other words have a lower weight the rarer they are in the page. The rarest words of a huge page are left
/// out, because a tsvector is limited to a megabyte.
std::string tsvector_text(const PageTerms& terms, std::span<const std::string> filters);

/// The conditions that a page must fulfil, as the text of a tsquery. Phrases become their words; whether
/// these are adjacent is checked in the pages.
std::string match_tsquery(const MatchPlan& plan);
/// The words by which matching pages are ranked; empty if the query has filters only.
std::string rank_tsquery(const MatchPlan& plan);
/// One term as a tsquery.
std::string term_tsquery(std::string_view term);
/// A tsquery that matches any form of a word.
std::string forms_tsquery(const WordForms& forms);

}  // namespace sheaf::search
