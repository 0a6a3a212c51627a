#include "sheaf/extract/content/content_select.h"

#include "sheaf/extract/content/content_asides.h"
#include "sheaf/extract/content/content_model.h"
#include "sheaf/extract/content/content_pager.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/selector.h"

#include <algorithm>
#include <cmath>

namespace sheaf::extract {
namespace {

// In units of the model's score (logarithm of odds). A region whose answer differs from its parent's costs
// `region`, and a run whose answer differs from its region's costs `run`. No single run counts for more than
// kMax.
struct Borders {
  float region;
  float run;
};
constexpr Borders kArticleBorders = {0.1F, 0.1F};
constexpr Borders kManualBorders = {0.6F, 0.6F};  // the content of manuals is usually one connected piece
constexpr float kMax = 4.0F;
constexpr float kOfFlow = 2.0F;          // at least the score of a paragraph of a flow
constexpr std::uint32_t kMinShare = 20;  // at least one in kMinShare characters of a page is content

struct RunCost {
  float drop;
  float keep;
};

RunCost run_cost(float score) {
  const float bounded = std::clamp(score, -kMax, kMax);
  return {std::max(bounded, 0.0F), std::max(-bounded, 0.0F)};
}

/// Whether a run is only a URL that is neither a link nor in a paragraph: that is data for a script, hidden
/// by a style sheet.
bool is_bare_address(const TextRun& run) {
  return run.words == 1 && run.links == 0 && run.kind == RunKind::other &&
         (run.text.starts_with("https://") || run.text.starts_with("http://"));
}

/// If the nodes inside `root` are exactly those with ids in [root, end), returns `end`, else 0. They are
/// unless the page is malformed. Also returns 0 for a small subtree: otherwise one branch-free pass over all
/// ids costs less than walking the tree.
std::size_t end_of_range(const html::Document& document, html::NodeId root) {
  const html::NodeId after = html::next_after(document, root, document.root());
  const std::size_t end = after == html::kNoNode ? document.size() : after;
  if (end <= root || (end - root) * 4 < document.size()) return 0;
  const auto is_inside = [&](html::NodeId node) { return node - root < end - root; };
  // Every node but `root` is inside if and only if its parent is.
  std::size_t different = 0;
  for (html::NodeId node = html::kDocumentNode; node < document.size(); ++node)
    different += is_inside(node) != is_inside(document.parent(node)) ? 1 : 0;
  return different == 1 ? end : 0;
}

const Borders& borders(const PageOutline& outline) {
  return outline.is_manual() ? kManualBorders : kArticleBorders;
}

}  // namespace

const ContentMap& ContentSelector::select(const html::Document& document, const PageOutline& outline,
                                          const SelectOptions& options) {
  find_flows(document, outline, options);
  judge_rest(document, options);
  take_answers();
  boxes_.build(document, outline);
  flows_.decide(boxes_, [this](std::uint32_t run) { return first_scores_[run] <= kCertainlyNotContent; },
                {runs_kept_, regions_kept_});
  if (options.site != nullptr && options.site->is_exact()) leave_out_frame(*options.site);
  answer();
  keep_disclosures(document);
  if (!options.sure.empty()) keep_sure(document, options.sure);
  apply_selectors(document, options);
  return map_;
}

void ContentSelector::find_flows(const html::Document& document, const PageOutline& outline,
                                 const SelectOptions& options) {
  outline_ = whole_ = &outline;
  score_runs(options.declared, options.scores);
  flows_.clear();
  exclude_runs(document, options);
  first_scores_ = scores_;
  flows_.find(outline, scores_);
}

const PageOutline& ContentSelector::rest(const html::Document& document, const PageOutline& outline,
                                         const SelectOptions& options) {
  find_flows(document, outline, options);
  rest_.reduce(outline, flows_.inner_runs(), flows_.inner_regions());
  return rest_;
}

/// Judges the page as if there were nothing inside its flows. Every page has some content: if hardly anything
/// is kept, less certain runs are kept as well, step by step, and finally all runs.
void ContentSelector::judge_rest(const html::Document& document, const SelectOptions& options) {
  if (!flows_.flows().empty()) {
    score_rest(document, options);
    decide_regions(fitting_bias());
  } else {
    const float bias = fitting_bias();
    for (const float more : {0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 2 * kMax}) {
      decide_regions(bias + more);
      if (std::uint64_t{kept_chars()} * kMinShare >=
          outline_->between(marked_.first_run(), marked_.runs_end()).chars)
        break;
    }
  }
  keep_together();
  if (options.declared.headline != html::kNoNode) keep_headline(options.declared.headline);
}

/// Scores the rest. What is excluded is excluded for reasons that take the whole page.
void ContentSelector::score_rest(const html::Document& document, const SelectOptions& options) {
  rest_.reduce(*whole_, flows_.inner_runs(), flows_.inner_regions());
  outline_ = &rest_;
  score_runs(options.declared, options.rest_scores);
  std::vector<float> of_rest = std::move(scores_);
  scores_ = first_scores_;
  for (std::uint32_t i = 0; i < scores_.size(); ++i)
    if (const std::uint32_t run = rest_.reduced_run(i); run != PageOutline::kNoRun) scores_[i] = of_rest[run];
  outline_ = whole_;
  exclude_runs(document, options);
  for (std::uint32_t i = 0; i < scores_.size(); ++i)
    if (const std::uint32_t run = rest_.reduced_run(i); run != PageOutline::kNoRun) of_rest[run] = scores_[i];
  outline_ = &rest_;
  scores_ = std::move(of_rest);
  for (const Flow& flow : flows_.flows())
    for (const std::uint32_t run : {rest_.reduced_run(flow.first), rest_.reduced_run(flow.last)})
      scores_[run] = std::max(scores_[run], kOfFlow);
}

/// Takes the decisions for the part of the page that was judged.
void ContentSelector::take_answers() {
  const bool is_whole = outline_ == whole_;
  runs_kept_.assign(whole_->runs().size(), 0);
  regions_kept_.assign(whole_->regions().size(), 0);
  for (std::uint32_t i = 0; i < runs_kept_.size(); ++i) {
    const std::uint32_t run = is_whole ? i : rest_.reduced_run(i);
    if (run != PageOutline::kNoRun) runs_kept_[i] = scores_keep(run) ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < regions_kept_.size(); ++i) {
    const std::uint32_t region = is_whole ? i : rest_.reduced_region(i);
    if (region != PageOutline::kNoRegion) regions_kept_[i] = kept_[region];
  }
}

void ContentSelector::keep_sure(const html::Document& document, std::span<const html::NodeId> sure) {
  set_inside(document, sure, true);
  for (const html::NodeId node : sure) clear_skip_marks_above(document, node);
}

/// Makes sure that a walk for content does not skip the elements around `node`.
void ContentSelector::clear_skip_marks_above(const html::Document& document, html::NodeId node) {
  for (const html::NodeId above : html::Ancestors(document, node)) {
    if (!map_.is_dropped_whole(above)) break;
    map_.set(above, false);
  }
}

const ContentMap& ContentSelector::keep_all(const html::Document& document, const SelectOptions& options) {
  map_.reset(document.size(), true);
  apply_selectors(document, options);
  return map_;
}

const ContentMap& ContentSelector::keep_elements(const html::Document& document,
                                                 std::span<const html::NodeId> content,
                                                 const SelectOptions& options) {
  // The names of tab panels are in a list of tabs somewhere else, so a walk must not skip the rest of the
  // page.
  const bool has_panels = std::ranges::any_of(
      content, [&](html::NodeId node) { return document.attribute(node, html::Name::role) == "tabpanel"; });
  map_.reset(document.size(), has_panels ? ContentMap::kDropped : ContentMap::kDroppedWhole);
  keep_sure(document, content);
  apply_selectors(document, options);
  return map_;
}

std::uint32_t ContentSelector::kept_chars() const {
  std::uint32_t chars = 0;
  for (std::uint32_t i = 0; i < scores_.size(); ++i)
    if (scores_keep(i)) chars += outline_->runs()[i].chars;
  return chars;
}

/// Scores the runs of outline_ by the model, or takes the given scores.
void ContentSelector::score_runs(const DeclaredContent& declared, std::span<const float> given) {
  if (given.size() == outline_->runs().size()) {
    scores_.assign(given.begin(), given.end());
  } else {
    scorer_.score(*outline_, declared.text, declared.page, kContentModels, scores_);
  }
  together_.assign(outline_->runs().size(), 0);
}

/// Changes the scores of the whole page by what is known for certain.
void ContentSelector::exclude_runs(const html::Document& document, const SelectOptions& options) {
  const auto runs = outline_->runs();
  const bool has_frame = options.site != nullptr && !options.site->is_exact();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const bool is_tooltip = (outline_->regions()[runs[i].region].all_hints & kHintTooltip) != 0;
    if (is_tooltip || is_bare_address(runs[i]) ||
        (has_frame && runs[i].kind != RunKind::cell && options.site->is_frame(runs[i])))
      scores_[i] = kCertainlyNotContent;
  }
  marked_.find(document, *outline_);
  marked_.move_scores(*outline_, scores_, !flows_.flows().empty());
  exclude_comments_and_reviews(options.declared.page);
  const bool has_asides = !outline_->is_manual();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (scores_[i] <= kCertainlyNotContent) continue;
    const bool may_be_kept = has_asides && scores_[i] > -kMax;
    if (is_pager_link(document, runs[i]) || (may_be_kept && is_aside(runs[i])))
      scores_[i] = kCertainlyNotContent;
  }
}

