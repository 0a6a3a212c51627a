#include "sheaf/search/hit_maker.h"

namespace sheaf::search {

base::Result<std::optional<SearchHit>> HitMaker::operator()(const store::PageStore& store,
                                                            const MatchPlan& plan, const IndexRecord& record,
                                                            double score) {
  const auto stored = store.get(record.url, record.site);
  if (!stored && stored.error().code != base::Errc::invalid_data) return std::unexpected(stored.error());
  if (!stored || !*stored) return std::nullopt;
  const auto page = decoder_((*stored)->json);
  if (!page || (plan.has_phrase && !matches_(plan, **page))) return std::nullopt;
  return SearchHit{.site = (*stored)->site,
                   .section = (*stored)->section,
                   .url = (*stored)->url,
                   .title = std::string((*page)->title),
                   .modified = (*stored)->modified,
                   .language = std::string((*page)->language),
                   .score = score,
                   .snippet = make_snippet_(plan, **page)};
}

}  // namespace sheaf::search
