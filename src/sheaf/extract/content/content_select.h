#pragma once

#include "sheaf/extract/content/content.h"
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

/// What a page's metadata say of its content: the only way from metadata to labels.
struct DeclaredContent {
  html::NodeId headline = html::kNoNode;  ///< the element that shows the title (Metadata::headline)
  std::string_view text = {};             ///< the text in structured data (Metadata::declared_text)
  DeclaredPage page = {};                 ///< which kind of page it is
};

struct SelectOptions {
  const SiteProfile* site = nullptr;          ///< what is known of the site's other pages
  const html::Selector* content = nullptr;    ///< the user knows: what it matches is the content
  const html::Selector* leave_out = nullptr;  ///< ... and this is not
  std::span<const html::NodeId> chrome = {};  ///< ... nor is what these elements hold, in document order
  std::span<const html::NodeId> sure = {};    ///< these are, whatever the model says; in document order
  DeclaredContent declared = {};              ///< what the page says of its own content
  std::span<const float> scores = {};         ///< of the page's runs, instead of those that the model gives
};

/// Finds the content of pages. Keeps its working memory between pages; one thread at a time.
///
/// A model scores every run of text; then the whole tree is decided at once: every element is content or not,
/// and an element that differs from the one around it costs as much as going against a weak score. So content
/// is a few connected pieces of the tree, a short line among paragraphs stays, and a lone odd paragraph goes.
class ContentSelector {
 public:
  /// The outline is the page's, and must stay as long as the answers below are asked for.
  const ContentMap& select(const html::Document& document, const PageOutline& outline,
                           const SelectOptions& options);

  /// For a page that is content as it stands: all of it but what the selectors say.
  const ContentMap& keep_all(const html::Document& document, const SelectOptions& options);

  /// For a page whose generator is known: what is in these elements, but for `chrome` and what the selectors
  /// say.
  const ContentMap& keep_elements(const html::Document& document, std::span<const html::NodeId> content,
                                  const SelectOptions& options);

  // What the last page gave, for --explain.
  [[nodiscard]] const PageOutline& outline() const { return *outline_; }
  [[nodiscard]] float score(std::uint32_t run) const { return scores_[run]; }
  [[nodiscard]] bool region_kept(std::uint32_t region) const { return kept_[region] != 0; }
  [[nodiscard]] bool run_kept(std::uint32_t run) const {
    if (framed_[run] != 0) return false;
    return together_[run] != 0 ||
           keeps_run(kept_[outline_->runs()[run].region] != 0, scores_[run] + bias_, run_border_);
  }

 private:
  /// Whichever costs less, of which one is 0: the other is weighed against the border alone.
  static bool keeps_run(bool region_kept, float score, float border) {
    return (score > border) | (region_kept & (score >= -border));
  }
  void score_runs(const html::Document& document, const SelectOptions& options);
  // content_voices.cpp: what others say of the page
  void leave_out_voices(const DeclaredPage& page);
  void leave_out(std::uint32_t hint);

  float fitting_bias();
  void decide_regions(float bias);
  [[nodiscard]] std::uint32_t kept_chars() const;

  // content_together.cpp: what stands or falls together
  void keep_together();
  void keep_inside(std::uint32_t region);
  [[nodiscard]] bool holds_foreign(std::uint32_t region) const;
  void keep_quote(std::uint32_t region);
  void keep_notes(std::uint32_t region);
  void keep_column_names(std::uint32_t region);
  void keep_rows(std::uint32_t region);
  [[nodiscard]] float score_of(const Region& region) const;
  enum class Inside : std::uint8_t { items, lists };  // what the items of a list may hold: nothing, or lists
  void keep_items(std::uint32_t region, Inside allowed);
  void keep_list_below(std::uint32_t heading);
  void keep_heading(std::uint32_t heading);
  void keep_headline(html::NodeId headline);

  void leave_out_frame(const SiteProfile& site);
  void answer();
  void keep_sure(const html::Document& document, std::span<const html::NodeId> sure);
  void keep_way_to(const html::Document& document, html::NodeId node);
  // content_disclosure.cpp: buttons over what they show
  void keep_disclosures(const html::Document& document);
  [[nodiscard]] bool begins_kept(const html::Document& document, html::NodeId element) const;
  void apply_selectors(const html::Document& document, const SelectOptions& options);
  void set_inside(const html::Document& document, std::span<const html::NodeId> roots, bool kept);

  ContentMap map_;
  const PageOutline* outline_ = nullptr;
  ContentScorer scorer_;
  MarkedContent marked_;
  std::vector<float> scores_;           // of runs
  std::vector<float> likely_;           // of runs: how likely each is content
  float bias_ = 0;                      // added to them
  float run_border_ = 0;                // what a run of the other kind than its region costs
  std::vector<std::uint8_t> together_;  // runs: kept for the sake of others, whatever their score
  std::vector<std::uint8_t> framed_;    // runs: of the site's template, whatever their score
  struct Cost {
    float drop = 0;
    float keep = 0;
  };
  std::vector<Cost> costs_;               // of regions: the least cost of all inside, for either answer
  std::vector<std::uint8_t> kept_;        // regions
  std::vector<std::uint8_t> holds_kept_;  // regions: with something kept inside, or kept
  std::vector<std::uint8_t> answers_;     // of ContentMap, by PageOutline::places(), shifted to begin at 0
};

}  // namespace sheaf::extract
