#pragma once

#include "sheaf/html/content_features.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace sheaf::html {

/// One of the model's trees: three questions, each of the form "is the feature at most the threshold". A yes
/// leads to the left.
struct ContentTree {
  std::array<std::uint8_t, 7> feature;
  std::array<float, 7> threshold;
  std::array<float, 8> leaf;
};

/// Where scoring may stop: after so many trees a score beyond the bound is not turned by the rest, and is as
/// good as `scale` times itself.
struct ContentCheckpoint {
  std::size_t trees;
  float bound;
  float scale;
};

struct ContentModel {
  float bias;
  std::array<ContentCheckpoint, 4> checkpoints;
  std::array<ContentTree, 96> trees;
};

// Written by tools/train_content/train.py (content_model_data.cpp).
extern const ContentModel kArticleModel;
extern const ContentModel kManualModel;  // for pages of which PageOutline::is_manual() is true

/// How sure a model is that a run of text is content: the logarithm of the odds, above 0 for content.
class ContentScorer {
 public:
  explicit ContentScorer(const ContentModel& model);

  /// Of the run that `maker` is asked for. Most runs are clear before their words are looked at.
  float score(FeatureMaker& maker, std::uint32_t run) const;

 private:
  const ContentModel& model_;
  std::size_t wordless_trees_;  // the first ones, which ask nothing of words
};

}  // namespace sheaf::html
