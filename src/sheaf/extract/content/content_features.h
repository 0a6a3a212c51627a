#pragma once

#include "sheaf/extract/content/content_records.h"
#include "sheaf/extract/content/declared_text.h"
#include "sheaf/extract/outline/declared_page.h"
#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/extract/outline/page_outline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::extract {

// What the content model knows about a run of text. The model refers to features by index, so a change of
// their order needs a new content_model_data.cpp.
// clang-format off: it cannot lay out a list of calls, and lays it out differently each time.
#define SHEAF_CONTENT_FEATURES(X)                                                                   \
  /* the run itself */                                                                              \
  X(manual) X(code_per_run) X(chars) X(words) X(link_share) X(links) X(bold_share) X(marks)         \
  X(commas) X(digit_share) X(capital_share) X(italic_share) X(handles) X(ends_colon) X(ends_cut)    \
  X(word_length) X(ends_sentence) X(heading_level) X(is_cell)                                       \
  X(is_definition) X(is_code) X(is_caption) X(is_other) X(place) X(chars_place) X(prose_before)     \
  X(prose_after) X(after_title) X(before_best_prose) X(after_best_prose) X(same_style_prose)        \
  X(parent_style_prose) X(previous_prose_distance) X(next_prose_distance) X(since_heading)          \
  X(heading_hints_bad) X(has_time) X(names_price) X(copies) X(is_copy)                              \
  X(heading_comment) X(heading_related) X(heading_notice) X(heading_product) X(heading_more)        \
  /* its neighbours */                                                                              \
  X(previous_chars) X(previous_link_share) X(next_chars) X(next_link_share) X(around_prose_share)   \
  X(around_link_share) X(previous_heading) X(next_heading) X(around_times) X(around_prices)         \
  X(images_above) X(images_below)                                                                   \
  /* the regions around it, from the inside out */                                                  \
  X(own_chars) X(own_link_share) X(own_twins) X(own_images) X(parent_chars) X(parent_link_share)    \
  X(parent_prose_share) X(parent_runs) X(parent_twins) X(parent_images) X(parent_controls)          \
  X(grand_chars) X(grand_link_share) X(grand_prose_share) X(grand_runs) X(grand_twins)              \
  X(grand_controls) X(outer_chars) X(outer_link_share) X(outer_prose_share) X(most_twins)           \
  X(list_link_share) X(list_items)                                                                  \
  /* the innermost record around it, and all that look like it */                                   \
  X(record_place) X(record_count) X(record_share) X(record_chars) X(record_links) X(record_prose)   \
  X(record_runs) X(record_times) X(record_headings) X(record_linked_headings) X(record_prices)      \
  X(record_images)                                                                                  \
  /* the outermost */                                                                               \
  X(outer_record_place) X(outer_record_count) X(outer_record_share) X(outer_record_chars)           \
  X(outer_record_links) X(outer_record_prose) X(outer_record_runs) X(outer_record_times)            \
  X(outer_record_headings) X(outer_record_linked_headings) X(outer_record_prices)                   \
  X(outer_record_images)                                                                            \
  /* how much of the page's prose lies in the regions around it */                                  \
  X(prose_in_parent) X(prose_in_grand) X(prose_in_outer) X(prose_in_sixth)                          \
  /* the region that holds most of the prose */                                                     \
  X(depth_in_best) X(good_hint_level) X(bad_hint_level) X(in_best) X(levels_to_best) X(beside_best) \
  X(after_best)                                                                                     \
  /* elements around it */                                                                          \
  X(in_article) X(in_nav) X(in_header) X(in_footer) X(in_aside) X(in_figure) X(in_table) X(in_list) \
  X(in_main) X(in_form) X(article_prose_share) X(main_prose_share)                                  \
  /* the page as a whole */                                                                         \
  X(page_chars) X(page_runs) X(page_prose_share) X(page_link_share) X(page_prose_runs)              \
  X(page_headings) X(page_linked_headings) X(page_times) X(page_prices) X(page_images)              \
  X(page_controls) X(page_articles) X(page_comments) X(page_posts) X(page_products)                 \
  X(group_share) X(group_count) X(group_links) X(group_prose) X(group_times) X(group_prices)        \
  X(group_headings) X(best_prose_share) X(path_depth) X(path_end_length) X(path_end_hyphens)        \
  X(path_end_digits)                                                                                \
  /* where the largest group of records stands, and whether the run is in it */                     \
  X(in_group) X(group_images) X(group_runs) X(prose_above_group) X(prose_below_group)               \
  X(prose_beside_group) X(title_to_group)
