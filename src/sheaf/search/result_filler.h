#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/hit_maker.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/search_index.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace sheaf::search {

/// Fills the results of one search from ranked candidates, for every kind of index.
class ResultFiller {
 public:
  /// All references must outlive this object. Starts at rank `at.rank`.
  ResultFiller(HitMaker& make_hits, const store::PageStore& store, const MatchPlan& plan, std::size_t limit,
               const SearchCursor& at, SearchResults& out)
      : make_hits_(make_hits), store_(store), plan_(plan), limit_(limit), at_(at), out_(out) {}

  [[nodiscard]] std::uint64_t rank() const { return at_.rank; }
  /// How many candidates to request next: few at first, then many, because another request costs as much as
  /// the first.
  [[nodiscard]] std::size_t step() const;
  /// Takes the candidates from rank() on. Returns false if no more are needed; then `next` of the results is
  /// a cursor if there may be more results.
  base::Result<bool> take(std::span<const HitCandidate> candidates);

 private:
  base::Result<bool> take_some(std::span<const HitCandidate> candidates);

  HitMaker& make_hits_;
  const store::PageStore& store_;
  const MatchPlan& plan_;
  std::size_t limit_;
  SearchCursor at_;
  SearchResults& out_;
  std::uint64_t checked_ = 0;
};

}  // namespace sheaf::search
