#include "sheaf/html/content_model.h"

#include <cmath>

namespace sheaf::html {
namespace {

/// Answers as numbers: as conditions they would be jumps that no processor can foresee.
float tree_value(const ContentTree& tree, const Features& features) {
  const auto is_more = [&](std::size_t question) {
    return static_cast<std::size_t>(features[tree.feature[question]] > tree.threshold[question]);
  };
  const std::size_t first = is_more(0);
  const std::size_t second = 2 * first + is_more(1 + first);
  return tree.leaf[2 * second + is_more(3 + second)];
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
