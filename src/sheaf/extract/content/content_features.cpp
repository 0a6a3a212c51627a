#include "sheaf/extract/content/content_features.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sheaf::extract {
namespace {

// Elements that characterise everything inside them.
enum Element : std::uint32_t {
  kArticle = 1,
  kNav = 2,
  kHeader = 4,
  kFooter = 8,
  kAside = 16,
  kFigure = 32,
  kTable = 64,
  kList = 128,
  kMain = 256,
  kForm = 512,
};

// A table, because it is looked up for every region.
constexpr auto kElementBits = [] {
  std::array<std::uint32_t, html::index_of(html::kLastKnownElement) + 1> bits{};
  bits[html::index_of(html::Name::article)] = kArticle;
  bits[html::index_of(html::Name::nav)] = kNav;
  bits[html::index_of(html::Name::header)] = kHeader;
  bits[html::index_of(html::Name::footer)] = kFooter;
  bits[html::index_of(html::Name::aside)] = kAside;
  bits[html::index_of(html::Name::figure)] = kFigure;
  bits[html::index_of(html::Name::table)] = kTable;
  bits[html::index_of(html::Name::ul)] = kList;
  bits[html::index_of(html::Name::ol)] = kList;
  bits[html::index_of(html::Name::main)] = kMain;
  bits[html::index_of(html::Name::form)] = kForm;
  return bits;
}();

std::uint32_t element_bit(html::Name name) {
  return name > html::kLastKnownElement ? 0 : kElementBits[html::index_of(name)];
}

float share(std::uint32_t part, std::uint32_t whole) {
  return whole == 0 ? 0.0F : static_cast<float>(part) / static_cast<float>(whole);
}

/// Sizes are not scaled to logarithms, because decision trees only compare values.
float scaled(std::uint32_t value) { return static_cast<float>(value); }

constexpr std::uint32_t kFar = 50;  // maximum distance in runs

constexpr std::uint32_t kBadHeading =
    kHintComment | kHintShare | kHintRelated | kHintAdvert | kHintNotice | kHintTags | kHintMore;

constexpr std::uint32_t kBadRegion = kHintComment | kHintShare | kHintRelated | kHintNavigation |
                                     kHintFooter | kHintSidebar | kHintAdvert | kHintNotice | kHintTags |
                                     kHintForm | kHintAbout;

}  // namespace

void FeatureExtractor::begin(const PageOutline& outline, const DeclaredText& text, const DeclaredPage& page) {
  outline_ = &outline;
  declared_ = &text;
  page_ = outline.between(0, static_cast<std::uint32_t>(outline.runs().size()));
  find_places();
  find_best();
  look_around();
  sum_styles();
  records_.build(outline);
  inner_record_ = outer_record_ = region_ = parent_ = grand_ = article_ = list_ = kNone;
  near_hints_ = all_hints_ = elements_ = ~std::uint32_t{0};
  signature_.reset();
  read_names(page);
  set_page(page);
}

void FeatureExtractor::find_places() {
  const auto runs = outline_->runs();
  const auto count = static_cast<std::uint32_t>(runs.size());
  places_.resize(runs.size());
  prose_.resize(runs.size());
  std::size_t prose = 0;
  title_run_ = count;
  std::uint32_t distance = kFar;
  std::uint32_t heading = 0;
  std::uint32_t heading_hints = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    places_[i].previous_prose = distance;
    places_[i].heading = heading;
    places_[i].heading_hints = heading_hints;
    prose_[prose] = i;  // branch-free: overwritten unless the run is prose
    prose += runs[i].is_prose ? 1 : 0;
    distance = runs[i].is_prose ? 1 : std::min(distance + 1, kFar);
    const bool may_be_title = title_run_ == count && runs[i].heading_level == 1;
    if (runs[i].kind != RunKind::heading && !may_be_title) continue;
    const RunWords words = outline_->words(runs[i]);
    if (may_be_title && words.title_share > 0.5F) title_run_ = i;
    if (runs[i].kind != RunKind::heading) continue;
    heading = i + 1;
    heading_hints = runs[i].words < 8 ? words.hints : 0;
  }
  prose_.resize(prose);
  distance = kFar;
  for (std::uint32_t i = count; i-- > 0;) {
    places_[i].next_prose = distance;
    distance = runs[i].is_prose ? 1 : std::min(distance + 1, kFar);
  }
  for (std::uint32_t i = 0; i < count && title_run_ == count; ++i)
    if (runs[i].heading_level == 1) title_run_ = i;
}

