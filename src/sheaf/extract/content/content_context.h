#pragma once

#include "sheaf/extract/content/content_features.h"
#include "sheaf/extract/content/content_records.h"
#include "sheaf/extract/outline/page_outline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::extract {

/// Features of the surroundings of each run, made of the first scores of the page: of its neighbours, of the
/// regions and records around it, and of elements elsewhere that look the same. Reuses its memory from page
/// to page.
class ContentContext {
 public:
  /// All arguments must outlive the calls of fill().
  void build(const PageOutline& outline, const PageRecords& records, std::span<const float> scores);

  /// Sets the features from kFirstOfContext on.
  void fill(std::uint32_t run, Features& features) const;

 private:
  struct Sum {
    std::uint64_t key = 0;
    double weight = 0;
    double score = 0;
    [[nodiscard]] float mean() const { return weight > 0 ? static_cast<float>(score / weight) : 0; }
  };
  struct Table {
    std::vector<Sum> slots;
    std::vector<std::uint32_t> of_regions;
  };

  void sum_runs();
  void sum_styles();
  void sum_groups();
  void find_distances();
  void add_to(Table& table, std::uint32_t region, std::uint64_t key, std::uint32_t first_run,
              std::uint32_t runs_end);
  [[nodiscard]] Sum sum(std::uint32_t first_run, std::uint32_t runs_end) const;
  [[nodiscard]] float mean(const Region& region) const {
    return sum(region.first_run, region.runs_end).mean();
  }
  [[nodiscard]] float score_at(std::uint32_t run, int offset) const;

  const PageOutline* outline_ = nullptr;
  const PageRecords* records_ = nullptr;
  std::span<const float> scores_;
  // For each run:
  std::vector<double> scores_before_;         // sum over the runs before it: bounded score times characters
  std::vector<std::uint32_t> kept_before_;    // characters of the runs before it with a score above 0
  std::vector<std::uint32_t> previous_kept_;  // distance to the previous run with a score above 0
  std::vector<std::uint32_t> next_kept_;      // distance to the next one
  std::vector<std::uint32_t> section_begin_;  // the last heading up to it
  std::vector<std::uint32_t> section_end_;    // the next heading after it
  Table styles_;                              // sums by the signature of the runs' region
  Table path_styles_;                         // sums by the signatures of the region and its parent
  std::vector<Sum> groups_;
};

}  // namespace sheaf::extract
