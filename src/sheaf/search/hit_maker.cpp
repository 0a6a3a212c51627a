#include "sheaf/search/hit_maker.h"

#include <map>
#include <string>
#include <string_view>

namespace sheaf::search {
namespace {

using base::Errc;
using base::Result;

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

}  // namespace sheaf::search