/// Computes what is around each region from what is around its parent.
void FeatureExtractor::look_around() {
  const auto regions = outline_->regions();
  around_.resize(regions.size());
  around_[0] = {};  // the root is its own parent
  main_ = 0;
  const auto one_more = [](std::uint32_t level) { return std::min(level + 1, kFarLevel); };
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    const Around& above = around_[region.parent];
    const bool is_list =
        region.name == html::Name::ul || region.name == html::Name::ol || region.name == html::Name::dl;
    const bool holds_best = i <= best_ && best_ < region.end;
    const bool in_best = i >= best_ && i < regions[best_].end;
    around_[i] = {
        .elements = above.elements | element_bit(region.name),
        .article = region.name == html::Name::article ? i + 1 : above.article,
        .list = is_list ? i : above.list,
        .good_hint_level = (region.hints & kHintContent) != 0 ? 0 : one_more(above.good_hint_level),
        .bad_hint_level = (region.hints & kBadRegion) != 0 ? 0 : one_more(above.bad_hint_level),
        .best_level = i == best_ ? 0 : one_more(above.best_level),
        .best_distance = holds_best || in_best ? 0 : one_more(above.best_distance),
    };
    if (region.name == html::Name::main && main_ == 0) main_ = i + 1;
  }
}

/// The most twins that a region or one of the closest regions around it has.
std::uint32_t FeatureExtractor::most_twins(std::uint32_t region, int levels) const {
  std::uint32_t most = 0;
  for (int level = 0; level < levels && region != 0; ++level) {
    most = std::max(most, outline_->regions()[region].similar_siblings);
    region = outline_->regions()[region].parent;
  }
  return most;
}

/// Finds the region whose paragraphs have the most weight. Each run of prose counts fully for the parent of
/// its region, half for the grandparent, and less than half for its region.
void FeatureExtractor::find_best() {
  const auto regions = outline_->regions();
  scores_.assign(regions.size(), 0);
  const auto runs = outline_->runs();
  for (const std::uint32_t index : prose_) {
    const TextRun& run = runs[index];
    const double weight = std::min<double>(run.chars, 1000) + 20.0 * (run.commas + run.marks);
    // A run in a plain div may be a paragraph itself or share the div with others.
    const std::uint32_t own = run.region;
    const std::uint32_t parent = regions[own].parent;
    scores_[own] += weight * 0.4;
    scores_[parent] += weight;
    scores_[regions[parent].parent] += weight * 0.5;
  }
  best_ = 0;
  double best_score = 0;
  for (std::uint32_t i = 1; i < regions.size(); ++i) {
    if (scores_[i] <= best_score) continue;  // links only reduce the score
    const TextSums sums = outline_->sums(regions[i]);
    const double score = scores_[i] * (1.0 - share(sums.link_chars, sums.chars));
    if (score > best_score) {
      best_score = score;
      best_ = i;
    }
  }
  const auto first = std::ranges::lower_bound(prose_, regions[best_].first_run);
  const auto end = std::ranges::lower_bound(prose_, regions[best_].runs_end);
  first_best_prose_ = first != end ? *first : regions[best_].runs_end;
  last_best_prose_ = first != end ? *(end - 1) : regions[best_].first_run;
}

