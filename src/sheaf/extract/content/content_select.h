#pragma once

#include "sheaf/extract/content/content.h"
#include "sheaf/extract/content/content_flow.h"
#include "sheaf/extract/content/content_marked.h"
#include "sheaf/extract/content/content_model.h"
#include "sheaf/extract/content/site_profile.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::html {
class Selector;
}

namespace sheaf::extract {

/// What a page's metadata says about its content. Metadata influences the selection only through this.
struct DeclaredContent {
  html::NodeId headline = html::kNoNode;  ///< the element that shows the title (Metadata::headline)
  std::string_view text = {};             ///< the text in structured data (Metadata::declared_text)
  DeclaredPage page = {};                 ///< the kind of page
};

struct SelectOptions {
  const SiteProfile* site = nullptr;          ///< what recurs on the site's other pages
  const html::Selector* content = nullptr;    ///< set by the user: what it matches is the content
  const html::Selector* leave_out = nullptr;  ///< set by the user: what it matches is not content
  std::span<const html::NodeId> chrome = {};  ///< elements that are not content; in document order
  std::span<const html::NodeId> hidden = {};  ///< elements that no visitor sees; in document order
  std::span<const html::NodeId> sure = {};    ///< elements that are content in any case; in document order
  DeclaredContent declared = {};              ///< what the page's metadata says about its content
  std::span<const float> scores = {};         ///< scores of the page's runs, used instead of the model's
  std::span<const float> rest_scores = {};    ///< the same for the runs of rest()
};

/// Finds the content of pages. Reuses its memory from page to page. Not thread-safe.
///
/// A model scores every run of text; then one decision labels the whole tree: every element is content or
/// not, and an element that differs from its parent costs as much as going against a weak score. So content
/// is a few connected pieces of the tree, a short line among paragraphs is kept, and a lone odd paragraph is
/// dropped.
class ContentSelector {
 public:
  /// Finds the content with the model. `outline` is the outline of `document` and must live as long as the
  /// accessors below are used.
  const ContentMap& select(const html::Document& document, const PageOutline& outline,
                           const SelectOptions& options);

  /// For training: the page without what is inside its flows, as select() judges it. Valid until the next
  /// call.
  const PageOutline& rest(const html::Document& document, const PageOutline& outline,
                          const SelectOptions& options);

  /// Keeps the whole page, except what the selectors exclude.
  const ContentMap& keep_all(const html::Document& document, const SelectOptions& options);

  /// Keeps what is inside `content`, except `chrome` and what the selectors exclude. For pages whose
  /// generator is known.
  const ContentMap& keep_elements(const html::Document& document, std::span<const html::NodeId> content,
                                  const SelectOptions& options);

  // Details of the last page, for --explain.
  [[nodiscard]] const PageOutline& outline() const { return *whole_; }
  [[nodiscard]] const ContentFlows& flows() const { return flows_; }
  [[nodiscard]] float score(std::uint32_t run) const { return first_scores_[run]; }
  [[nodiscard]] bool region_kept(std::uint32_t region) const { return regions_kept_[region] != 0; }
  [[nodiscard]] bool run_kept(std::uint32_t run) const { return runs_kept_[run] != 0; }

 private:
  /// The cheaper answer for a run. Keeping it or dropping it costs nothing, so only the other cost has to be
  /// compared with the border.
  static bool keeps_run(bool region_kept, float score, float border) {
    return (score > border) | (region_kept & (score >= -border));
  }
  void score_runs(const DeclaredContent& declared, std::span<const float> given);
  void exclude_runs(const html::Document& document, const SelectOptions& options);
  // content_voices.cpp: comments and reviews
  void exclude_comments_and_reviews(const DeclaredPage& page);
  void leave_out(std::uint32_t hint);

  float fitting_bias();
  void decide_regions(float bias);
  [[nodiscard]] std::uint32_t kept_chars() const;

  // content_together.cpp: what must be kept together
  void keep_together();
  void keep_inside(std::uint32_t region);
  [[nodiscard]] bool holds_foreign(std::uint32_t region) const;
  void keep_quote(std::uint32_t region);
  void keep_notes(std::uint32_t region);
  void keep_column_names(std::uint32_t region);
  void keep_rows(std::uint32_t region);
  [[nodiscard]] float score_of(const Region& region) const;
  enum class Inside : std::uint8_t { items, lists };  // what a list may contain: items only, or also lists
  void keep_items(std::uint32_t region, Inside allowed);
  void keep_list_below(std::uint32_t heading);
  void keep_heading(std::uint32_t heading);
  void keep_headline(html::NodeId headline);

  void find_flows(const html::Document& document, const PageOutline& outline, const SelectOptions& options);
  void judge_rest(const html::Document& document, const SelectOptions& options);
  void score_rest(const html::Document& document, const SelectOptions& options);
  void take_answers();
  [[nodiscard]] bool scores_keep(std::uint32_t run) const {
    return together_[run] != 0 ||
           keeps_run(kept_[outline_->runs()[run].region] != 0, scores_[run] + bias_, run_border_);
  }
  void leave_out_frame(const SiteProfile& site);
  void answer();
  void keep_sure(const html::Document& document, std::span<const html::NodeId> sure);
  void clear_skip_marks_above(const html::Document& document, html::NodeId node);
  // content_disclosure.cpp: buttons above the panels that they open
  void keep_disclosures(const html::Document& document);
  [[nodiscard]] bool begins_kept(const html::Document& document, html::NodeId element) const;
  void apply_selectors(const html::Document& document, const SelectOptions& options);
  void set_inside(const html::Document& document, std::span<const html::NodeId> roots, bool kept);

  ContentMap map_;
  BoxJudge boxes_;
  ContentFlows flows_;
  PageOutline rest_;  // the page without what is inside its flows
  const PageOutline* whole_ = nullptr;
  std::vector<float> first_scores_;         // of the runs of the whole page
  std::vector<std::uint8_t> runs_kept_;     // of the whole page
  std::vector<std::uint8_t> regions_kept_;  // the same
  const PageOutline* outline_ = nullptr;    // the part of the page that is being judged
  ContentScorer scorer_;
  MarkedContent marked_;
  std::vector<float> scores_;           // per run
  std::vector<float> likely_;           // per run: the probability that it is content
  float bias_ = 0;                      // added to the scores
  float run_border_ = 0;                // cost of a run whose answer differs from its region's
  std::vector<std::uint8_t> together_;  // per run: kept with what it belongs to, regardless of its score
  struct Cost {
    float drop = 0;
    float keep = 0;
  };
  std::vector<Cost> costs_;               // per region: for each answer, the least cost of everything inside
  std::vector<std::uint8_t> kept_;        // per region
  std::vector<std::uint8_t> holds_kept_;  // per region: kept, or something inside is
  std::vector<std::uint8_t> answers_;  // ContentMap::Answer by PageOutline::places(), shifted to begin at 0
};

}  // namespace sheaf::extract
