#include "sheaf/search/result_filler.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::search {
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