Features& FeatureExtractor::make(std::uint32_t index) {
  make_wordless(index);
  add_words(index);
  return features_;
}

const Features& FeatureExtractor::make_wordless(std::uint32_t index) {
  const TextRun& run = outline_->runs()[index];
  set_text(run);
  set_place(index);
  set_neighbours(index);
  if (run.region != region_) set_region(run.region);
  set_record_places(index);
  set(Feature::copies, scaled(records_.copies(index)));
  set(Feature::is_copy, records_.first_copy(index) != index);
  return features_;
}

void FeatureExtractor::set_text(const TextRun& run) {
  set(Feature::chars, scaled(run.chars));
  set(Feature::words, scaled(run.words));
  set(Feature::link_share, share(run.link_chars, run.chars));
  set(Feature::links, scaled(run.links));
  set(Feature::bold_share, share(run.bold_chars, run.chars));
  set(Feature::italic_share, share(run.italic_chars, run.chars));
  set(Feature::handles, scaled(run.handles));
  set(Feature::ends_colon, run.ends_colon);
  set(Feature::ends_cut, run.ends_cut);
  set(Feature::marks, scaled(run.marks));
  set(Feature::commas, scaled(run.commas));
  set(Feature::digit_share, share(run.digits, run.chars));
  set(Feature::capital_share, share(run.capitals, run.chars));
  set(Feature::word_length, share(run.chars, run.words));
  set(Feature::ends_sentence, run.ends_sentence);
  set(Feature::heading_level, static_cast<float>(run.heading_level));
  set(Feature::is_cell, run.kind == RunKind::cell);
  set(Feature::is_definition, run.kind == RunKind::term || run.kind == RunKind::definition);
  set(Feature::is_code, run.kind == RunKind::code);
  set(Feature::is_caption, run.kind == RunKind::caption);
  set(Feature::is_other, run.kind == RunKind::other);
  set(Feature::has_time, run.has_time);
  set(Feature::names_price, names_price(run));
}

void FeatureExtractor::set_place(std::uint32_t index) {
  const auto runs = outline_->runs();
  const auto count = static_cast<std::uint32_t>(runs.size());
  const Place& place = places_[index];
  const TextSums before = outline_->between(0, index);
  const TextSums after = outline_->between(index + 1, count);
  set(Feature::place, share(index, count));
  set(Feature::chars_place, share(before.chars, page_.chars));
  set(Feature::prose_before, share(before.prose_chars, page_.prose_chars));
  set(Feature::prose_after, share(after.prose_chars, page_.prose_chars));
  set(Feature::after_title, title_run_ == count ? 0.5F : (index >= title_run_ ? 1.0F : 0.0F));
  set(Feature::before_best_prose,
      scaled(index < first_best_prose_ ? std::min(first_best_prose_ - index, kFar) : 0));
  set(Feature::after_best_prose,
      scaled(index > last_best_prose_ ? std::min(index - last_best_prose_, kFar) : 0));
  set(Feature::previous_prose_distance, scaled(place.previous_prose));
  set(Feature::next_prose_distance, scaled(place.next_prose));
  set(Feature::since_heading, scaled(place.heading == 0 ? kFar : std::min(index + 1 - place.heading, kFar)));
  set(Feature::heading_hints_bad, (place.heading_hints & kBadHeading) != 0);
  set(Feature::heading_comment, (place.heading_hints & kHintComment) != 0);
  set(Feature::heading_related, (place.heading_hints & kHintRelated) != 0);
  set(Feature::heading_notice, (place.heading_hints & (kHintNotice | kHintShare)) != 0);
  set(Feature::heading_product, (place.heading_hints & kHintProduct) != 0);
  set(Feature::heading_more, (place.heading_hints & kHintMore) != 0);
}

