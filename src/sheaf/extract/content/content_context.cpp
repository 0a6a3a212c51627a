#include "sheaf/extract/content/content_context.h"

#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <bit>

namespace sheaf::extract {
namespace {

constexpr float kBound = 4.0F;          // maximum absolute score; a higher one does not make a run surer
constexpr std::uint32_t kFarAway = 50;  // maximum distance in runs

float bounded(float score) { return std::clamp(score, -kBound, kBound); }

}  // namespace

void ContentContext::build(const PageOutline& outline, const PageRecords& records,
                           std::span<const float> scores) {
  outline_ = &outline;
  records_ = &records;
  scores_ = scores;
  sum_runs();
  sum_styles();
  sum_groups();
  find_distances();
}

void ContentContext::sum_runs() {
  const auto runs = outline_->runs();
  scores_before_.resize(runs.size() + 1);
  kept_before_.resize(runs.size() + 1);
  double score = 0;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    scores_before_[i] = score;
    kept_before_[i] = kept;
    score += static_cast<double>(bounded(scores_[i])) * runs[i].chars;
    kept += scores_[i] > 0 ? runs[i].chars : 0;
  }
  scores_before_[runs.size()] = score;
  kept_before_[runs.size()] = kept;
}

ContentContext::Sum ContentContext::sum(std::uint32_t first_run, std::uint32_t runs_end) const {
  return {.weight = static_cast<double>(outline_->between(first_run, runs_end).chars),
          .score = scores_before_[runs_end] - scores_before_[first_run]};
}

void ContentContext::add_to(Table& table, std::uint32_t region, std::uint64_t key, std::uint32_t first_run,
                            std::uint32_t runs_end) {
  const std::size_t slot = text::find_slot(key, table.slots.size(), [&](std::size_t at) {
    return table.slots[at].weight == 0 || table.slots[at].key == key;
  });
  Sum& sum_of_style = table.slots[slot];
  const Sum added = sum(first_run, runs_end);
  sum_of_style.key = key;
  sum_of_style.weight += added.weight;
  sum_of_style.score += added.score;
  table.of_regions[region] = static_cast<std::uint32_t>(slot);
}

/// Adjacent runs of one region are added in one step.
void ContentContext::sum_styles() {
  const auto runs = outline_->runs();
  const auto regions = outline_->regions();
  const std::size_t slots = std::bit_ceil(runs.size() * 2 + 1);
  for (Table* table : {&styles_, &path_styles_}) {
    table->slots.assign(slots, {});
    table->of_regions.assign(regions.size(), 0);
  }
  for (std::uint32_t i = 0; i < runs.size();) {
    const std::uint32_t index = runs[i].region;
    std::uint32_t end = i + 1;
    while (end < runs.size() && runs[end].region == index) ++end;
    const Region& region = regions[index];
    add_to(styles_, index, region.signature, i, end);
    add_to(path_styles_, index, text::mix_hash(region.signature, regions[region.parent].signature), i, end);
    i = end;
  }
}

void ContentContext::sum_groups() {
  const auto regions = outline_->regions();
  groups_.assign(records_->groups(), {});
  for (std::uint32_t i = 1; i < regions.size(); ++i) {
    if (records_->inner(i) != i) continue;
    const Sum added = sum(regions[i].first_run, regions[i].runs_end);
    Sum& group = groups_[records_->group_index(i)];
    group.weight += added.weight;
    group.score += added.score;
  }
}

void ContentContext::find_distances() {
  const auto runs = outline_->runs();
  const auto count = static_cast<std::uint32_t>(runs.size());
  previous_kept_.resize(count);
  next_kept_.resize(count);
  section_begin_.resize(count);
  section_end_.resize(count);
  std::uint32_t distance = kFarAway;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    previous_kept_[i] = distance;
    distance = scores_[i] > 0 ? 1 : std::min(distance + 1, kFarAway);
    if (runs[i].kind == RunKind::heading) begin = i;
    section_begin_[i] = begin;
  }
  distance = kFarAway;
  std::uint32_t end = count;
  for (std::uint32_t i = count; i-- > 0;) {
    next_kept_[i] = distance;
    distance = scores_[i] > 0 ? 1 : std::min(distance + 1, kFarAway);
    section_end_[i] = end;
    if (runs[i].kind == RunKind::heading) end = i;
  }
}

float ContentContext::score_at(std::uint32_t run, int offset) const {
  const std::int64_t at = std::int64_t{run} + offset;
  return at < 0 || at >= std::ssize(scores_) ? -kBound : bounded(scores_[static_cast<std::size_t>(at)]);
}

void ContentContext::fill(std::uint32_t run, Features& features) const {
  const auto regions = outline_->regions();
  const auto count = static_cast<std::uint32_t>(scores_.size());
  const std::uint32_t own = outline_->runs()[run].region;
  const Region& parent = regions[regions[own].parent];
  const Region& grand = regions[parent.parent];
  const Region& outer = regions[grand.parent];
  const std::uint32_t inner_record = records_->inner(own);
  const std::uint32_t outer_record = records_->outer(own);
  const float chars = static_cast<float>(std::max(outline_->between(0, count).chars, 1U));
  const float kept = static_cast<float>(std::max(kept_before_[count], 1U));
  const float values[] = {
      scores_[run],
      score_at(run, -1),
      score_at(run, -2),
      score_at(run, 1),
      score_at(run, 2),
      sum(run > 4 ? run - 4 : 0, std::min(run + 5, count)).mean(),
      mean(regions[own]),
      mean(parent),
      mean(grand),
      mean(outer),
      mean(regions[outer.parent]),
      styles_.slots[styles_.of_regions[own]].mean(),
      path_styles_.slots[path_styles_.of_regions[own]].mean(),
      inner_record == PageRecords::kNone ? 0 : mean(regions[inner_record]),
      inner_record == PageRecords::kNone ? 0 : groups_[records_->group_index(inner_record)].mean(),
      outer_record == PageRecords::kNone ? 0 : mean(regions[outer_record]),
      outer_record == PageRecords::kNone ? 0 : groups_[records_->group_index(outer_record)].mean(),
      static_cast<float>(kept_before_[count]) / chars,
      static_cast<float>(kept_before_[count]),
      static_cast<float>(kept_before_[run]) / kept,
      static_cast<float>(previous_kept_[run]),
      static_cast<float>(next_kept_[run]),
      sum(section_begin_[run], run + 1).mean(),
      sum(run, section_end_[run]).mean(),
      score_at(section_begin_[run], 0),
  };
  static_assert(std::size(values) == kContextFeatures);
  std::ranges::copy(values, features.begin() + kFirstOfContext);
}

}  // namespace sheaf::extract