/// The bias that is added to the scores of a page to maximise the expected F1 of the kept text. The best
/// choice keeps every run whose probability of being content is above half of the expected F1. So on a page
/// without certain runs, less certain ones are kept.
float ContentSelector::fitting_bias() {
  constexpr float kSharpness = 1.3F;  // the model underestimates how certain its scores are
  constexpr float kCaution = 1.2F;    // raises the bound
  constexpr float kMinBound = 0.3F;
  constexpr float kMaxBound = 0.55F;
  constexpr int kRounds = 6;
  constexpr float kStep = 0.25F;
  const auto runs = outline_->runs();
  float in_flows = 0;
  for (const Flow& flow : flows_.flows())
    in_flows += static_cast<float>(
        whole_->between(flow.inner_first, std::max(flow.inner_first, flow.inner_end)).chars);
  const auto size = [&](std::size_t i) { return static_cast<float>(runs[i].chars); };
  likely_.resize(runs.size());
  float all = in_flows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    likely_[i] = 1 / (1 + std::exp(-kSharpness * scores_[i]));
    all += likely_[i] * size(i);
  }
  float bound = kMaxBound;
  for (int round = 0; round < kRounds; ++round) {
    float right = in_flows;
    float taken = in_flows;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const float counted = likely_[i] > bound ? size(i) : 0;
      right += likely_[i] * counted;
      taken += counted;
    }
    bound = std::clamp(kCaution * right / std::max(taken + all, 1.0F), kMinBound, kMaxBound);
  }
  // In steps, so that small changes of a page have no influence.
  return std::round(std::log((1 - bound) / bound) / kSharpness / kStep) * kStep;
}