void FeatureExtractor::set_neighbours(std::uint32_t index) {
  const auto runs = outline_->runs();
  const auto count = static_cast<std::uint32_t>(runs.size());
  const TextRun none;
  const TextRun& previous = index > 0 ? runs[index - 1] : none;
  const TextRun& next = index + 1 < count ? runs[index + 1] : none;
  set(Feature::previous_chars, scaled(previous.chars));
  set(Feature::previous_link_share, share(previous.link_chars, previous.chars));
  set(Feature::next_chars, scaled(next.chars));
  set(Feature::next_link_share, share(next.link_chars, next.chars));
  set(Feature::previous_heading, previous.heading_level > 0);
  set(Feature::next_heading, next.heading_level > 0);
  const std::uint32_t region = runs[index].region;
  set(Feature::images_above, scaled(index > 0 ? records_.images_up_to(previous.region, region) : 0));
  set(Feature::images_below, scaled(index + 1 < count ? records_.images_up_to(region, next.region) : 0));
  const std::uint32_t first = index > 4 ? index - 4 : 0;
  const std::uint32_t end = std::min(index + 5, count);
  const PageRecords::Counts counts = records_.counts(first, end);
  set(Feature::around_times, scaled(counts.times));
  set(Feature::around_prices, scaled(counts.prices));
  const TextSums around = outline_->between(first, end);
  set(Feature::around_prose_share, share(around.prose_chars, around.chars));
  set(Feature::around_link_share, share(around.link_chars, around.chars));
}

/// Sets the features of a run's own region.
void FeatureExtractor::set_region(std::uint32_t index) {
  region_ = index;
  const auto regions = outline_->regions();
  const Region& own = regions[index];
  if (own.parent != parent_) set_outer_regions(own.parent);
  const TextSums sums = outline_->sums(own);
  set(Feature::own_chars, scaled(sums.chars));
  set(Feature::own_link_share, share(sums.link_chars, sums.chars));
  set(Feature::own_twins, scaled(own.similar_siblings));
  set(Feature::own_images, scaled(records_.images(own, index)));
  set(Feature::most_twins, scaled(index == 0 ? 0 : std::max(own.similar_siblings, outer_twins_)));
  if (signature_ != own.signature) {
    signature_ = own.signature;
    set(Feature::same_style_prose, share(styles_[style_slot(own.signature)].prose, page_.prose_chars));
  }
  set_around(index);
  set_records(index);
  const std::uint32_t near = own.hints | regions[own.parent].hints;
  if (near != near_hints_ || own.all_hints != all_hints_) set_hints(near, own.all_hints);
}

void FeatureExtractor::set_hints(std::uint32_t near, std::uint32_t all) {
  near_hints_ = near;
  all_hints_ = all;
  set_bits(kFirstNearHint, kNearHints, near);
  set_bits(kFirstAllHint, kAllHints, all);
}

void FeatureExtractor::set_around(std::uint32_t index) {
  const auto regions = outline_->regions();
  const Around& around = around_[index];
  set(Feature::depth_in_best, static_cast<float>(around.best_level));
  set(Feature::good_hint_level, static_cast<float>(around.good_hint_level));
  set(Feature::bad_hint_level, static_cast<float>(around.bad_hint_level));
  const std::uint32_t best_parent = regions[best_].parent;
  set(Feature::in_best, index >= best_ && index < regions[best_].end);
  set(Feature::levels_to_best, static_cast<float>(around.best_distance));
  set(Feature::beside_best, index >= best_parent && index < regions[best_parent].end);
  set(Feature::after_best, index >= regions[best_].end);
  if (around.elements != elements_) set_elements(around.elements);
  if (around.list != list_) set_list(around.list);
  if (around.article == article_) return;
  article_ = around.article;
  set(Feature::article_prose_share,
      article_ == 0 ? 0.0F : share(outline_->sums(regions[article_ - 1]).prose_chars, page_.prose_chars));
}