// clang-format on

enum class Feature : std::uint8_t {
#define SHEAF_FEATURE(name) name,
  SHEAF_CONTENT_FEATURES(SHEAF_FEATURE)
#undef SHEAF_FEATURE
      count
};

// After the named features come hints, each a feature of 0 or 1.
inline constexpr Hint kNearHints[] = {kHintContent, kHintComment, kHintShare,  kHintRelated, kHintNavigation,
                                      kHintHeader,  kHintAdvert,  kHintNotice, kHintByline,  kHintTags,
                                      kHintCaption, kHintHidden,  kHintForm,   kHintLead,    kHintTitle,
                                      kHintAbout,   kHintList,    kHintMore,   kHintProduct, kHintPost,
                                      kHintPanel,   kHintReview,  kHintConsent};
inline constexpr Hint kAllHints[] = {kHintContent, kHintComment, kHintShare,   kHintRelated, kHintNavigation,
                                     kHintFooter,  kHintHeader,  kHintSidebar, kHintAdvert,  kHintNotice,
                                     kHintByline,  kHintTags,    kHintCaption, kHintHidden,  kHintForm,
                                     kHintGallery, kHintAbout,   kHintList,    kHintProduct, kHintPost,
                                     kHintArchive, kHintPanel,   kHintSection, kHintReview,  kHintConsent};
/// Hints of the page: of its body's class and of its path.
inline constexpr Hint kPageHints[] = {kHintContent, kHintProduct, kHintPost,  kHintArchive,
                                      kHintManual,  kHintSection, kHintAbout, kHintPanel};
inline constexpr Hint kTextHints[] = {
    kHintComment, kHintShare,  kHintRelated, kHintNavigation, kHintFooter, kHintAdvert,
    kHintNotice,  kHintByline, kHintCaption, kHintTags,       kHintAbout,  kHintReference,
    kHintMore,    kHintDate,   kHintPost,    kHintProduct,    kHintReview, kHintConsent};
inline constexpr std::size_t kNamedFeatures = static_cast<std::size_t>(Feature::count);
inline constexpr std::size_t kFirstNearHint = kNamedFeatures;
inline constexpr std::size_t kFirstAllHint = kFirstNearHint + std::size(kNearHints);
inline constexpr std::size_t kFirstBodyHint = kFirstAllHint + std::size(kAllHints);
inline constexpr std::size_t kFirstPathHint = kFirstBodyHint + std::size(kPageHints);
inline constexpr std::size_t kFirstKind = kFirstPathHint + std::size(kPageHints);
/// Hints of a run's last words: captions end with credits, requests with a link to subscribe.
inline constexpr Hint kTailHints[] = {kHintCaption, kHintNotice,  kHintShare, kHintAdvert,
                                      kHintMore,    kHintRelated, kHintAbout};
/// From here on, features need the words of a run: the hints of its first words, the hints of its last words,
/// then the others.
inline constexpr std::size_t kFirstOfWords = kFirstKind + kDeclaredKinds;
inline constexpr std::size_t kFirstTailHint = kFirstOfWords + std::size(kTextHints);
inline constexpr std::size_t kTitleShare = kFirstTailHint + std::size(kTailHints);
inline constexpr std::size_t kBodyShare = kTitleShare + 1;
inline constexpr std::size_t kDescriptionShare = kBodyShare + 1;
inline constexpr std::size_t kSiteWords = kDescriptionShare + 1;  // words of the site's name in the tail
inline constexpr std::size_t kAfterCredit = kSiteWords + 1;  // bytes from the last copyright sign on, else -1
/// From here on, features describe the surroundings (content_context.h).
inline constexpr std::size_t kFirstOfContext = kAfterCredit + 1;
inline constexpr std::size_t kContextFeatures = 25;
inline constexpr std::size_t kFeatureCount = kFirstOfContext + kContextFeatures;
using Features = std::array<float, kFeatureCount>;

/// Computes the features of the runs of one page. Reuses its memory from page to page.
class FeatureExtractor {
 public:
  /// Starts a page and computes the features that all its runs share. `outline` and `text` must outlive the
  /// calls of the functions below.
  void begin(const PageOutline& outline, const DeclaredText& text, const DeclaredPage& page);
  /// Computes all features but those of the surroundings. The result is valid until the next call. Fastest if
  /// called for the runs in order, because features that neighbours share (of the page and of the regions
  /// around them) are not computed again.
  Features& make(std::uint32_t run);
  /// The same without the features that need the run's words; add_words() computes these.
  const Features& make_wordless(std::uint32_t run);
  void add_words(std::uint32_t run);
  [[nodiscard]] const PageRecords& records() const { return records_; }

