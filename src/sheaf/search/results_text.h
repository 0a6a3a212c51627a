#pragma once

#include "sheaf/format/json/json_writer.h"
#include "sheaf/search/search_index.h"

#include <functional>
#include <string>
#include <string_view>

// Results of a search as JSON and as lines, for every program that shows them.
namespace sheaf::search {

/// The members of results between begin_object() and end_object(): total, estimated, results, next,
/// suggestion, cut, behind.
void append_results_json(format::JsonWriter& out, const SearchResults& results);

/// What is shown of a hit.
struct HitLines {
  std::string title;     ///< the URL for a page without a title
  std::string url;       ///< safe to print as `show` makes it
  std::string date;      ///< of its `modified`
  std::string headings;  ///< "Outer > Inner"; empty if it matches above the first heading
  std::string snippet;   ///< empty if the page has no text
};

/// `show` makes text of strangers fit for where it is shown; `is_match` says that the text is what was found.
using ShowText = std::function<std::string(std::string_view text, bool is_match)>;
HitLines describe_hit(const SearchHit& hit, const ShowText& show);

}  // namespace sheaf::search
