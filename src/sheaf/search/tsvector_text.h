#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"

#include <span>
#include <string>

// Terms and queries as PostgreSQL reads them. Pure.
namespace sheaf::search {

/// The terms of a page as the text of a tsvector, with the filter terms. Words of the title have weight A,
/// others the less the rarer they are in the page. The rarest words of a huge page are left out: a tsvector
/// has at most a megabyte.
std::string tsvector_text(const PageTerms& terms, std::span<const std::string> filters);

/// What a page must have, as the text of a tsquery. A phrase becomes its words: that they stand together is
/// checked in the pages.
std::string match_tsquery(const MatchPlan& plan);
/// The words by which matching pages are ranked; empty if the query has filters only.
std::string rank_tsquery(const MatchPlan& plan);
/// One term as a tsquery.
std::string term_tsquery(std::string_view term);
/// One of the forms of a word.
std::string forms_tsquery(const WordForms& forms);

}  // namespace sheaf::search
