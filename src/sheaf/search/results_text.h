#pragma once

#include "sheaf/format/json/json_writer.h"
#include "sheaf/search/search_index.h"

#include <functional>
#include <string>
#include <string_view>

// Formats results of a search as JSON and as lines, for every program that shows them.
namespace sheaf::search {

/// Appends the members of an object, between begin_object() and end_object(): total, estimated, results,
/// next, suggestion, cut, behind.
void append_results_json(format::JsonWriter& out, const SearchResults& results);

/// The texts that are shown for a hit.
struct HitLines {
  std::string title;     ///< the URL if the page has no title
  std::string url;       ///< made safe to print by `show`
  std::string date;      ///< date of its `modified`
  std::string headings;  ///< "Outer > Inner"; empty if it matches above the first heading
  std::string snippet;   ///< empty if the page has no text
};

/// Makes text of strangers safe for where it is shown. `is_match` is true for text that matches the query.
using ShowText = std::function<std::string(std::string_view text, bool is_match)>;
HitLines describe_hit(const SearchHit& hit, const ShowText& show);

}  // namespace sheaf::search
