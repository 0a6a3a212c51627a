#include "sheaf/html/content_model.h"

#include <cmath>

namespace sheaf::html {
namespace {

float tree_value(const ContentTree& tree, const Features& features) {
  std::size_t at = 0;
  for (int level = 0; level < 3; ++level)
    at = 2 * at + (features[tree.feature[at]] <= tree.threshold[at] ? 1 : 2);
  return tree.leaf[at - 7];
}

}  // namespace

float content_score(const ContentModel& model, const Features& features) {
  float score = model.bias;
  std::size_t tree = 0;
  for (const ContentCheckpoint& checkpoint : model.checkpoints) {
    for (; tree < checkpoint.trees; ++tree) score += tree_value(model.trees[tree], features);
    if (std::abs(score) > checkpoint.bound) return score * checkpoint.scale;
  }
  for (; tree < model.trees.size(); ++tree) score += tree_value(model.trees[tree], features);
  return score;
}

}  // namespace sheaf::html
