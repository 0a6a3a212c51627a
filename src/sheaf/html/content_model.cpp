#include "sheaf/html/content_model.h"

#include <cmath>

namespace sheaf::html {
namespace {

// Most runs are clear after the first trees, which weigh most: the rest would not turn them.
constexpr std::size_t kFirstTrees = 48;
constexpr float kClear = 2.2F;

float tree_value(const ContentTree& tree, const Features& features) {
  std::size_t at = 0;
  for (int level = 0; level < 3; ++level)
    at = 2 * at + (features[tree.feature[at]] <= tree.threshold[at] ? 1 : 2);
  return tree.leaf[at - 7];
}

}  // namespace

float content_score(const Features& features) {
  float score = kContentModelBias;
  for (std::size_t i = 0; i < kContentTrees; ++i) {
    if (i == kFirstTrees && std::abs(score) > kClear) return score;
    score += tree_value(kContentModel[i], features);
  }
  return score;
}

}  // namespace sheaf::html
