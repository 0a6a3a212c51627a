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
inline constexpr std::size_t kContentTrees = 160;
extern const ContentTree kContentModel[kContentTrees];
extern const float kContentModelBias;

/// How sure the model is that a run of text is content: the logarithm of the odds, above 0 for content.
float content_score(const Features& features);

}  // namespace sheaf::html
