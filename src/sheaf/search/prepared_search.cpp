#include "sheaf/search/prepared_search.h"

#include "sheaf/base/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::search {

std::string encode(const SearchCursor& cursor) {
  return fmt::format("{:x}.{:x}.{:x}.{:x}", cursor.query, cursor.revision, cursor.rank, cursor.document);
}

std::optional<SearchCursor> decode_search_cursor(std::string_view text) {
  std::array<std::uint64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view part = text.substr(0, text.find('.'));
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), numbers[i], 16);
    if (failure != std::errc() || end != part.data() + part.size()) return std::nullopt;
    text.remove_prefix(part.size());
    const bool is_last = i + 1 == numbers.size();
    if (text.empty() != is_last) return std::nullopt;
    if (!is_last) text.remove_prefix(1);
  }
  return SearchCursor{numbers[0], numbers[1], numbers[2], numbers[3]};
}

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

namespace {

/// Reads the pages one by one, so that a damaged page does not prevent the others from being read.
Result<void> read_singly(const store::PageStore& store, const store::PageRequests& requests,
                         const store::FoundPageUse& use) {
  for (std::size_t i = 0; i < requests.urls.size(); ++i) {
    const auto stored = store.get(requests.urls[i], requests.site);
    if (!stored && stored.error().code != Errc::invalid_data) return std::unexpected(stored.error());
    if (stored) SHEAF_TRY(use(i, *stored));
  }
  return {};
}

}  // namespace

Result<std::vector<std::optional<SearchHit>>> HitMaker::operator()(const store::PageStore& store,
                                                                   const MatchPlan& plan,
                                                                   std::span<const HitCandidate> candidates) {
  std::vector<std::optional<SearchHit>> hits(candidates.size());
  std::map<std::string_view, std::vector<std::size_t>> by_site;
  for (std::size_t i = 0; i < candidates.size(); ++i) by_site[candidates[i].record.site].push_back(i);
  for (const auto& [site, numbers] : by_site) {
    std::vector<std::string> urls;
    for (const std::size_t number : numbers) urls.push_back(candidates[number].record.url);
    const store::PageRequests requests{.urls = urls, .site = std::string(site)};
    const auto use = [&](std::size_t i, const std::optional<store::StoredPage>& stored) -> Result<void> {
      if (stored) hits[numbers[i]] = make(plan, *stored, candidates[numbers[i]].score);
      return {};
    };
    const auto read = store.get_many(requests, use);
    if (read) continue;
    if (read.error().code != Errc::invalid_data) return std::unexpected(read.error());
    SHEAF_TRY(read_singly(store, requests, use));
  }
  return hits;
}

std::optional<SearchHit> HitMaker::make(const MatchPlan& plan, const store::StoredPage& stored,
                                        double score) {
  const auto page = decoder_(stored.json);
  if (!page || (plan.has_phrase && !matches_(plan, **page))) return std::nullopt;
  return SearchHit{.site = stored.site,
                   .section = stored.section,
                   .url = stored.url,
                   .title = std::string((*page)->title),
                   .modified = stored.modified,
                   .language = std::string((*page)->language),
                   .score = score,
                   .snippet = make_snippet_(plan, **page)};
}

namespace {

// For a phrase: the number of candidates that are requested first, and of pages that are read together, since
// a page may be large.
constexpr std::size_t kFirstCandidates = 50;
constexpr std::size_t kPagesTogether = 200;

}  // namespace

std::size_t ResultFiller::step() const {
  if (!plan_.has_phrase) return limit_;
  const std::size_t wanted = checked_ == 0 ? kFirstCandidates : kMaxChecked - checked_;
  return std::min(wanted, kMaxSearchRank - at_.rank);
}

base::Result<bool> ResultFiller::take(std::span<const HitCandidate> candidates) {
  while (!candidates.empty()) {
    const std::size_t size = std::min(candidates.size(), kPagesTogether);
    SHEAF_TRY_ASSIGN(const bool more, take_some(candidates.first(size)));
    if (!more) return false;
    candidates = candidates.subspan(size);
  }
  return true;
}

base::Result<bool> ResultFiller::take_some(std::span<const HitCandidate> candidates) {
  SHEAF_TRY_ASSIGN(auto hits, make_hits_(store_, plan_, candidates));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    at_.document = candidates[i].document;
    ++at_.rank;
    ++checked_;
    if (hits[i]) out_.hits.push_back(std::move(*hits[i]));
    const bool is_full = out_.hits.size() == limit_;
    out_.is_cut = !is_full && plan_.has_phrase && checked_ >= kMaxChecked;
    if (!is_full && !out_.is_cut) continue;
    if (at_.rank < out_.total || out_.is_estimate) out_.next = encode(at_);
    return false;
  }
  return true;
}

}  // namespace sheaf::search
