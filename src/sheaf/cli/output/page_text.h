#pragma once

#include "sheaf/search/search_index.h"
#include <sheaf/page.h>

#include <string>

namespace sheaf::cli {

/// Returns the page's content for people: headings marked with #, lists with - or numbers, code indented,
/// cells joined by |. Control characters become '?'.
std::string page_text(const Page& page);

/// What an update of the index did, as a line for people and as JSON.
std::string describe_index(const search::IndexSummary& summary);
std::string index_as_json(const search::IndexSummary& summary);

/// Results of a search for people: title, URL and date, headings, snippet; then how many there are.
std::string describe_results(const SearchResults& results);
std::string results_as_json(const SearchRequest& request, const SearchResults& results);

}  // namespace sheaf::cli
