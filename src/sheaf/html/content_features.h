#pragma once

#include "sheaf/html/hint_words.h"
#include "sheaf/html/page_outline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace sheaf::html {

// What the content model knows of a run of text. The names are for the program that trains it and for
// --explain; the order is the model's.
// clang-format off: it cannot lay out a list of calls, and lays it out differently each time.
#define SHEAF_CONTENT_FEATURES(X)                                                                   \
  /* the run itself */                                                                              \
  X(manual) X(code_per_run) X(chars) X(words) X(link_share) X(links) X(bold_share) X(marks)         \
  X(commas) X(digit_share) X(capital_share) X(italic_share) X(handles) X(ends_colon) X(ends_cut)    \
  X(body_share) X(word_length) X(ends_sentence) X(title_share) X(heading_level) X(is_cell)          \
  X(is_definition) X(is_code) X(is_caption) X(is_other) X(place) X(chars_place) X(prose_before)     \
  X(prose_after) X(after_title) X(before_best_prose) X(after_best_prose) X(same_style_prose)        \
  X(parent_style_prose) X(previous_prose_distance) X(next_prose_distance) X(since_heading)          \
  X(heading_hints_bad)                                                                              \
  /* its neighbours */                                                                              \
  X(previous_chars) X(previous_link_share) X(next_chars) X(next_link_share) X(around_prose_share)   \
  X(around_link_share)                                                                              \
  /* the regions around it, from the inside out */                                                  \
  X(own_chars) X(own_link_share) X(own_twins) X(parent_chars) X(parent_link_share)                  \
  X(parent_prose_share) X(parent_runs) X(parent_twins) X(parent_images) X(grand_chars)              \
  X(grand_link_share) X(grand_prose_share) X(grand_runs) X(grand_twins) X(outer_chars)              \
  X(outer_link_share) X(outer_prose_share) X(most_twins) X(list_link_share) X(list_items)           \
  /* how much of the page's prose lies in the regions around it */                                  \
  X(prose_in_parent) X(prose_in_grand) X(prose_in_outer) X(prose_in_sixth)                          \
  /* the region that holds most of the prose */                                                     \
  X(depth_in_best) X(good_hint_level) X(bad_hint_level) X(in_best) X(levels_to_best) X(beside_best) \
  X(after_best)                                                                                     \
  /* elements around it */                                                                          \
  X(in_article) X(in_nav) X(in_header) X(in_footer) X(in_aside) X(in_figure) X(in_table) X(in_list) \
  X(article_prose_share) X(main_prose_share)
// clang-format on

enum class Feature : std::uint8_t {
#define SHEAF_FEATURE(name) name,
  SHEAF_CONTENT_FEATURES(SHEAF_FEATURE)
#undef SHEAF_FEATURE
      count
};

// After the named ones come hints, each a feature of 0 or 1.
inline constexpr Hint kNearHints[] = {kHintContent, kHintComment, kHintByline, kHintCaption, kHintLead};
inline constexpr Hint kAllHints[] = {kHintContent, kHintComment, kHintNavigation, kHintFooter, kHintSidebar,
                                     kHintByline,  kHintCaption, kHintAbout,      kHintList};
inline constexpr Hint kTextHints[] = {kHintComment, kHintShare,     kHintRelated, kHintNavigation,
                                      kHintAdvert,  kHintNotice,    kHintByline,  kHintCaption,
                                      kHintAbout,   kHintReference, kHintMore};
inline constexpr std::size_t kNamedFeatures = static_cast<std::size_t>(Feature::count);
inline constexpr std::size_t kFeatureCount =
    kNamedFeatures + std::size(kNearHints) + std::size(kAllHints) + std::size(kTextHints);
using Features = std::array<float, kFeatureCount>;

/// Whether a feature takes a look at the words of a run.
constexpr bool is_of_words(std::size_t feature) {
  return feature == static_cast<std::size_t>(Feature::title_share) ||
         feature == static_cast<std::size_t>(Feature::body_share) ||
         feature >= kFeatureCount - std::size(kTextHints);
}

/// Computes the features of the runs of one page. Keeps its memory from page to page.
class FeatureMaker {
 public:
  /// What concerns the page as a whole. The outline must stay as long as make() is called.
  void begin(const PageOutline& outline);
  /// Good until the next call. Runs are best asked for in order: what stays the same from one to the next (of
  /// the page, and of the regions around neighbours) is not computed again.
  const Features& make(std::uint32_t run);
  /// The same without what only the run's words tell (is_of_words), which add_words() fills in.
  const Features& make_wordless(std::uint32_t run);
  void add_words(std::uint32_t run);

 private:
  struct Place {                       // of a run among the others
    std::uint32_t previous_prose = 0;  // distance in runs
    std::uint32_t next_prose = 0;
    std::uint32_t heading = 0;  // index of the last heading before it, plus one
    bool heading_is_bad = false;
  };

  static constexpr std::uint32_t kFarLevel = 20;
  // All of one size: each is read as it was written, mostly a moment ago.
  struct Around {                               // of a region: what holds it; levels count from itself
    std::uint32_t elements = 0;                 // bits
    std::uint32_t article = 0;                  // the innermost, plus one
    std::uint32_t list = 0;                     // the innermost
    std::uint32_t good_hint_level = kFarLevel;  // to the next that is called content
    std::uint32_t bad_hint_level = kFarLevel;   // ... or something else
    std::uint32_t best_level = kFarLevel;       // to the best region, from inside
    std::uint32_t best_distance = 0;            // to one that holds the best region; 0 also inside it
  };

  void find_places();
  void find_best();
  void look_around();
  [[nodiscard]] std::uint32_t most_twins(std::uint32_t region, int levels) const;
  void sum_styles();
  void set(Feature feature, float value) { features_[static_cast<std::size_t>(feature)] = value; }
  void set(Feature feature, bool value) { set(feature, value ? 1.0F : 0.0F); }
  void set_page();
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
  Features features_{};
  // Of which features_ speak: what neighbours share is not set again.
  std::uint32_t region_ = kNone;
  std::uint32_t parent_ = kNone;
  std::uint32_t grand_ = kNone;
  std::uint32_t article_ = kNone;
  std::uint32_t list_ = kNone;
  std::optional<std::uint32_t> signature_;
  std::uint32_t near_hints_ = 0;
  std::uint32_t all_hints_ = 0;
  std::uint32_t elements_ = 0;
  std::uint32_t outer_twins_ = 0;  // of the parent and those around it
  std::vector<Place> places_;
  std::vector<Around> around_;  // of regions
  std::vector<double> scores_;
  struct Style {
    std::uint32_t signature = 0;
    std::uint32_t prose = 0;
  };
  std::vector<Style> styles_;         // prose in regions that look alike, by signature
  std::vector<std::uint32_t> prose_;  // runs
  TextSums page_;
  std::uint32_t best_ = 0;
  std::uint32_t main_ = 0;  // the region of <main>, plus one
  std::uint32_t title_run_ = 0;
  std::uint32_t first_best_prose_ = 0;  // runs
  std::uint32_t last_best_prose_ = 0;
};

}  // namespace sheaf::html
