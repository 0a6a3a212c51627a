#include "sheaf/extract/content/content_boxes.h"

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMaxLabel = 40;      // characters of a label above a box
constexpr std::uint32_t kMaxBox = 900;       // characters of a box with a form or a request
constexpr std::uint32_t kHeadlineWords = 4;  // words of a link that is the title of a page
constexpr std::uint32_t kHeadlineChars = 24;
constexpr std::size_t kLookedRuns = 4;     // runs at the beginning of a box whose words count
constexpr std::size_t kLookedNodes = 400;  // of a box with form controls
constexpr std::size_t kBoxWords = 16;      // first words of a run

bool is_mostly_link(const TextRun& run) { return run.link_chars * 10 >= run.chars * 8; }

}  // namespace

bool is_of_text(html::Name element) {
  using html::Name;
  constexpr auto kOfText = std::to_array<Name>(
      {Name::pre,   Name::blockquote, Name::figure, Name::figcaption, Name::table,   Name::thead,
       Name::tbody, Name::tfoot,      Name::tr,     Name::td,         Name::th,      Name::caption,
       Name::dl,    Name::dt,         Name::dd,     Name::details,    Name::summary, Name::hr,
       Name::h1,    Name::h2,         Name::h3,     Name::h4,         Name::h5,      Name::h6});
  return std::ranges::find(kOfText, element) != kOfText.end();
}

std::string_view to_string(BoxKind kind) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(BoxKind::count)> kNames = {
      "content",          "navigation", "sharing", "related pages", "advertising", "newsletter", "consent",
      "about the author", "comments",   "tags",    "byline",        "form",        "product",    "sidebar"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct BoxJudge::Box {
  const Region* region = nullptr;
  TextSums sums;
  Counts counts;
  std::uint32_t runs = 0;
  std::uint32_t controls = 0;
  std::uint32_t images = 0;
  std::uint32_t hints = 0;  // of the region's own name
  std::uint32_t label = 0;  // words of its first text and its headings, as bits of BoxWord
  std::uint32_t words = 0;  // words of its first texts
  bool has_input = false;   // a field to write into
  bool has_button = false;

  [[nodiscard]] bool linky(std::uint32_t percent) const {
    return sums.link_chars * 100 >= sums.chars * percent && sums.link_chars > 0;
  }
  [[nodiscard]] bool is_short(std::uint32_t chars) const { return sums.chars <= chars; }
  [[nodiscard]] bool has(std::uint32_t hint) const { return (hints & hint) != 0; }
  [[nodiscard]] bool says(std::uint32_t word) const { return (words & word) != 0; }
  [[nodiscard]] bool labelled(std::uint32_t word) const { return (label & word) != 0; }
};

void BoxJudge::build(const html::Document& document, const PageOutline& outline) {
  document_ = &document;
  outline_ = &outline;
  const auto runs = outline.runs();
  before_.resize(runs.size() + 1);
  Counts sum;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    before_[i] = sum;
    const TextRun& run = runs[i];
    if (is_mostly_link(run)) {
      ++sum.link_runs;
      sum.link_chars += run.chars;
      sum.headlines += run.words >= kHeadlineWords || run.chars >= kHeadlineChars ? 1 : 0;
    }
    if (run.kind == RunKind::code || run.kind == RunKind::cell) sum.code_chars += run.chars;
    sum.prices += names_price(run) ? 1 : 0;
  }
  before_[runs.size()] = sum;
  const auto regions = outline.regions();
  controls_before_.resize(regions.size() + 1);
  images_before_.resize(regions.size() + 1);
  std::uint32_t controls = 0;
  std::uint32_t images = 0;
  for (std::size_t i = 0; i <= regions.size(); ++i) {
    controls_before_[i] = controls;
    images_before_[i] = images;
    if (i == regions.size()) break;
    controls += regions[i].controls;
    images += regions[i].images;
  }
}

BoxJudge::Counts BoxJudge::between(std::uint32_t first, std::uint32_t end) const {
  const Counts& a = before_[first];
  const Counts& b = before_[end];
  return {b.link_runs - a.link_runs, b.headlines - a.headlines, b.link_chars - a.link_chars,
          b.code_chars - a.code_chars, b.prices - a.prices};
}

std::uint32_t BoxJudge::words_of(std::uint32_t run) const {
  std::uint32_t found = 0;
  std::size_t words = 0;
  text::each_word(outline_->padded(outline_->runs()[run]), [&](std::uint32_t word) {
    found |= box_words(word);
    return ++words < kBoxWords;
  });
  return found;
}

BoxJudge::Box BoxJudge::look_at(std::uint32_t index) const {
  const Region& region = outline_->regions()[index];
  Box box;
  box.region = &region;
  box.sums = outline_->sums(region);
  box.counts = between(region.first_run, region.runs_end);
  box.runs = region.runs_end - region.first_run;
  box.controls = controls_before_[region.end] - controls_before_[index];
  box.images = images_before_[region.end] - images_before_[index];
  box.hints = region.hints | region.class_hints;
  const auto runs = outline_->runs();
  std::size_t looked = 0;
  for (std::uint32_t i = region.first_run; i < region.runs_end && looked < kLookedRuns; ++i, ++looked) {
    const std::uint32_t words = words_of(i);
    box.words |= words;
    if (runs[i].heading_level > 0 || (i == region.first_run && runs[i].chars <= kMaxLabel))
      box.label |= words;
  }
  if (box.controls > 0) look_at_controls(box);
  return box;
}

