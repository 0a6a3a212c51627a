#include "sheaf/extract/content/content_features.h"
#include "sheaf/text/text_compare.h"

#include <bit>

namespace sheaf::extract {

/// Sums the page's prose per name and class of elements. In a hash table, because the branches of a binary
/// search would be unpredictable.
void FeatureExtractor::sum_styles() {
  const auto regions = outline_->regions();
  const auto runs = outline_->runs();
  styles_.assign(std::bit_ceil(prose_.size() * 2 + 1), {});
  for (const std::uint32_t run : prose_) {
    const std::uint32_t signature = regions[runs[run].region].signature;
    Style& style = styles_[style_slot(signature)];
    style.signature = signature;
    style.prose += runs[run].chars;
  }
}

/// The slot of a signature, or the free slot where it would be. A slot without prose is free.
std::size_t FeatureExtractor::style_slot(std::uint32_t signature) const {
  return text::find_slot(signature, styles_.size(), [&](std::size_t at) {
    return styles_[at].prose == 0 || styles_[at].signature == signature;
  });
}

}  // namespace sheaf::extract
