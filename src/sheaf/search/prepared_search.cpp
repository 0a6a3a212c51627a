#include "sheaf/search/prepared_search.h"

#include "sheaf/base/hash.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::search {
namespace {

using base::Errc;
using base::fail;
using base::Result;

Result<void> check_request(const SearchRequest& request) {
  if (request.limit == 0 || request.limit > kMaxSearchResults)
    return fail(Errc::invalid_argument, fmt::format("a search returns 1 to {} results at a time, not {}",
                                                    kMaxSearchResults, request.limit));
  if (request.site.size() > kMaxQueryBytes || request.section.size() > kMaxQueryBytes ||
      request.language.size() > kMaxQueryBytes)
    return fail(Errc::invalid_argument, fmt::format("a filter has more than {} bytes", kMaxQueryBytes));
  return {};
}

/// Combines the query and its filters.
Result<SearchQuery> whole_query(const SearchRequest& request) {
  SHEAF_TRY_ASSIGN(SearchQuery query, parse_query(request.query));
  for (QueryClause& clause : query.clauses)
    for (QueryTerm& term : clause.any_of) term.in_title = term.in_title || request.title_only;
  const auto filter = [&](QueryTerm::Kind kind, const std::string& value) {
    if (!value.empty()) query.clauses.push_back({false, {{kind, false, value}}});
  };
  filter(QueryTerm::Kind::site, request.site);
  filter(QueryTerm::Kind::language, request.language);
  return query;
}

std::uint64_t hash_of(const SearchRequest& request) {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.query, request.site, request.section, request.language,
                  request.since ? format_time(*request.since) : std::string(), request.title_only);
  return base::keyed_hash({0x637572736f72U, 1}, text);
}

Result<std::optional<SearchCursor>> parse_cursor(const SearchRequest& request) {
  if (request.cursor.empty()) return std::nullopt;
  const auto cursor = decode_search_cursor(request.cursor);
  if (!cursor || cursor->rank > kMaxSearchRank)
    return fail(Errc::invalid_argument, "the cursor was not returned by a search");
  if (cursor->query != hash_of(request))
    return fail(Errc::invalid_argument,
                "the cursor belongs to another search; give it with the same query and filters");
  return cursor;
}

}  // namespace

Result<PreparedSearch> prepare_search(const SearchRequest& request) {
  SHEAF_TRY(check_request(request));
  PreparedSearch search;
  SHEAF_TRY_ASSIGN(search.query, whole_query(request));
  SHEAF_TRY_ASSIGN(search.cursor, parse_cursor(request));
  search.hash = hash_of(request);
  return search;
}

MatchPlan plan_search(const SearchRequest& request, const SearchQuery& query,
                      std::span<const std::string> languages, StemmerSet& stemmers) {
  MatchPlan plan = make_match_plan(query, languages, stemmers);
  if (!request.section.empty())
    plan.required.push_back({.kind = MatchNode::Kind::filter,
                             .words = {{.terms = {section_term(request.section)}, .prefix = {}}}});
  return plan;
}

base::Error unknown_filter(const std::string& term) {
  const auto is_of = [&](std::string_view prefix) { return term.starts_with(prefix); };
  const std::string_view what = is_of(kSectionPrefix)    ? "section"
                                : is_of(kLanguagePrefix) ? "language"
                                                         : "site";
  const std::size_t skip = is_of(kSectionPrefix) ? kSectionPrefix.size() : 1;
  return {Errc::not_found, fmt::format("the index has no page of the {} {}", what, term.substr(skip))};
}

}  // namespace sheaf::search
