// Keeps together what belongs together. A score is about one run of text, so even the cheapest answers for
// all runs may separate what an author wrote as a unit: a heading from the text below it, the items of a
// list.
#include "sheaf/extract/content/content_select.h"
#include "sheaf/extract/outline/hint_words.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

/// Whether an element is part of a simple list, which may have lists in its items.
bool is_of_list(html::Name name) {
  return name == html::Name::li || name == html::Name::ul || name == html::Name::ol || name == html::Name::p;
}

}  // namespace
void ContentSelector::keep_together() {
  const auto regions = outline_->regions();
  // Nested quotations and notes are handled with the outermost one: looking at each level again would take
  // quadratic time on deep pages.
  std::uint32_t quote_end = 0;
  std::uint32_t notes_end = 0;
  std::uint32_t list_end = 0;
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    if (region.first_run == region.runs_end) continue;
    if (region.name == html::Name::ul || region.name == html::Name::ol) {
      keep_items(i, i < list_end ? Inside::items : Inside::lists);
      list_end = std::max(list_end, region.end);
    }
    if (region.name == html::Name::thead || region.name == html::Name::tr) keep_column_names(i);
    if (((region.hints | region.class_hints) & kHintFootnotes) != 0 && i >= notes_end) {
      keep_notes(i);
      notes_end = region.end;
    }
    if (region.name != html::Name::blockquote || i < quote_end) continue;
    keep_quote(i);
    quote_end = region.end;
  }
  const auto runs = outline_->runs();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (runs[i].kind != RunKind::heading) continue;
    if (scores_keep(i)) {
      keep_list_below(i);
    } else {
      keep_heading(i);
    }
  }
}

void ContentSelector::keep_inside(std::uint32_t region) {
  const Region& all = outline_->regions()[region];
  for (std::uint32_t i = region; i < all.end; ++i) kept_[i] = 1;
  for (std::uint32_t i = all.first_run; i < all.runs_end; ++i) together_[i] = 1;
}

/// Whether a region or one inside it is foreign.
bool ContentSelector::holds_foreign(std::uint32_t region) const {
  const std::uint32_t end = outline_->regions()[region].end;
  for (std::uint32_t i = region; i < end; ++i)
    if (is_foreign(*outline_, i)) return true;
  return false;
}

/// Keeps a quotation that follows a text that is content.
void ContentSelector::keep_quote(std::uint32_t region) {
  const Region& quote = outline_->regions()[region];
  const Region& around = outline_->regions()[quote.parent];
  if (kept_[quote.parent] == 0 || quote.first_run == around.first_run || !scores_keep(quote.first_run - 1))
    return;
  if (!holds_foreign(region)) keep_inside(region);
}

/// Keeps the footnotes of a text that is content.
void ContentSelector::keep_notes(std::uint32_t region) {
  const Region& notes = outline_->regions()[region];
  if (kept_[notes.parent] == 0) return;
  for (std::uint32_t i = region + 1; i < notes.end; ++i)
    if (is_foreign(*outline_, i)) return;
  keep_inside(region);
}

/// Keeps the column names of a table if something in the rows below them is content.
void ContentSelector::keep_column_names(std::uint32_t region) {
  constexpr std::uint32_t kLooked = 64;  // runs below the names to look at
  const auto regions = outline_->regions();
  const Region& head = regions[region];
  const Region& around = regions[head.parent];
  const std::uint32_t first = head.parent + 1;
  if (region != first && (regions[first].name != html::Name::caption || region != regions[first].end)) return;
  if (head.name == html::Name::tr)
    for (std::uint32_t i = region + 1; i < head.end; i = regions[i].end)
      if (regions[i].name != html::Name::th) return;
  const std::uint32_t looked_end = std::min(around.runs_end, head.runs_end + kLooked);
  for (std::uint32_t i = head.runs_end; i < looked_end; ++i) {
    if (!scores_keep(i)) continue;
    if (!holds_foreign(region)) keep_inside(region);
    keep_rows(head.parent);
    return;
  }
}

/// Keeps all rows of a table if the sum of their scores is above 0.
void ContentSelector::keep_rows(std::uint32_t region) {
  const auto regions = outline_->regions();
  const Region& rows = regions[region];
  for (std::uint32_t i = region; i < rows.end; ++i)
    if (is_foreign(*outline_, i) || (i > region && regions[i].name == html::Name::table)) return;
  if (score_of(rows) > 0) keep_inside(region);
}

float ContentSelector::score_of(const Region& region) const {
  float sum = 0;
  for (std::uint32_t i = region.first_run; i < region.runs_end; ++i) sum += scores_[i] + bias_;
  return sum;
}

/// Keeps all items of a simple list if the sum of their scores is above 0.
void ContentSelector::keep_items(std::uint32_t region, Inside allowed) {
  const auto regions = outline_->regions();
  if (kept_[region] == 0) return;
  const Region& list = regions[region];
  for (std::uint32_t i = region + 1; i < list.end; ++i)
    if (!is_of_list(regions[i].name) || is_foreign(*outline_, i) ||
        (allowed == Inside::items && regions[i].parent != region))
      return;
  if (score_of(list) > 0) keep_inside(region);
}

/// Keeps the list right below a heading that is content by its own score: the heading announces it.
void ContentSelector::keep_list_below(std::uint32_t heading) {
  const auto runs = outline_->runs();
  const auto regions = outline_->regions();
  const Region& title = regions[runs[heading].region];
  if (runs[heading].heading_level < 2 || scores_[heading] + bias_ <= 0 || kept_[title.parent] == 0) return;
  const std::uint32_t below = title.end;
  if (below >= regions.size() || regions[below].parent != title.parent) return;
  const Region& list = regions[below];
  if (list.name != html::Name::ul && list.name != html::Name::ol && list.name != html::Name::dl) return;
  if (list.first_run != heading + 1) return;  // there is another text between them
  for (std::uint32_t i = list.first_run; i < list.runs_end; ++i)
    if (scores_keep(i)) return;  // the scores have kept some items and dropped the others
  if (!holds_foreign(below)) keep_inside(below);
}

/// Keeps a heading with the text below it, unless it links elsewhere.
void ContentSelector::keep_heading(std::uint32_t heading) {
  const auto runs = outline_->runs();
  const TextRun& run = runs[heading];
  const std::uint32_t parent = outline_->regions()[run.region].parent;
  const Region& around = outline_->regions()[parent];
  const std::uint32_t next = heading + 1;
  if (kept_[parent] == 0 || next >= around.runs_end || runs[next].kind == RunKind::heading) return;
  if (!scores_keep(next) || is_foreign(*outline_, run.region) || run.link_chars * 2 > run.chars) return;
  if ((outline_->words(run).hints & kForeignWords) != 0) return;
  kept_[run.region] = 1;
  together_[heading] = 1;
}

/// Keeps the headline of a manual's page, where it is the first of the headings that structure the content,
/// if nothing before it is kept. On other pages the headline is the title, which is a separate field.
void ContentSelector::keep_headline(html::NodeId headline) {
  if (!outline_->is_manual()) return;
  std::uint32_t region = whole_->region_of(headline);
  if (region != PageOutline::kNoRegion && outline_ != whole_) region = rest_.reduced_region(region);
  if (region == PageOutline::kNoRegion || is_foreign(*outline_, region)) return;
  const Region& title = outline_->regions()[region];
  if (title.node != headline || title.first_run == title.runs_end) return;
  for (std::uint32_t i = 0; i < title.runs_end; ++i)
    if (scores_keep(i)) return;
  keep_inside(region);
}

}  // namespace sheaf::extract
