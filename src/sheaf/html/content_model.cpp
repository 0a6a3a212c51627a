#include "sheaf/html/content_model.h"

#include <algorithm>
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

ContentScorer::ContentScorer(const ContentModel& model) : model_(model) {
  const auto* const first = std::ranges::find_if(
      model.trees, [](const ContentTree& tree) { return std::ranges::any_of(tree.feature, is_of_words); });
  wordless_trees_ = static_cast<std::size_t>(first - model.trees.begin());
}

float ContentScorer::score(FeatureMaker& maker, std::uint32_t run) const {
  const Features& features = maker.make_wordless(run);
  float score = model_.bias;
  std::size_t tree = 0;
  bool has_words = false;
  const auto add_trees = [&](std::size_t end) {
    if (!has_words && end > wordless_trees_) {
      maker.add_words(run);
      has_words = true;
    }
    for (; tree < end; ++tree) score += tree_value(model_.trees[tree], features);
  };
  for (const ContentCheckpoint& checkpoint : model_.checkpoints) {
    add_trees(checkpoint.trees);
    if (std::abs(score) > checkpoint.bound) return score * checkpoint.scale;
  }
  add_trees(model_.trees.size());
  return score;
}

}  // namespace sheaf::html
