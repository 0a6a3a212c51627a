#include "sheaf/extract/content/content_marked.h"

#include <algorithm>
#include <cstddef>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kElsewhere = kHintComment | kHintShare | kHintRelated | kHintNavigation;
constexpr std::uint32_t kBeside =
    kElsewhere | kHintFooter | kHintAdvert | kHintTags | kHintForm | kHintAbout | kHintHidden | kHintTooltip;
/// Boxes, which authors also use inside their texts.
constexpr std::uint32_t kBoxes = kHintSidebar | kHintNotice;
constexpr std::uint32_t kFrame = kHintNavigation | kHintShare | kBoxes | kHintFooter | kHintAdvert;

// In units of the score. A mark around at most kShort characters adds kTrust to the scores. The more text
// there is, the more the model has to judge by: from kLong characters on, a mark adds nothing.
constexpr float kTrust = 5;
constexpr float kTrustWithText = 1;  // on a page whose text is known already
constexpr float kShort = 800;
constexpr float kLong = 2400;
constexpr float kOutside = -13;  // too low for the bias of an unsure page to bring it back

bool is_mostly_links(const TextRun& run) { return run.link_chars * 2 > run.chars; }

bool is_main(const html::Document& document, const Region& region) {
  if (region.name == html::Name::main) return true;
  return (region.hints & kHintContent) != 0 && document.attribute(region.node, html::Name::role) == "main";
}

/// Whether the element's name says that it is not part of the text.
bool is_named_beside(html::Name name) {
  return name == html::Name::nav || name == html::Name::aside || name == html::Name::form;
}

/// Counts the regions of a kind, without those inside another one, and remembers the last.
class Only {
 public:
  void add(std::span<const Region> regions, std::uint32_t region) {
    if (count_ > 0 && region < regions[last_].end) return;
    ++count_;
    last_ = region;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t region() const { return last_; }

 private:
  std::uint32_t count_ = 0;
  std::uint32_t last_ = 0;
};

/// Whether a heading introduces links to other pages: "Related posts".
bool announces_other_pages(const PageOutline& outline, std::uint32_t heading) {
  const auto runs = outline.runs();
  return runs[heading].heading_level > 1 && heading + 1 < runs.size() && is_mostly_links(runs[heading + 1]) &&
         (outline.words(runs[heading]).hints & kForeignWords) != 0;
}

enum class Frame : std::uint8_t { none, header, other };

/// The part of the page's frame that a region is in, if any.
Frame frame_around(const PageOutline& outline, std::uint32_t region) {
  constexpr std::size_t kLevels = 32;  // the parts of a frame are near the top of the tree
  const auto regions = outline.regions();
  const std::uint32_t hints = regions[region].all_hints;
  if ((hints & kFrame) != 0) return Frame::other;
  Frame found = (hints & kHintHeader) != 0 ? Frame::header : Frame::none;
  for (std::size_t level = 0; level < kLevels && region != 0; ++level, region = regions[region].parent) {
    const html::Name name = regions[region].name;
    if (is_named_beside(name) || name == html::Name::footer) return Frame::other;
    if (name == html::Name::header) found = Frame::header;
  }
  return found;
}

/// Characters of prose in the runs [first, end) that are not in the page's frame.
std::uint32_t prose_between(const PageOutline& outline, std::uint32_t first, std::uint32_t end) {
  std::uint32_t chars = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    const TextRun& run = outline.runs()[i];
    if (run.is_prose && frame_around(outline, run.region) == Frame::none) chars += run.chars;
  }
  return chars;
}

/// Rejects wrong marks, which leave out most of the page's text.
bool is_believable(const PageOutline& outline, const Region& marked) {
  const TextSums inside = outline.sums(marked);
  if (inside.chars == 0) return false;
  const auto runs_end = static_cast<std::uint32_t>(outline.runs().size());
  if (inside.prose_chars * 2 >= outline.between(0, runs_end).prose_chars) return true;
  return inside.prose_chars >=
         prose_between(outline, 0, marked.first_run) + prose_between(outline, marked.runs_end, runs_end);
}

}  // namespace

bool is_foreign(const PageOutline& outline, std::uint32_t region) {
  const Region& asked = outline.regions()[region];
  if (((asked.hints | asked.class_hints) & (kBeside | kBoxes)) != 0) return true;
  if (asked.name == html::Name::footer) return outline.regions()[asked.parent].name != html::Name::blockquote;
  return is_named_beside(asked.name);
}

void MarkedContent::find(const html::Document& document, const PageOutline& outline) {
  const auto regions = outline.regions();
  trusted_ = kNone;
  first_run_ = 0;
  runs_end_ = static_cast<std::uint32_t>(outline.runs().size());
  Only main;
  Only article;
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    if (is_main(document, regions[i])) main.add(regions, i);
    const bool aside = (regions[i].all_hints & (kElsewhere | kHintSidebar)) != 0;
    if (regions[i].name == html::Name::article && !aside) article.add(regions, i);
  }
  if (main.count() > 1 || (main.count() == 0 && article.count() != 1)) return;
  const std::uint32_t around = main.count() == 1 ? main.region() : article.region();
  if (!is_believable(outline, regions[around])) return;
  const bool in_main = article.region() >= around && article.region() < regions[around].end;
  trusted_ = article.count() == 1 && in_main ? article.region() : around;
  lists_pages_ = article.count() > 1;
  first_run_ = regions[around].first_run;
  runs_end_ = regions[around].runs_end;
}