/// Finds the answers for all regions with the least total cost (dynamic programming over the tree). Costs are
/// summed from the inside out, which is from the last region to the first because a region precedes those
/// inside it. Then the answers are chosen from the outside in.
void ContentSelector::decide_regions(float bias) {
  bias_ = bias;
  const auto regions = outline_->regions();
  const auto runs = outline_->runs();
  const Borders border = borders(*outline_);
  run_border_ = border.run;
  costs_.assign(regions.size(), {});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunCost cost = run_cost(scores_[i] + bias);
    costs_[runs[i].region].drop += std::min(cost.drop, cost.keep + border.run);
    costs_[runs[i].region].keep += std::min(cost.keep, cost.drop + border.run);
  }
  for (std::size_t i = regions.size(); i-- > 1;) {
    const Cost inside = costs_[i];
    costs_[regions[i].parent].drop += std::min(inside.drop, inside.keep + border.region);
    costs_[regions[i].parent].keep += std::min(inside.keep, inside.drop + border.region);
  }
  kept_.assign(regions.size(), 0);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Cost cost = costs_[i];
    const bool around = i > 0 && kept_[regions[i].parent] != 0;
    kept_[i] = around ? cost.keep <= cost.drop + border.region : cost.keep + border.region < cost.drop;
  }
}

