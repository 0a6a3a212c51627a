// What readers and customers write is not the page's own text: comments are content of threads only, and
// reviews are not part of a product's description. Both read like content, so scores do not tell them apart.
#include "sheaf/extract/content/content_select.h"
#include "sheaf/extract/outline/hint_words.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMinPart = 5;  // at least one in kMinPart characters of the content must remain

bool is_thread(const PageOutline& outline, const DeclaredPage& page) {
  if ((page.kinds & kDeclaredForum) != 0) return true;
  return (name_hints(page.path) & kHintPost) != 0 ||
         std::ranges::any_of(outline.regions(),
                             [](const Region& region) { return (region.hints & kHintPost) != 0; });
}

bool is_product(const DeclaredPage& page) {
  return (page.kinds & (kDeclaredProduct | kOpenGraphProduct)) != 0;
}

}  // namespace

void ContentSelector::exclude_comments_and_reviews(const DeclaredPage& page) {
  if (!is_thread(*outline_, page)) leave_out(kHintComment);
  if (is_product(page)) leave_out(kHintReview);
}

/// Leaves out the runs with a hint, unless they are nearly all of the content.
void ContentSelector::leave_out(std::uint32_t hint) {
  const auto runs = outline_->runs();
  const auto is_called_so = [&](std::uint32_t run) {
    return (outline_->regions()[runs[run].region].all_hints & hint) != 0;
  };
  std::uint64_t called_so = 0;
  std::uint64_t others = 0;
  for (std::uint32_t i = 0; i < runs.size(); ++i)
    if (scores_[i] > 0) (is_called_so(i) ? called_so : others) += runs[i].chars;
  if (others * kMinPart < called_so + others) return;
  for (std::uint32_t i = 0; i < runs.size(); ++i)
    if (is_called_so(i)) scores_[i] = std::min(scores_[i], kCertainlyNotContent);
}

}  // namespace sheaf::extract
