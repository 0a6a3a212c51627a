#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_writer.h"
#include "sheaf/search/search_index.h"

#include <memory>
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

}  // namespace sheaf::search