/// Leaves out the texts of the site's template and nothing else: all other texts are kept or dropped as they
/// would be without a template. If no other text is kept, the template's texts stay.
void ContentSelector::leave_out_frame(const SiteProfile& site) {
  const auto runs = whole_->runs();
  const auto regions = whole_->regions();
  std::vector<std::uint8_t> framed(runs.size(), 0);
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (!run_kept(i)) continue;
    framed[i] = site.is_frame(runs[i]) ? 1 : 0;
    others += framed[i] == 0 ? 1 : 0;
  }
  if (others == 0) return;
  // An element whose kept texts were all left out is dropped, and its images with it.
  struct Counts {
    std::uint32_t kept = 0;
    std::uint32_t framed = 0;
  };
  std::vector<Counts> before(runs.size() + 1);
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (framed[i] != 0) runs_kept_[i] = 0;
    before[i + 1] = {before[i].kept + (run_kept(i) ? 1 : 0), before[i].framed + framed[i]};
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Counts& first = before[regions[i].first_run];
    const Counts& end = before[regions[i].runs_end];
    if (end.kept == first.kept && end.framed > first.framed) regions_kept_[i] = 0;
  }
}

/// Writes the decisions to the map.
void ContentSelector::answer() {
  const auto regions = whole_->regions();
  const auto runs = whole_->runs();
  answers_.resize(regions.size() + 1 + runs.size());
  std::uint8_t* const nowhere = answers_.data() + regions.size();  // the answers of runs follow, in order
  *nowhere = ContentMap::kDropped;
  holds_kept_ = regions_kept_;
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    nowhere[i + 1] = runs_kept_[i] != 0 ? ContentMap::kKept : ContentMap::kDropped;
    holds_kept_[runs[i].region] |= runs_kept_[i];
  }
  // The answers of regions precede `nowhere`, in reverse order.
  for (std::size_t i = regions.size(); i-- > 0;) {
    holds_kept_[regions[i].parent] |= holds_kept_[i];
    nowhere[-1 - static_cast<std::ptrdiff_t>(i)] =
        holds_kept_[i] == 0 ? std::uint8_t{ContentMap::kDroppedWhole} : regions_kept_[i];
  }
  map_.set_by_place(*whole_, nowhere);
}

/// Applies the user's selectors and the generator's chrome, which override all other decisions.
void ContentSelector::apply_selectors(const html::Document& document, const SelectOptions& options) {
  if (options.content != nullptr) {
    const auto found = options.content->all(document, document.root());
    if (!found.empty()) map_.reset(document.size(), false);
    set_inside(document, found, true);
  }
  if (!options.chrome.empty()) set_inside(document, options.chrome, false);
  if (options.leave_out != nullptr)
    set_inside(document, options.leave_out->all(document, document.root()), false);
  if (!options.hidden.empty()) set_inside(document, options.hidden, false);
}

/// Sets everything inside `roots`, which are in document order and may be nested. Visits each node inside
/// them once, and no other nodes.
void ContentSelector::set_inside(const html::Document& document, std::span<const html::NodeId> roots,
                                 bool kept) {
  if (const std::size_t end = roots.size() == 1 ? end_of_range(document, roots[0]) : 0; end != 0) {
    for (std::size_t node = roots[0]; node < end; ++node) map_.set(static_cast<html::NodeId>(node), kept);
    return;
  }
  for (std::size_t next_root = 0; next_root < roots.size();) {
    const html::NodeId root = roots[next_root];
    for (html::NodeId node = root; node != html::kNoNode; node = html::next_in_order(document, node, root)) {
      if (next_root < roots.size() && node == roots[next_root]) ++next_root;
      map_.set(node, kept);
    }
  }
}

}  // namespace sheaf::extract
