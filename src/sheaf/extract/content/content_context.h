#pragma once

#include "sheaf/extract/content/content_features.h"
#include "sheaf/extract/content/content_records.h"
#include "sheaf/extract/outline/page_outline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::extract {

/// What the first scores of a page say of the surroundings of each run: of its neighbours, of the regions and
/// records around it, of what looks the same elsewhere on the page. Keeps its memory from page to page.
class ContentContext {
 public:
  /// All must stay as long as fill() is called.
  void build(const PageOutline& outline, const PageRecords& records, std::span<const float> scores);

  /// The features from kFirstOfContext on.
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
  std::vector<double> scores_before_;         // runs: bounded, times their characters
  std::vector<std::uint32_t> kept_before_;    // runs: characters of those above 0
  std::vector<std::uint32_t> previous_kept_;  // runs: distance
  std::vector<std::uint32_t> next_kept_;
  std::vector<std::uint32_t> section_begin_;  // runs: from the last heading on
  std::vector<std::uint32_t> section_end_;
  Table styles_;       // by what the region of a run looks like
  Table path_styles_;  // ... and the one around it
  std::vector<Sum> groups_;
};

}  // namespace sheaf::extract
