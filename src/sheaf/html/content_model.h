#pragma once

#include "sheaf/html/content_features.h"

#include <cstddef>
#include <cstdint>

namespace sheaf::html {

/// One of the model's trees: three questions, each of the form "is the feature at most the threshold". A yes
/// leads to the left.
struct ContentTree {
  std::uint8_t feature[7];
  float threshold[7];
  float leaf[8];
};

// The model (content_model_data.cpp) is written by tools/train_content/train.py.
inline constexpr std::size_t kContentTrees = 96;
extern const ContentTree kContentModel[kContentTrees];
extern const float kContentModelBias;

/// Where scoring may stop: after so many trees a score beyond the bound is not turned by the rest, and is as good as
/// `scale` times itself.
struct ContentCheckpoint {
  std::size_t trees;
  float bound;
  float scale;
};
inline constexpr std::size_t kContentCheckpoints = 4;
extern const ContentCheckpoint kContentModelCheckpoints[kContentCheckpoints];

/// How sure the model is that a run of text is content: the logarithm of the odds, above 0 for content.
float content_score(const Features& features);

}  // namespace sheaf::html