void FeatureExtractor::set_list(std::uint32_t index) {
  list_ = index;
  const Region* list = index == 0 ? nullptr : &outline_->regions()[index];
  const TextSums sums = list != nullptr ? outline_->sums(*list) : TextSums{};
  set(Feature::list_link_share, share(sums.link_chars, sums.chars));
  set(Feature::list_items, list != nullptr ? scaled(list->runs_end - list->first_run) : 0.0F);
}

void FeatureExtractor::set_elements(std::uint32_t elements) {
  elements_ = elements;
  set(Feature::in_article, (elements & kArticle) != 0);
  set(Feature::in_nav, (elements & kNav) != 0);
  set(Feature::in_header, (elements & kHeader) != 0);
  set(Feature::in_footer, (elements & kFooter) != 0);
  set(Feature::in_aside, (elements & kAside) != 0);
  set(Feature::in_figure, (elements & kFigure) != 0);
  set(Feature::in_table, (elements & kTable) != 0);
  set(Feature::in_list, (elements & kList) != 0);
  set(Feature::in_main, (elements & kMain) != 0);
  set(Feature::in_form, (elements & kForm) != 0);
}

/// Sets the features of a region's parent and of the regions around it, which neighbours usually share.
void FeatureExtractor::set_outer_regions(std::uint32_t index) {
  constexpr int kTwinLevels = 5;
  parent_ = index;
  outer_twins_ = most_twins(index, kTwinLevels);
  const auto regions = outline_->regions();
  const Region& parent = regions[index];
  const TextSums parent_sums = outline_->sums(parent);
  set(Feature::parent_style_prose, share(styles_[style_slot(parent.signature)].prose, page_.prose_chars));
  set(Feature::parent_chars, scaled(parent_sums.chars));
  set(Feature::parent_link_share, share(parent_sums.link_chars, parent_sums.chars));
  set(Feature::parent_prose_share, share(parent_sums.prose_chars, parent_sums.chars));
  set(Feature::parent_runs, scaled(parent.runs_end - parent.first_run));
  set(Feature::parent_twins, scaled(parent.similar_siblings));
  set(Feature::parent_images, scaled(parent.images));
  set(Feature::parent_controls, scaled(records_.controls(parent, index)));
  set(Feature::prose_in_parent, share(parent_sums.prose_chars, page_.prose_chars));
  if (parent.parent != grand_) set_far_regions(parent.parent);
}

/// Sets the features of a region's grandparent and of the regions around it, which cousins share.
void FeatureExtractor::set_far_regions(std::uint32_t index) {
  grand_ = index;
  const auto regions = outline_->regions();
  const Region& grand = regions[index];
  const Region& outer = regions[grand.parent];
  const Region& sixth = regions[regions[outer.parent].parent];
  const TextSums grand_sums = outline_->sums(grand);
  const TextSums outer_sums = outline_->sums(outer);
  set(Feature::grand_chars, scaled(grand_sums.chars));
  set(Feature::grand_link_share, share(grand_sums.link_chars, grand_sums.chars));
  set(Feature::grand_prose_share, share(grand_sums.prose_chars, grand_sums.chars));
  set(Feature::grand_runs, scaled(grand.runs_end - grand.first_run));
  set(Feature::grand_twins, scaled(grand.similar_siblings));
  set(Feature::grand_controls, scaled(records_.controls(grand, index)));
  set(Feature::outer_chars, scaled(outer_sums.chars));
  set(Feature::outer_link_share, share(outer_sums.link_chars, outer_sums.chars));
  set(Feature::outer_prose_share, share(outer_sums.prose_chars, outer_sums.chars));
  set(Feature::prose_in_grand, share(grand_sums.prose_chars, page_.prose_chars));
  set(Feature::prose_in_outer, share(outer_sums.prose_chars, page_.prose_chars));
  set(Feature::prose_in_sixth, share(outline_->sums(sixth).prose_chars, page_.prose_chars));
}

}  // namespace sheaf::extract
