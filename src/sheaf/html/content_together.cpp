// What stands or falls together. A score is about one run of text, and the cheapest answers for all of them
// may still tear apart what a writer wrote as one thing: a heading and what is below it, the items of a list.
#include "sheaf/html/content_select.h"
#include "sheaf/html/hint_words.h"

namespace sheaf::html {
namespace {

constexpr std::uint32_t kForeign = kHintComment | kHintShare | kHintRelated | kHintNavigation | kHintFooter |
                                   kHintSidebar | kHintAdvert | kHintNotice | kHintTags | kHintForm |
                                   kHintAbout | kHintHidden | kHintTooltip;

/// Words of headings over what is no part of the text.
constexpr std::uint32_t kForeignWords =
    kHintComment | kHintShare | kHintRelated | kHintAdvert | kHintNotice | kHintTags;

bool is_foreign(Name name) {
  return name == Name::nav || name == Name::aside || name == Name::form || name == Name::footer;
}

}  // namespace

void ContentSelector::keep_together() {
  for (const Region& region : outline_.regions()) {
    if (region.first_run == region.runs_end) continue;
    if (region.name == Name::blockquote) keep_quote(region);
    if (region.name == Name::ul || region.name == Name::ol) keep_items(region);
  }
  const auto runs = outline_.runs();
  for (std::uint32_t i = 0; i < runs.size(); ++i)
    if (runs[i].kind == RunKind::heading && run_kept(i)) keep_list_below(i);
  for (std::uint32_t i = 0; i < runs.size(); ++i)
    if (runs[i].kind == RunKind::heading && !run_kept(i)) keep_heading(i);
}

void ContentSelector::keep_between(std::uint32_t first_run, std::uint32_t runs_end) {
  for (std::uint32_t i = first_run; i < runs_end; ++i) together_[i] = 1;
}

void ContentSelector::keep_inside(const Region& region) {
  const auto index = static_cast<std::size_t>(&region - outline_.regions().data());
  for (std::size_t i = index; i < region.end; ++i) kept_[i] = 1;
  keep_between(region.first_run, region.runs_end);
}

/// Whether nothing around a run, up to a region that holds it, calls it something else than content.
bool ContentSelector::may_keep(const TextRun& run, const Region& within) const {
  const auto regions = outline_.regions();
  for (const Region* region = &regions[run.region]; region != &within; region = &regions[region->parent]) {
    const bool names_source =
        region->name == Name::footer && regions[region->parent].name == Name::blockquote;
    if ((region->hints & kForeign) != 0 || (is_foreign(region->name) && !names_source)) return false;
    if (region == &regions[0]) return false;
  }
  return true;
}

/// A quotation right after a text that is content, or between two, is a part of it.
void ContentSelector::keep_quote(const Region& quote) {
  const Region& around = outline_.regions()[quote.parent];
  if (kept_[quote.parent] == 0 || quote.first_run == around.first_run || !run_kept(quote.first_run - 1))
    return;
  for (std::uint32_t i = quote.first_run; i < quote.runs_end; ++i)
    if (!may_keep(outline_.runs()[i], around)) return;
  keep_inside(quote);
}

/// A list that is content by the scores of its items is so with all of them, as far as these are simple ones.
void ContentSelector::keep_items(const Region& list) {
  const auto index = static_cast<std::size_t>(&list - outline_.regions().data());
  if (kept_[index] == 0) return;
  float sum = 0;
  for (std::uint32_t i = list.first_run; i < list.runs_end; ++i) {
    const TextRun& run = outline_.runs()[i];
    const Region& item = outline_.regions()[run.region];
    if (item.name != Name::li || item.parent != index || !may_keep(run, list)) return;
    sum += scores_[i] + bias_;
  }
  if (sum > 0) keep_inside(list);
}

/// A list right below a heading that is content by its own score: what that announces.
void ContentSelector::keep_list_below(std::uint32_t heading) {
  const auto runs = outline_.runs();
  const auto regions = outline_.regions();
  const std::uint32_t place = runs[heading].region;
  const std::uint32_t parent = regions[place].parent;
  if (runs[heading].heading_level < 2 || scores_[heading] + bias_ <= 0 || kept_[parent] == 0) return;
  const std::uint32_t below = regions[place].end;
  if (below >= regions.size() || regions[below].parent != parent) return;
  const Region& list = regions[below];
  if (list.name != Name::ul && list.name != Name::ol && list.name != Name::dl) return;
  // Some of it was taken, and the rest was not, or something else stands between.
  if (list.first_run != heading + 1) return;
  for (std::uint32_t i = list.first_run; i < list.runs_end; ++i)
    if (run_kept(i) || !may_keep(runs[i], regions[parent])) return;
  keep_inside(list);
}

/// A heading belongs to the text below it, unless it leads elsewhere.
void ContentSelector::keep_heading(std::uint32_t heading) {
  const auto runs = outline_.runs();
  const TextRun& run = runs[heading];
  const std::uint32_t parent = outline_.regions()[run.region].parent;
  const Region& around = outline_.regions()[parent];
  const std::uint32_t next = heading + 1;
  if (kept_[parent] == 0 || next >= around.runs_end || runs[next].kind == RunKind::heading) return;
  if (!run_kept(next) || !may_keep(run, around) || run.link_chars * 2 > run.chars) return;
  if ((outline_.words(run).hints & kForeignWords) != 0) return;
  kept_[run.region] = 1;
  together_[heading] = 1;
}

}  // namespace sheaf::html