void MarkedContent::move_scores(const PageOutline& outline, std::span<float> scores, bool has_text) {
  if (trusted_ == kNone) return;
  note_foreign(outline);
  const float worth = has_text ? kTrustWithText : trust(outline, scores);
  if (worth > 0) trust_inside(outline, scores, worth);
  leave_out_frame(outline, scores, worth);
}

void MarkedContent::note_foreign(const PageOutline& outline) {
  const auto regions = outline.regions();
  const std::uint32_t end = regions[trusted_].end;
  foreign_.assign(end - trusted_, 0);
  for (std::uint32_t i = trusted_ + 1; i < end; ++i)
    foreign_[i - trusted_] = foreign_[regions[i].parent - trusted_] != 0 || is_beside(outline, i) ? 1 : 0;
}

/// Whether a region is clearly not part of the text around it.
bool MarkedContent::is_beside(const PageOutline& outline, std::uint32_t index) const {
  const Region& region = outline.regions()[index];
  const std::uint32_t hints = region.hints | region.class_hints;
  if (is_named_beside(region.name) || (hints & kElsewhere) != 0) return true;
  if ((hints & kHintByline) == 0 && !is_foreign(outline, index)) return false;
  const TextSums sums = outline.sums(region);
  // Class names of wrappers can mislead: a region with most of the text is part of it.
  if (sums.chars * 2 > outline.sums(outline.regions()[trusted_]).chars) return false;
  const bool is_box = (hints & (kBeside | kHintByline)) == 0 && region.name != html::Name::footer;
  return !is_box || region.controls > 0 || sums.link_chars * 4 >= sums.chars;
}

/// What the mark adds to a score: the more text the model has to judge by, the less.
float MarkedContent::trust(const PageOutline& outline, std::span<const float> scores) const {
  const Region& trusted = outline.regions()[trusted_];
  std::uint32_t chars = 0;
  for (std::uint32_t i = trusted.first_run; i < trusted.runs_end; ++i) {
    const TextRun& run = outline.runs()[i];
    if (!in_foreign(run) || scores[i] > 0) chars += run.chars - run.link_chars;
  }
  return kTrust * std::clamp((kLong - static_cast<float>(chars)) / (kLong - kShort), 0.0F, 1.0F);
}

void MarkedContent::trust_inside(const PageOutline& outline, std::span<float> scores, float worth) const {
  const auto runs = outline.runs();
  const Region& trusted = outline.regions()[trusted_];
  std::uint8_t other_pages = 0;  // level of the heading above links to other pages; 0 outside of such a part
  for (std::uint32_t i = trusted.first_run; i < trusted.runs_end; ++i) {
    const TextRun& run = runs[i];
    const bool heads = run.heading_level > 0;
    if (heads && (other_pages == 0 || run.heading_level <= other_pages))
      other_pages = announces_other_pages(outline, i) ? run.heading_level : std::uint8_t{0};
    const bool leads_away = other_pages > 0 && (heads || is_mostly_links(run));
    const Region& own = outline.regions()[run.region];
    const bool is_date = run.has_time && ((own.hints | own.class_hints) & kHintByline) != 0;
    if (!leads_away && !in_foreign(run)) {
      if (scores[i] > kCertainlyNotContent && !leads_elsewhere(run)) scores[i] += worth;
    } else if ((leads_away && heads) || is_date) {
      scores[i] = std::min(scores[i], 0.0F) - worth;  // the metadata have the date of the page
    } else if (scores[i] < 0) {
      scores[i] -= worth;  // so that the bias of an unsure page does not bring it back
    }
  }
}

/// A heading that is a link is usually the title of another page.
bool MarkedContent::leads_elsewhere(const TextRun& run) const {
  return run.heading_level > 1 && is_mostly_links(run) && !lists_pages_;
}

/// A headline or an introductory paragraph may be outside of the mark. Other short texts outside of a short
/// content are usually on every page of the site.
void MarkedContent::leave_out_frame(const PageOutline& outline, std::span<float> scores, float worth) const {
  const auto runs = outline.runs();
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    if (i >= first_run_ && i < runs_end_) continue;
    const Frame frame = scores[i] > 0 ? frame_around(outline, runs[i].region) : Frame::other;
    const bool may_lead = runs[i].is_prose || runs[i].heading_level == 1;
    if (frame == Frame::other || (frame == Frame::header && !may_lead)) {
      scores[i] = kOutside;
    } else if (!may_lead && scores[i] > kCertainlyNotContent) {
      scores[i] -= worth;
    }
  }
}

}  // namespace sheaf::extract
