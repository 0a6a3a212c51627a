#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Parses what a user typed. Pure functions, which know neither the index nor the store.
//
//   words "a phrase" -excluded one OR other prefix* site:example.com lang:de title:word title:"a phrase"
//
// All clauses must hold. OR joins its two neighbours to one clause. Other field names are ordinary words, so
// that std::vector and https://example.com can be searched for.
namespace sheaf::search {

struct QueryTerm {
  enum class Kind : std::uint8_t { word, prefix, phrase, site, language };
  Kind kind = Kind::word;
  bool in_title = false;
  std::string text;  ///< without quotes, star and field name
  friend bool operator==(const QueryTerm&, const QueryTerm&) = default;
};

struct QueryClause {
  bool excluded = false;
  std::vector<QueryTerm> any_of;
  friend bool operator==(const QueryClause&, const QueryClause&) = default;
};

struct SearchQuery {
  std::vector<QueryClause> clauses;
  friend bool operator==(const SearchQuery&, const SearchQuery&) = default;
};

inline constexpr std::size_t kMaxQueryBytes = 1024;
inline constexpr std::size_t kMaxQueryTerms = 32;

/// Fails with Errc::invalid_argument and a message that says what is wrong and where: too long, an unclosed
/// quote, a star inside a word, an OR without two sides, only exclusions, or nothing to search for.
base::Result<SearchQuery> parse_query(std::string_view text);

}  // namespace sheaf::search
