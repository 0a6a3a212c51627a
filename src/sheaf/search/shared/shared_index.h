#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_writer.h"
#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/search_query.h"

#include <memory>
#include <span>
#include <string>

// The index of a shared store: separate tables in the store's schema, searched with PostgreSQL's full-text
// search. Words are split and stemmed by the same code as for a local store (page_terms.h), so a query means
// the same. PostgreSQL gets finished lexemes and needs no configuration for any language.
//
//   search_state     one row: the position in the change feed, and a number that grows with every commit
//   search_page      a row for each page: its lexemes (tsvector, with a GIN index) and what identifies it
//   search_word      known words, for suggestions
//   search_language  languages of the pages
namespace sheaf::search {

base::Result<std::unique_ptr<SearchIndex>> open_shared_index(const std::string& url);

/// Creates the tables if necessary. If several processes write, those that do not commit first fail with
/// Errc::in_use.
base::Result<std::unique_ptr<IndexWriter>> open_shared_writer(const std::string& url,
                                                              IndexWriter::Start start);

// Converts terms and queries to the text that PostgreSQL reads. Pure functions.

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
