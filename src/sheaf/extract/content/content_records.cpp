#include "sheaf/extract/content/content_records.h"

#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMinRecords = 3;
constexpr std::uint32_t kMinRuns = 2;          // of a record; with fewer it is a list item or a paragraph
constexpr std::uint32_t kMaxPriceLength = 80;  // characters of a text with a price

}  // namespace

bool names_price(const TextRun& run) {
  if (run.digits == 0 || run.chars > kMaxPriceLength) return false;
  constexpr std::string_view kSigns[] = {"$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5",
                                         "\xE2\x82\xB9"};  // dollar, euro, pound, yen, rupee
  return std::ranges::any_of(
      kSigns, [&run](std::string_view sign) { return run.text.find(sign) != std::string_view::npos; });
}

void PageRecords::build(const PageOutline& outline) {
  outline_ = &outline;
  count_runs();
  count_regions();
  group_records();
  find_copies();
}

PageRecords::Counts PageRecords::counts(std::uint32_t first_run, std::uint32_t runs_end) const {
  const Counts& a = before_[first_run];
  const Counts& b = before_[runs_end];
  return {b.headings - a.headings, b.linked_headings - a.linked_headings, b.times - a.times,
          b.prices - a.prices};
}

void PageRecords::count_runs() {
  const auto runs = outline_->runs();
  before_.resize(runs.size() + 1);
  Counts sum;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    before_[i] = sum;
    const TextRun& run = runs[i];
    const bool heads = run.heading_level > 0;
    sum.headings += heads ? 1 : 0;
    sum.linked_headings += heads && run.link_chars * 2 > run.chars ? 1 : 0;
    sum.times += run.has_time ? 1 : 0;
    sum.prices += names_price(run) ? 1 : 0;
  }
  before_[runs.size()] = sum;
}

void PageRecords::count_regions() {
  const auto regions = outline_->regions();
  images_before_.resize(regions.size() + 1);
  controls_before_.resize(regions.size() + 1);
  std::uint32_t images = 0;
  std::uint32_t controls = 0;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    images_before_[i] = images;
    controls_before_[i] = controls;
    images += regions[i].images;
    controls += regions[i].controls;
  }
  images_before_[regions.size()] = images;
  controls_before_[regions.size()] = controls;
}

void PageRecords::group_records() {
  const auto regions = outline_->regions();
  inner_.assign(regions.size(), kNone);
  outer_.assign(regions.size(), kNone);
  group_of_.assign(regions.size(), 0);
  groups_.assign(1, {});
  largest_ = 0;
  for (std::uint32_t i = 1; i < regions.size(); ++i) {
    const Region& region = regions[i];
    inner_[i] = inner_[region.parent];
    outer_[i] = outer_[region.parent];
    if (region.similar_siblings < kMinRecords || region.runs_end - region.first_run < kMinRuns) continue;
    inner_[i] = i;
    if (outer_[i] == kNone) outer_[i] = i;
    std::uint32_t& at = group_of_[region.first_similar_sibling];
    if (at == 0) {
      at = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    Group& group = groups_[at];
    const TextSums sums = outline_->sums(region);
    const Counts inside = counts(region.first_run, region.runs_end);
    if (group.records == 0) group.first_run = region.first_run;
    group.runs_end = region.runs_end;
    ++group.records;
    group.runs += region.runs_end - region.first_run;
    group.images += images(region, i);
    group.text.chars += sums.chars;
    group.text.link_chars += sums.link_chars;
    group.text.prose_chars += sums.prose_chars;
    group.counts.headings += inside.headings;
    group.counts.linked_headings += inside.linked_headings;
    group.counts.times += inside.times;
    group.counts.prices += inside.prices;
    if (group.records >= kMinRecords && (largest_ == 0 || group.text.chars > groups_[largest_].text.chars))
      largest_ = at;
  }
}

void PageRecords::find_copies() {
  const auto runs = outline_->runs();
  const std::size_t slots = std::bit_ceil(runs.size() * 2 + 1);
  slots_.assign(slots, 0);
  hashes_.resize(runs.size());
  first_copy_.resize(runs.size());
  copies_.assign(runs.size(), 0);
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    hashes_[i] = runs[i].hash();
    const std::size_t slot = text::find_slot(hashes_[i], slots, [&](std::size_t at) {
      return slots_[at] == 0 || hashes_[slots_[at] - 1] == hashes_[i];
    });
    if (slots_[slot] == 0) slots_[slot] = i + 1;
    const std::uint32_t first = slots_[slot] - 1;
    first_copy_[i] = hashes_[first] == hashes_[i] ? first : i;
    ++copies_[first_copy_[i]];
  }
}

}  // namespace sheaf::extract