 private:
  struct Place {                       // position of a run relative to the others
    std::uint32_t previous_prose = 0;  // distance in runs
    std::uint32_t next_prose = 0;
    std::uint32_t heading = 0;        // index of the last heading before it, plus one
    std::uint32_t heading_hints = 0;  // of the heading's words; 0 for a long heading
  };

  static constexpr std::uint32_t kFarLevel = 20;
  // What is around a region. Levels count from the region itself. All members have the same size, because
  // each is read soon after it was written.
  struct Around {
    std::uint32_t elements = 0;                 // bits of Element
    std::uint32_t article = 0;                  // the innermost article, plus one
    std::uint32_t list = 0;                     // the innermost list
    std::uint32_t good_hint_level = kFarLevel;  // levels to the nearest region with kHintContent
    std::uint32_t bad_hint_level = kFarLevel;   // levels to the nearest region with a hint of kBadRegion
    std::uint32_t best_level = kFarLevel;       // levels to the best region, if inside it
    std::uint32_t best_distance = 0;  // levels to a region around the best one; 0 also inside the best
  };

  void find_places();
  void find_best();
  void look_around();
  [[nodiscard]] std::uint32_t most_twins(std::uint32_t region, int levels) const;
  void sum_styles();  // content_styles.cpp
  void set(Feature feature, float value) { features_[static_cast<std::size_t>(feature)] = value; }
  void set(Feature feature, bool value) { set(feature, value ? 1.0F : 0.0F); }
  // content_page_features.cpp: features of the whole page and of its records
  void set_page(const DeclaredPage& declared);
  void set_region_counts();
  void set_largest_group();
  void set_group_place();
  void set_path(std::string_view path);
  void set_bits(std::size_t first, std::span<const Hint> hints, std::uint32_t bits);
  void set_records(std::uint32_t region);
  void set_record(Feature first, std::uint32_t record);
  void set_record_places(std::uint32_t run);
  // content_word_features.cpp: features of a run's words
  void read_names(const DeclaredPage& page);
  void set_tail(const TextRun& run);
  void set_text(const TextRun& run);
  void set_place(std::uint32_t run);
  void set_neighbours(std::uint32_t run);
  void set_region(std::uint32_t region);
  void set_around(std::uint32_t region);
  void set_hints(std::uint32_t near, std::uint32_t all);
  void set_elements(std::uint32_t elements);
  void set_list(std::uint32_t list);
  void set_outer_regions(std::uint32_t parent);
  void set_far_regions(std::uint32_t grand);
  [[nodiscard]] std::size_t style_slot(std::uint32_t signature) const;

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const PageOutline* outline_ = nullptr;
  const DeclaredText* declared_ = nullptr;
  DeclaredText description_;
  std::vector<std::uint32_t> site_words_;  // hashes, sorted
  Features features_{};
  // What features_ currently describe, so that features that neighbours share are not set again.
  std::uint32_t region_ = kNone;
  std::uint32_t parent_ = kNone;
  std::uint32_t grand_ = kNone;
  std::uint32_t article_ = kNone;
  std::uint32_t list_ = kNone;
  std::optional<std::uint32_t> signature_;
  std::uint32_t near_hints_ = 0;
  std::uint32_t all_hints_ = 0;
  std::uint32_t elements_ = 0;
  std::uint32_t inner_record_ = kNone;
  std::uint32_t outer_record_ = kNone;
  PageRecords records_;
  std::uint32_t outer_twins_ = 0;  // the most twins among the parent and the regions around it
  std::vector<Place> places_;
  std::vector<Around> around_;  // per region
  std::vector<double> scores_;
  struct Style {
    std::uint32_t signature = 0;
    std::uint32_t prose = 0;
  };
  std::vector<Style> styles_;         // characters of prose by signature of the region; a hash table
  std::vector<std::uint32_t> prose_;  // the runs that are prose
  TextSums page_;
  std::uint32_t best_ = 0;
  std::uint32_t main_ = 0;  // the region of <main>, plus one
  std::uint32_t title_run_ = 0;
  std::uint32_t first_best_prose_ = 0;  // first run of prose in the best region
  std::uint32_t last_best_prose_ = 0;   // last run of prose in the best region
};

}  // namespace sheaf::extract
