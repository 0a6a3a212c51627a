#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/page_matcher.h"
#include "sheaf/search/page_snippet.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sheaf::search {

/// A page that the index found.
struct HitCandidate {
  std::uint64_t document = 0;  ///< its number in the index
  IndexRecord record;
  double score = 0;
};

/// Makes search results from index records and the pages themselves. Not thread-safe.
class HitMaker {
 public:
  /// Returns a hit for each candidate; nullopt if the page has been removed from the store, cannot be read,
  /// or does not have the phrase. Pages are read together, which is much faster than one by one.
  base::Result<std::vector<std::optional<SearchHit>>> operator()(const store::PageStore& store,
                                                                 const MatchPlan& plan,
                                                                 std::span<const HitCandidate> candidates);

 private:
  std::optional<SearchHit> make(const MatchPlan& plan, const store::StoredPage& stored, double score);

  PageMatcher matches_;
  SnippetMaker make_snippet_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

}  // namespace sheaf::search
