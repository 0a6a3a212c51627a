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

}  // namespace

void ContentSelector::keep_together() {
  const auto regions = outline_.regions();
  std::uint32_t quote_end = 0;  // quotations in quotations go with the outermost
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    if (region.first_run == region.runs_end) continue;
    if (region.name == Name::ul || region.name == Name::ol) keep_items(i);
    if (region.name != Name::blockquote || i < quote_end) continue;
    keep_quote(i);
    quote_end = region.end;
  }
  const auto runs = outline_.runs();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (runs[i].kind != RunKind::heading) continue;
    if (run_kept(i)) {
      keep_list_below(i);
    } else {
      keep_heading(i);
    }
  }
}

void ContentSelector::keep_inside(std::uint32_t region) {
  const Region& all = outline_.regions()[region];
  for (std::uint32_t i = region; i < all.end; ++i) kept_[i] = 1;
  for (std::uint32_t i = all.first_run; i < all.runs_end; ++i) together_[i] = 1;
}

/// Whether its element, class or id calls a region something else than content.
bool ContentSelector::is_foreign(std::uint32_t region) const {
  const Region& asked = outline_.regions()[region];
  if ((asked.hints & kForeign) != 0) return true;
  if (asked.name == Name::footer) return outline_.regions()[asked.parent].name != Name::blockquote;
  return asked.name == Name::nav || asked.name == Name::aside || asked.name == Name::form;
}

/// Whether a region or one inside it is foreign.
bool ContentSelector::holds_foreign(std::uint32_t region) const {
  const std::uint32_t end = outline_.regions()[region].end;
  for (std::uint32_t i = region; i < end; ++i)
    if (is_foreign(i)) return true;
  return false;
}

/// A quotation after a text that is content is a part of it.
void ContentSelector::keep_quote(std::uint32_t region) {
  const Region& quote = outline_.regions()[region];
  const Region& around = outline_.regions()[quote.parent];
  if (kept_[quote.parent] == 0 || quote.first_run == around.first_run || !run_kept(quote.first_run - 1))
    return;
  if (!holds_foreign(region)) keep_inside(region);
}

/// A list that is content by the scores of its items is so with all of them, as far as these are simple ones.
void ContentSelector::keep_items(std::uint32_t region) {
  const auto regions = outline_.regions();
  if (kept_[region] == 0) return;
  const Region& list = regions[region];
  for (std::uint32_t i = region + 1; i < list.end; ++i)
    if (regions[i].name != Name::li || regions[i].parent != region || is_foreign(i)) return;
  float sum = 0;
  for (std::uint32_t i = list.first_run; i < list.runs_end; ++i) sum += scores_[i] + bias_;
  if (sum > 0) keep_inside(region);
}

/// A list right below a heading that is content by its own score: what that announces.
void ContentSelector::keep_list_below(std::uint32_t heading) {
  const auto runs = outline_.runs();
  const auto regions = outline_.regions();
  const Region& title = regions[runs[heading].region];
  if (runs[heading].heading_level < 2 || scores_[heading] + bias_ <= 0 || kept_[title.parent] == 0) return;
  const std::uint32_t below = title.end;
  if (below >= regions.size() || regions[below].parent != title.parent) return;
  const Region& list = regions[below];
  if (list.name != Name::ul && list.name != Name::ol && list.name != Name::dl) return;
  if (list.first_run != heading + 1) return;  // a text of its own stands between
  for (std::uint32_t i = list.first_run; i < list.runs_end; ++i)
    if (run_kept(i)) return;  // some of it was taken, and the rest was not
  if (!holds_foreign(below)) keep_inside(below);
}

/// A heading belongs to the text below it, unless it leads elsewhere.
void ContentSelector::keep_heading(std::uint32_t heading) {
  const auto runs = outline_.runs();
  const TextRun& run = runs[heading];
  const std::uint32_t parent = outline_.regions()[run.region].parent;
  const Region& around = outline_.regions()[parent];
  const std::uint32_t next = heading + 1;
  if (kept_[parent] == 0 || next >= around.runs_end || runs[next].kind == RunKind::heading) return;
  if (!run_kept(next) || is_foreign(run.region) || run.link_chars * 2 > run.chars) return;
  if ((outline_.words(run).hints & kForeignWords) != 0) return;
  kept_[run.region] = 1;
  together_[heading] = 1;
}

}  // namespace sheaf::html
