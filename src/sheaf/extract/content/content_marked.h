#pragma once

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::extract {

/// Hints of words in headings above parts that are not content.
inline constexpr std::uint32_t kForeignWords =
    kHintComment | kHintShare | kHintRelated | kHintAdvert | kHintNotice | kHintTags;

/// The score of a text that is certainly not content, even if it is inside a mark.
inline constexpr float kCertainlyNotContent = -6;

/// Whether the element, class or id of a region says that it is not content.
bool is_foreign(const PageOutline& outline, std::uint32_t region);

/// What the author of a page has marked as its content: the only `main` or the only `article`. The model is
/// unsure about short texts, because they show little of what its features measure; then the mark decides,
/// unless there is clear evidence against it. Parts of the page's frame outside of the mark are never
/// content.
class MarkedContent {
 public:
  void find(const html::Document& document, const PageOutline& outline);

  /// Raises the scores of runs inside the mark, the more the shorter its text is, and lowers those of the
  /// page's frame outside of it. `has_text`: the text of the page is known already, so the mark says less.
  void move_scores(const PageOutline& outline, std::span<float> scores, bool has_text);

  /// The content is in the runs [first_run, runs_end): all runs, if nothing is marked.
  [[nodiscard]] std::uint32_t first_run() const { return first_run_; }
  [[nodiscard]] std::uint32_t runs_end() const { return runs_end_; }

 private:
  static constexpr std::uint32_t kNone = PageOutline::kNoRegion;

  void note_foreign(const PageOutline& outline);
  [[nodiscard]] bool is_beside(const PageOutline& outline, std::uint32_t region) const;
  [[nodiscard]] bool in_foreign(const TextRun& run) const { return foreign_[run.region - trusted_] != 0; }
  [[nodiscard]] bool leads_elsewhere(const TextRun& run) const;
  [[nodiscard]] float trust(const PageOutline& outline, std::span<const float> scores) const;
  void trust_inside(const PageOutline& outline, std::span<float> scores, float worth) const;
  void leave_out_frame(const PageOutline& outline, std::span<float> scores, float worth) const;

  std::uint32_t trusted_ = kNone;  // region whose inside is content unless something speaks against it
  bool lists_pages_ = false;       // the page has several articles, whose headings may link to them
  std::uint32_t first_run_ = 0;    // of `main`, else of the article; the page's frame is outside
  std::uint32_t runs_end_ = 0;
  std::vector<std::uint8_t> foreign_;  // for regions from `trusted_` on: not content, or inside such a region
};

}  // namespace sheaf::extract
