#pragma once

#include "sheaf/extract/outline/page_outline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::extract {

/// What repeats on a page. Siblings that look alike and have several texts each are records: the posts of a
/// thread, the products of a shop, the teasers of a list. Also finds texts that occur more than once. Reuses
/// its memory from page to page.
class PageRecords {
 public:
  /// Counts over a stretch of runs or a group of records.
  struct Counts {
    std::uint32_t headings = 0;
    std::uint32_t linked_headings = 0;
    std::uint32_t times = 0;
    std::uint32_t prices = 0;
  };
  struct Group {
    std::uint32_t records = 0;
    std::uint32_t runs = 0;
    std::uint32_t images = 0;
    std::uint32_t first_run = 0;
    std::uint32_t runs_end = 0;
    TextSums text;
    Counts counts;
  };
  static constexpr std::uint32_t kNone = 0;  // the root is not a record

  void build(const PageOutline& outline);

  /// The innermost and the outermost record that a region is or is inside of, or kNone.
  [[nodiscard]] std::uint32_t inner(std::uint32_t region) const { return inner_[region]; }
  [[nodiscard]] std::uint32_t outer(std::uint32_t region) const { return outer_[region]; }
  /// The group of a record: the record and its siblings that look alike.
  [[nodiscard]] const Group& group(std::uint32_t record) const { return groups_[group_index(record)]; }
  [[nodiscard]] std::uint32_t group_index(std::uint32_t record) const {
    return group_of_[outline_->regions()[record].first_similar_sibling];
  }
  /// All indices of groups are below this number.
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }
  /// The group with the most text; all its counts are 0 if there is none.
  [[nodiscard]] const Group& largest() const { return groups_[largest_]; }
  [[nodiscard]] bool is_in_largest(std::uint32_t record) const {
    return record != kNone && largest_ != 0 && group_index(record) == largest_;
  }

  [[nodiscard]] Counts counts(std::uint32_t first_run, std::uint32_t runs_end) const;
  /// Images in a region, at any depth.
  [[nodiscard]] std::uint32_t images(const Region& region, std::uint32_t index) const {
    return images_before_[region.end] - images_before_[index];
  }
  /// Images directly in the regions after `after`, up to and including `last`; 0 if `last` comes first.
  [[nodiscard]] std::uint32_t images_up_to(std::uint32_t after, std::uint32_t last) const {
    return last > after ? images_before_[last + 1] - images_before_[after + 1] : 0;
  }
  /// Form controls in a region, at any depth.
  [[nodiscard]] std::uint32_t controls(const Region& region, std::uint32_t index) const {
    return controls_before_[region.end] - controls_before_[index];
  }
  /// The number of runs with the same text, including this one, and the first of them.
  [[nodiscard]] std::uint32_t copies(std::uint32_t run) const { return copies_[first_copy_[run]]; }
  [[nodiscard]] std::uint32_t first_copy(std::uint32_t run) const { return first_copy_[run]; }

 private:
  void count_runs();
  void count_regions();
  void group_records();
  void find_copies();

  const PageOutline* outline_ = nullptr;
  std::vector<Counts> before_;  // for each run, counts over the runs before it
  std::vector<std::uint32_t> images_before_;
  std::vector<std::uint32_t> controls_before_;
  std::vector<std::uint32_t> inner_;
  std::vector<std::uint32_t> outer_;
  std::vector<std::uint32_t>
      group_of_;  // group of a region that is the `first_similar_sibling` of its records; else 0
  std::vector<Group> groups_;
  std::uint32_t largest_ = 0;
  std::vector<std::uint32_t> first_copy_;  // for each run, the first with the same text
  std::vector<std::uint32_t> copies_;      // for the first run with a text, the number of such runs
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

/// Whether a run is a short text with digits and a currency sign.
bool names_price(const TextRun& run);

}  // namespace sheaf::extract
