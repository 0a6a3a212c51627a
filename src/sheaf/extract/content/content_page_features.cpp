// Features of the whole page and of its records, which indicate what kind of page it is.
#include "sheaf/extract/content/content_features.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMinCode = 4;

float ratio(std::uint32_t part, std::uint32_t whole) {
  return whole == 0 ? 0.0F : static_cast<float>(part) / static_cast<float>(whole);
}

}  // namespace

void FeatureExtractor::set_bits(std::size_t first, std::span<const Hint> hints, std::uint32_t bits) {
  float* next = features_.data() + first;
  for (const Hint hint : hints) *next++ = (bits & hint) != 0 ? 1.0F : 0.0F;
}

void FeatureExtractor::set_page(const DeclaredPage& declared) {
  const auto regions = outline_->regions();
  const auto runs = static_cast<std::uint32_t>(outline_->runs().size());
  const auto number = [this](Feature feature, std::uint32_t value) {
    set(feature, static_cast<float>(value));
  };
  set(Feature::manual, outline_->is_manual());
  // A few pieces of code say nothing of the page.
  const std::uint32_t code = outline_->code_elements() < kMinCode ? 0 : outline_->code_elements();
  set(Feature::code_per_run, ratio(code, runs));
  set(Feature::main_prose_share,
      main_ == 0 ? 0.0F : ratio(outline_->sums(regions[main_ - 1]).prose_chars, page_.prose_chars));
  number(Feature::page_chars, page_.chars);
  number(Feature::page_runs, runs);
  set(Feature::page_prose_share, ratio(page_.prose_chars, page_.chars));
  set(Feature::page_link_share, ratio(page_.link_chars, page_.chars));
  number(Feature::page_prose_runs, static_cast<std::uint32_t>(prose_.size()));
  set(Feature::best_prose_share, ratio(outline_->sums(regions[best_]).prose_chars, page_.prose_chars));
  const PageRecords::Counts counts = records_.counts(0, runs);
  number(Feature::page_headings, counts.headings);
  number(Feature::page_linked_headings, counts.linked_headings);
  number(Feature::page_times, counts.times);
  number(Feature::page_prices, counts.prices);
  number(Feature::page_images, records_.images(regions[0], 0));
  number(Feature::page_controls, records_.controls(regions[0], 0));
  set_region_counts();
  set_largest_group();
  for (std::uint32_t kind = 0; kind < kDeclaredKinds; ++kind)
    features_[kFirstKind + kind] = ((declared.kinds >> kind) & 1U) != 0 ? 1.0F : 0.0F;
  set_path(declared.path);
}

void FeatureExtractor::set_region_counts() {
  std::uint32_t articles = 0;
  std::uint32_t comments = 0;
  std::uint32_t posts = 0;
  std::uint32_t products = 0;
  std::uint32_t body_hints = 0;
  for (const Region& region : outline_->regions()) {
    if (region.name == html::Name::body || region.name == html::Name::html) {
      body_hints |= region.hints;
      continue;
    }
    articles += region.name == html::Name::article ? 1 : 0;
    comments += (region.hints & kHintComment) != 0 ? 1 : 0;
    posts += (region.hints & kHintPost) != 0 ? 1 : 0;
    products += (region.hints & kHintProduct) != 0 ? 1 : 0;
  }
  set(Feature::page_articles, static_cast<float>(articles));
  set(Feature::page_comments, static_cast<float>(comments));
  set(Feature::page_posts, static_cast<float>(posts));
  set(Feature::page_products, static_cast<float>(products));
  set_bits(kFirstBodyHint, kPageHints, body_hints);
}

