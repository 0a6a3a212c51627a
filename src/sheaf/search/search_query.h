#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/search_words.h"

#include <cstddef>
#include <cstdint>
#include <span>
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

// Prefixes of terms, by Xapian's convention. Words are folded to lower case, so no word begins with a prefix.
inline constexpr std::string_view kTitlePrefix = "S";
inline constexpr std::string_view kPairPrefix = "XP";
inline constexpr std::string_view kLanguagePrefix = "L";
inline constexpr std::string_view kHostPrefix = "H";
inline constexpr std::string_view kOriginPrefix = "O";
inline constexpr std::string_view kSectionPrefix = "XS";
inline constexpr std::string_view kPagePrefix = "Q";

/// The terms by which one word of a query is found: its stems in all languages of the index.
struct WordForms {
  std::vector<std::string> terms;
  std::string prefix;  ///< if not empty, every term that begins with it matches too
};

/// A query in terms of the index. For Xapian it is converted to a Xapian query; PageMatcher evaluates it on a
/// page.
struct MatchNode {
  enum class Kind : std::uint8_t {
    all,     ///< all of `children` must match
    any,     ///< one of `children` must match
    word,    ///< one of the forms of `words[0]`
    phrase,  ///< `words` in sequence
    filter,  ///< `words[0].terms`, which have their prefixes; does not affect the score
  };
  Kind kind = Kind::all;
  bool in_title = false;
  std::vector<MatchNode> children = {};
  std::vector<WordForms> words = {};
};

struct MatchPlan {
  std::vector<MatchNode> required;
  std::vector<MatchNode> excluded;
  std::vector<std::string> pairs;  ///< pairs of adjacent words (WordPairs), which pages need not have
  /// The query has a phrase. The index has no positions, so pages have to be read to check it.
  bool has_phrase = false;
};

/// Makes the plan of a query for an index with pages in `languages`.
MatchPlan make_match_plan(const SearchQuery& query, std::span<const std::string> languages,
                          StemmerSet& stemmers);

/// The filter term of a site as a person names it: "example.com", its subdomains included, or an origin,
/// "https://example.com". Empty if it is neither.
std::string site_term(std::string_view site);
std::string language_term(std::string_view tag);
std::string section_term(std::string_view section);

}  // namespace sheaf::search