/// Fields and buttons. A button that copies code or opens a panel is part of a text.
void BoxJudge::look_at_controls(Box& box) const {
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(*document_, box.region->node)) {
    if (++looked > kLookedNodes) return;
    const html::Name name = document_->name(node);
    if (name == html::Name::textarea || name == html::Name::select) box.has_input = true;
    if (name == html::Name::input) {
      const std::string_view type = document_->attribute(node, html::Name::type).value_or("text");
      box.has_button |= type == "submit" || type == "button";
      box.has_input |= type != "hidden" && type != "submit" && type != "button" && type != "image" &&
                       !(type == "checkbox" && document_->attribute(node, html::Name::disabled));
    }
    if (name == html::Name::button)
      box.has_button |=
          !document_->attribute(node, "aria-expanded") && !document_->attribute(node, "aria-controls");
  }
}

BoxKind BoxJudge::judge(std::uint32_t index) const {
  const Region& region = outline_->regions()[index];
  if (is_of_text(region.name) || region.first_run == region.runs_end) return BoxKind::none;
  const Box box = look_at(index);
  if (region.name == html::Name::p || region.name == html::Name::li)
    return (box.has(kHintRelated) || box.labelled(kBoxRelated)) && box.linky(60) ? BoxKind::related
                                                                                 : BoxKind::none;
  // Code, tables and long prose are content, whatever they are called.
  if (box.counts.code_chars * 2 > box.sums.chars) return BoxKind::none;
  const bool asks = box.has_input || box.has_button || box.counts.link_runs > 0 ||
                    (box.hints & (kHintForm | kHintNotice | kHintConsent)) != 0;
  if (region.name == html::Name::nav || box.has(kHintNavigation)) {
    if (box.linky(40) || (region.name == html::Name::nav && !box.sums.prose_chars))
      return BoxKind::navigation;
  }
  if (box.is_short(kMaxBox)) {
    if (box.says(kBoxConsent) && (box.has_button || box.has(kHintNotice | kHintConsent)))
      return BoxKind::consent;
    if (box.says(kBoxNewsletter) && asks) return BoxKind::newsletter;
    if (box.labelled(kBoxAdvert) && (box.is_short(300) || box.linky(30))) return BoxKind::advert;
    if (box.has(kHintAdvert) && (box.is_short(200) || box.linky(20))) return BoxKind::advert;
    if (box.has_input && (box.has_button || box.has(kHintForm | kHintComment | kHintNotice)))
      return box.says(kBoxComment) || box.has(kHintComment) ? BoxKind::comments : BoxKind::form;
    if (box.has(kHintNotice) && asks && box.says(kBoxRequest)) return BoxKind::newsletter;
    if (box.says(kBoxRequest) && (box.has_button || (box.counts.link_runs > 0 && box.is_short(400))) &&
        (box.has_button || box.labelled(kBoxRequest) || box.has(kHintAdvert | kHintSection | kHintForm)))
      return BoxKind::newsletter;
    if (box.labelled(kBoxShare) && (box.linky(40) || box.is_short(80))) return BoxKind::share;
    if (box.has(kHintShare) && (box.linky(40) || box.is_short(120))) return BoxKind::share;
    if (box.has(kHintTags) && box.linky(40)) return BoxKind::tags;
    if (box.labelled(kBoxTags) && box.linky(40) && box.counts.headlines == 0) return BoxKind::tags;
    if (box.has(kHintByline) && box.sums.prose_chars == 0 && box.is_short(120)) return BoxKind::byline;
    const bool about = box.labelled(kBoxAuthor) || box.has(kHintAbout);
    if (about && (box.images > 0 || box.sums.link_chars > 0)) return BoxKind::author;
    if (box.has(kHintByline) && box.images > 0 && box.is_short(600)) return BoxKind::author;
    if (box.counts.prices > 0 && box.counts.link_runs > 0 && box.sums.prose_chars == 0 && box.linky(40))
      return BoxKind::product;
  }
  if (box.has(kHintComment) || (box.labelled(kBoxComment) && !box.linky(50) && box.runs > 2))
    return BoxKind::comments;
  const bool related = box.has(kHintRelated) || box.labelled(kBoxRelated);
  if (related && box.counts.link_runs > 0 && box.linky(35)) return BoxKind::related;
  const bool of_pages = box.counts.headlines >= 3 && box.linky(60);
  if (of_pages && !outline_->is_manual() && (box.images >= 2 || region.name == html::Name::aside))
    return BoxKind::related;
  if ((region.name == html::Name::aside || box.has(kHintSidebar)) && (box.linky(30) || box.has_input))
    return BoxKind::sidebar;
  if (region.name == html::Name::footer &&
      outline_->regions()[region.parent].name != html::Name::blockquote && box.sums.prose_chars == 0)
    return BoxKind::navigation;
  return BoxKind::none;
}

}  // namespace sheaf::extract
