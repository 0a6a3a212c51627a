#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/page_matcher.h"
#include "sheaf/search/page_snippet.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/stored_page_decoder.h"

#include <optional>

namespace sheaf::search {

/// Makes a result of what the index has of a page and of the page itself. One thread at a time.
class HitMaker {
 public:
  /// Nothing for a page that went from the store since, that cannot be read, or that lacks the phrase.
  base::Result<std::optional<SearchHit>> operator()(const store::PageStore& store, const MatchPlan& plan,
                                                    const IndexRecord& record, double score);

 private:
  PageMatcher matches_;
  SnippetMaker make_snippet_;
  store::StoredPageDecoder decoder_{format::Detail::checks};
};

}  // namespace sheaf::search
