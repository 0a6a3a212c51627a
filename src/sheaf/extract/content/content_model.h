#pragma once

#include "sheaf/extract/content/content_context.h"
#include "sheaf/extract/content/content_features.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// One of a model's trees: five questions on the way to a leaf, each of the form "is the feature at most the
/// threshold". A yes leads to the left. The questions stand level by level.
struct ContentTree {
  static constexpr std::size_t kLevels = 5;
  std::array<std::uint16_t, (1U << kLevels) - 1> feature;
  std::array<float, (1U << kLevels) - 1> threshold;
  std::array<std::int16_t, 1U << kLevels> leaf;  // so many parts of kLeafUnit
};
inline constexpr float kLeafUnit = 1.0F / 2048;

/// Where scoring may stop: after so many trees a score beyond the bound is not turned by the rest, and is as
/// good as `scale` times itself.
struct ContentCheckpoint {
  std::size_t trees;
  float bound;
  float scale;
};

struct ContentModel {
  float bias = 0;
  std::span<const ContentCheckpoint> checkpoints;
  std::span<const ContentTree> trees;

  /// The logarithm of the odds that a run with these features is content.
  [[nodiscard]] float score(const Features& features) const;
};

/// The first model judges a run by its form and place, the second by that, its words and what the first says
/// of its surroundings. First scores beyond `sure`, either way, are final.
struct ContentModels {
  ContentModel form;
  ContentModel context;
  float sure = 0;
};

// Written by tools/train_content/train.py (content_model_data.cpp).
extern const ContentModels kContentModels;

/// How sure the models are that a run of text is content: the logarithm of the odds, above 0 for content.
class ContentScorer {
 public:
  /// Sets one score for each run of the page.
  void score(const PageOutline& outline, std::string_view declared_text, const DeclaredPage& declared,
             const ContentModels& models, std::vector<float>& scores);

 private:
  DeclaredText declared_text_;
  FeatureMaker maker_;
  ContentContext context_;
  std::vector<float> form_scores_;
};

}  // namespace sheaf::extract