/// Sets the features of the largest group of records.
void FeatureExtractor::set_largest_group() {
  const PageRecords::Group& group = records_.largest();
  set(Feature::group_share, ratio(group.text.chars, page_.chars));
  set(Feature::group_count, static_cast<float>(group.records));
  set(Feature::group_links, ratio(group.text.link_chars, group.text.chars));
  set(Feature::group_prose, ratio(group.text.prose_chars, group.text.chars));
  set(Feature::group_times, ratio(group.counts.times, group.records));
  set(Feature::group_prices, ratio(group.counts.prices, group.records));
  set(Feature::group_headings, ratio(group.counts.headings, group.records));
  set(Feature::group_images, ratio(group.images, group.records));
  set(Feature::group_runs, ratio(group.runs, group.records));
  set_group_place();
}

/// A page that is about its records has little other prose: an introduction above them or a guide below.
void FeatureExtractor::set_group_place() {
  const PageRecords::Group& group = records_.largest();
  const auto runs = static_cast<std::uint32_t>(outline_->runs().size());
  const std::uint32_t above = outline_->between(0, group.first_run).prose_chars;
  const std::uint32_t below = outline_->between(group.runs_end, runs).prose_chars;
  set(Feature::prose_above_group, static_cast<float>(above));
  set(Feature::prose_below_group, static_cast<float>(below));
  set(Feature::prose_beside_group, static_cast<float>(page_.prose_chars - group.text.prose_chars));
  const bool has_title = title_run_ < runs && group.records > 0;
  set(Feature::title_to_group,
      has_title ? static_cast<float>(group.first_run) - static_cast<float>(title_run_) : 0.0F);
}

/// URLs of articles end in the words of a title, those of lists in one word.
void FeatureExtractor::set_path(std::string_view path) {
  set_bits(kFirstPathHint, kPageHints, name_hints(path));
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string_view end = path.substr(path.rfind('/') + 1);  // npos becomes 0
  const auto count = [](std::string_view text, auto is_counted) {
    return static_cast<float>(std::ranges::count_if(text, is_counted));
  };
  set(Feature::path_depth, count(path, [](char c) { return c == '/'; }));
  set(Feature::path_end_length, static_cast<float>(end.size()));
  set(Feature::path_end_hyphens, count(end, [](char c) { return c == '-' || c == '_'; }));
  set(Feature::path_end_digits, count(end, [](char c) { return c >= '0' && c <= '9'; }));
}

void FeatureExtractor::set_records(std::uint32_t region) {
  if (const std::uint32_t inner = records_.inner(region); inner != inner_record_) {
    inner_record_ = inner;
    set_record(Feature::record_count, inner);
  }
  if (const std::uint32_t outer = records_.outer(region); outer != outer_record_) {
    outer_record_ = outer;
    set_record(Feature::outer_record_count, outer);
  }
  set(Feature::in_group, records_.is_in_largest(inner_record_) || records_.is_in_largest(outer_record_));
}

/// Sets the features of a record's group. `first` is the first of eleven consecutive features.
void FeatureExtractor::set_record(Feature first, std::uint32_t record) {
  const PageRecords::Group none;
  const PageRecords::Group& group = record == PageRecords::kNone ? none : records_.group(record);
  float* next = features_.data() + static_cast<std::size_t>(first);
  *next++ = static_cast<float>(group.records);
  *next++ = ratio(group.text.chars, page_.chars);
  *next++ = ratio(group.text.chars, group.records);
  *next++ = ratio(group.text.link_chars, group.text.chars);
  *next++ = ratio(group.text.prose_chars, group.text.chars);
  *next++ = ratio(group.runs, group.records);
  *next++ = ratio(group.counts.times, group.records);
  *next++ = ratio(group.counts.headings, group.records);
  *next++ = ratio(group.counts.linked_headings, group.records);
  *next++ = ratio(group.counts.prices, group.records);
  *next++ = ratio(group.images, group.records);
}

/// Sets the index of a run within its inner and its outer record.
void FeatureExtractor::set_record_places(std::uint32_t run) {
  const auto place = [&](std::uint32_t record) {
    return record == PageRecords::kNone ? -1.0F
                                        : static_cast<float>(run - outline_->regions()[record].first_run);
  };
  set(Feature::record_place, place(inner_record_));
  set(Feature::outer_record_place, place(outer_record_));
}

}  // namespace sheaf::extract
