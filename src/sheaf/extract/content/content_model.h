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

/// A decision tree with five comparisons on the way to a leaf. A feature that is at most the threshold leads
/// to the left. The comparisons are stored level by level.
struct ContentTree {
  static constexpr std::size_t kLevels = 5;
  std::array<std::uint16_t, (1U << kLevels) - 1> feature;
  std::array<float, (1U << kLevels) - 1> threshold;
  std::array<std::int16_t, 1U << kLevels> leaf;  // in units of kLeafUnit
};
inline constexpr float kLeafUnit = 1.0F / 2048;

/// Where scoring may stop early: if the absolute score after `trees` trees is above `bound`, the remaining
/// trees hardly ever change its sign, and `scale` times the score stands for the final one.
struct ContentCheckpoint {
  std::size_t trees;
  float bound;
  float scale;
};

/// Trees instead of rules written by hand: each new rule broke pages that an older one got right.
struct ContentModel {
  float bias = 0;
  std::span<const ContentCheckpoint> checkpoints;
  std::span<const ContentTree> trees;

  /// The logarithm of the odds that a run with these features is content.
  [[nodiscard]] float score(const Features& features) const;
};

/// The first model scores a run by its form and position. The second one also uses its words and the first
/// scores of its surroundings. First scores with an absolute value above `sure` are final.
struct ContentModels {
  ContentModel form;
  ContentModel context;
  float sure = 0;
};

// Written by tools/train_content/train.py (content_model_data.cpp).
extern const ContentModels kContentModels;

/// Scores runs of text: the logarithm of the odds that a run is content, above 0 for content.
class ContentScorer {
 public:
  /// Sets one score for each run of the page.
  void score(const PageOutline& outline, std::string_view declared_text, const DeclaredPage& declared,
             const ContentModels& models, std::vector<float>& scores);

 private:
  DeclaredText declared_text_;
  FeatureExtractor maker_;
  ContentContext context_;
  std::vector<float> form_scores_;
};

}  // namespace sheaf::extract
