#include "sheaf/extract/content/content_model.h"

#include <algorithm>
#include <cmath>

namespace sheaf::extract {
namespace {

/// Branch-free: the results of comparisons are used as numbers, because branches on them would be
/// unpredictable. Plain pointers, because this loop is a fifth of the work; train.py writes only indices that
/// are in bounds.
int tree_value(const ContentTree& tree, const float* features) {
  const std::uint16_t* const feature = tree.feature.data();
  const float* const threshold = tree.threshold.data();
  std::size_t at = 0;  // among the comparisons of all levels
  for (std::size_t level = 0; level < ContentTree::kLevels; ++level)
    at = 2 * at + 1 + static_cast<std::size_t>(features[feature[at]] > threshold[at]);
  return tree.leaf.data()[at - tree.feature.size()];
}

}  // namespace

float ContentModel::score(const Features& features) const {
  int sum = 0;
  std::size_t tree = 0;
  const auto add_trees = [&](std::size_t end) {
    for (; tree < end; ++tree) sum += tree_value(*(trees.data() + tree), features.data());
    return bias + static_cast<float>(sum) * kLeafUnit;
  };
  for (const ContentCheckpoint& checkpoint : checkpoints)
    if (const float score = add_trees(checkpoint.trees); std::abs(score) > checkpoint.bound)
      return score * checkpoint.scale;
  return add_trees(trees.size());
}

void ContentScorer::score(const PageOutline& outline, std::string_view declared_text,
                          const DeclaredPage& declared, const ContentModels& models,
                          std::vector<float>& scores) {
  const auto runs = static_cast<std::uint32_t>(outline.runs().size());
  declared_text_.read(declared_text);
  maker_.begin(outline, declared_text_, declared);
  form_scores_.resize(runs);
  for (std::uint32_t i = 0; i < runs; ++i) form_scores_[i] = models.form.score(maker_.make_wordless(i));
  context_.build(outline, maker_.records(), form_scores_);
  scores.resize(runs);
  for (std::uint32_t i = 0; i < runs; ++i) {
    scores[i] = form_scores_[i];
    if (std::abs(scores[i]) > models.sure) continue;
    Features& features = maker_.make(i);
    context_.fill(i, features);
    scores[i] = models.context.score(features);
  }
}

}  // namespace sheaf::extract
