#pragma once

#include "sheaf/extract/content/content_boxes.h"
#include "sheaf/extract/outline/page_outline.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sheaf::extract {

/// A text whose paragraphs are in one element: the body of an article, a section, a post. It is content as a
/// whole or not at all: from its first paragraph to its last, everything is kept but boxes (content_boxes.h).
struct Flow {
  std::uint32_t region = 0;
  std::uint32_t first = 0;        ///< the run of its first paragraph
  std::uint32_t last = 0;         ///< the run of its last paragraph
  std::uint32_t end = 0;          ///< after its last run: tables and code may follow the last paragraph
  std::uint32_t inner_first = 0;  ///< the runs that no other part of the page depends on
  std::uint32_t inner_end = 0;
  std::uint32_t paragraphs = 0;
  double score = 0;  ///< sum over its paragraphs: score times characters
};

/// The flows of a page. What is inside a flow is decided there, and the rest of the page is judged as if it
/// were not there: a change of one part of the page has no influence on another. Reuses its memory from page
/// to page.
class ContentFlows {
 public:
  void clear() { flows_.clear(); }
  /// Finds the flows that are content by the scores of their paragraphs.
  void find(const PageOutline& outline, std::span<const float> scores);

  [[nodiscard]] std::span<const Flow> flows() const { return flows_; }
  /// 1 for each run and each region inside a flow, which PageOutline::reduce() leaves out.
  [[nodiscard]] std::span<const std::uint8_t> inner_runs() const { return inner_runs_; }
  [[nodiscard]] std::span<const std::uint8_t> inner_regions() const { return inner_regions_; }

  struct Answers {
    std::vector<std::uint8_t>& runs;     ///< 1 for kept; set for the paragraphs at both ends of each flow
    std::vector<std::uint8_t>& regions;  ///< the same
  };
  /// Decides what is inside the flows. `excluded` says whether a run is no content for a reason of its own.
  void decide(const BoxJudge& boxes, const std::function<bool(std::uint32_t run)>& excluded, Answers answers);
  /// What a dropped region inside a flow is.
  [[nodiscard]] BoxKind box(std::uint32_t region) const { return kinds_[region]; }

 private:
  void add(std::uint32_t region, std::uint32_t run);
  [[nodiscard]] Flow best_part(std::uint32_t region, std::span<const float> scores) const;
  void take_what_follows(Flow& flow, std::span<const float> scores) const;
  void keep_apart(Flow& flow);

  const PageOutline* outline_ = nullptr;
  std::vector<Flow> texts_;  // by region
  std::vector<std::uint32_t>
      text_of_;  // for each run that is a paragraph, the region whose text it is part of
  std::vector<Flow> flows_;
  std::vector<std::uint8_t> inner_runs_;
  std::vector<std::uint8_t> inner_regions_;
  std::vector<BoxKind> kinds_;
};

}  // namespace sheaf::extract
