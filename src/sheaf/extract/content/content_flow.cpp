#include "sheaf/extract/content/content_flow.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMinParagraph = 40;  // characters
constexpr std::uint32_t kMaxWeight = 300;    // characters of a paragraph that count
constexpr float kSurest = 4.0F;              // a higher score does not make a run surer

/// Whether a run is a paragraph of a text: a sentence or more, not mostly links.
bool is_paragraph(const TextRun& run) {
  return run.chars >= kMinParagraph && run.link_chars * 2 < run.chars &&
         (run.kind == RunKind::paragraph || run.kind == RunKind::other);
}

}  // namespace

/// The paragraphs of a text are directly in its element, or alone in an element there.
void ContentFlows::find(const PageOutline& outline, std::span<const float> scores) {
  outline_ = &outline;
  const auto regions = outline.regions();
  const auto runs = outline.runs();
  texts_.assign(regions.size(), {});
  text_of_.assign(runs.size(), 0);
  kinds_.assign(regions.size(), BoxKind::none);
  inner_runs_.assign(runs.size(), 0);
  inner_regions_.assign(regions.size(), 0);
  flows_.clear();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (!is_paragraph(runs[i])) continue;
    std::uint32_t region = runs[i].region;
    while (region != 0 && regions[region].runs_end - regions[region].first_run == 1)
      region = regions[region].parent;
    text_of_[i] = region;
    add(region, i);
  }
  std::uint32_t end = 0;  // of the last flow
  for (std::uint32_t i = 1; i < regions.size(); ++i) {
    if (texts_[i].paragraphs < 2 || i < end) continue;
    const Flow flow = best_part(i, scores);
    if (flow.paragraphs < 2) continue;
    flows_.push_back(flow);
    take_what_follows(flows_.back(), scores);
    keep_apart(flows_.back());
    end = regions[i].end;
  }
}

/// The paragraphs of a text that are content: those in a row with the largest sum of scores. A single odd
/// score changes neither end.
Flow ContentFlows::best_part(std::uint32_t region, std::span<const float> scores) const {
  const auto runs = outline_->runs();
  Flow best;
  Flow part;
  for (std::uint32_t i = texts_[region].first; i < texts_[region].end; ++i) {
    if (text_of_[i] != region) continue;
    const double worth =
        double{std::clamp(scores[i], -kSurest, kSurest)} * std::min(runs[i].chars, kMaxWeight);
    if (part.score <= 0) part = {.region = region, .first = i};
    ++part.paragraphs;
    part.end = i + 1;
    part.score += worth;
    if (part.score > best.score) best = part;
  }
  return best;
}

void ContentFlows::add(std::uint32_t region, std::uint32_t run) {
  Flow& text = texts_[region];
  if (text.paragraphs == 0) text.first = run;
  text.end = run + 1;
  ++text.paragraphs;
}

/// A table, a list of terms, code or a quotation right after the last paragraph is part of the text if its
/// scores are clearly those of content.
void ContentFlows::take_what_follows(Flow& flow, std::span<const float> scores) const {
  constexpr float kClearly = 1.5F;
  const auto regions = outline_->regions();
  const auto runs = outline_->runs();
  flow.last = flow.end - 1;
  while (flow.end < regions[flow.region].runs_end) {
    std::uint32_t part = runs[flow.end].region;
    while (part != flow.region && regions[part].parent != flow.region) part = regions[part].parent;
    if (part == flow.region || !is_of_text(regions[part].name)) return;
    float sum = 0;
    for (std::uint32_t i = regions[part].first_run; i < regions[part].runs_end; ++i) sum += scores[i];
    if (sum < kClearly * static_cast<float>(regions[part].runs_end - regions[part].first_run)) return;
    flow.end = regions[part].runs_end;
  }
}

/// Finds what is inside a flow: all between the paragraphs at its ends.
void ContentFlows::keep_apart(Flow& flow) {
  flow.inner_first = flow.first + 1;
  flow.inner_end = flow.last;
  for (std::uint32_t i = flow.inner_first; i < flow.inner_end; ++i) inner_runs_[i] = 1;
  const auto regions = outline_->regions();
  for (std::uint32_t i = flow.region + 1; i < regions[flow.region].end; ++i)
    if (regions[i].first_run >= flow.inner_first && regions[i].runs_end <= flow.inner_end)
      inner_regions_[i] = 1;
}

void ContentFlows::decide(const BoxJudge& boxes, const std::function<bool(std::uint32_t run)>& excluded,
                          Answers answers) {
  const auto regions = outline_->regions();
  const auto runs = outline_->runs();
  for (const Flow& flow : flows_) {
    const std::uint32_t first = flow.first;
    const std::uint32_t end = flow.end;
    std::uint32_t box_end = 0;  // of the last box
    for (std::uint32_t i = flow.region + 1; i < regions[flow.region].end; ++i) {
      const Region& region = regions[i];
      if (region.first_run < first || region.runs_end > end) continue;
      if (region.first_run == region.runs_end && (region.first_run == first || region.first_run == end))
        continue;  // an image before the first paragraph or after the last
      if (i >= box_end) {
        kinds_[i] = boxes.judge(i);
        if (kinds_[i] != BoxKind::none) box_end = region.end;
      }
      answers.regions[i] = i < box_end ? 0 : 1;
    }
    answers.regions[flow.region] = 1;
    // A heading goes with what it announces: "Related" above a list of links.
    bool keeps = true;
    bool drops = false;
    for (std::uint32_t i = end; i-- > first;) {
      answers.runs[i] = answers.regions[runs[i].region] != 0 && !excluded(i) ? 1 : 0;
      if (runs[i].kind == RunKind::heading) {
        if (!keeps && drops) answers.runs[i] = 0;
        keeps = drops = false;
      } else {
        keeps |= answers.runs[i] != 0;
        drops |= answers.runs[i] == 0;
      }
    }
  }
}

}  // namespace sheaf::extract
