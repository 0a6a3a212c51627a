#pragma once

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sheaf::extract {

/// Words in headings above parts that are not content.
inline constexpr std::uint32_t kForeignWords =
    kHintComment | kHintShare | kHintRelated | kHintAdvert | kHintNotice | kHintTags;

/// The score of a text that is beyond doubt no content: no mark around it changes that.
inline constexpr float kBeyondDoubt = -6;

/// Whether its element, class or id calls a region something else than content.
bool is_foreign(const PageOutline& outline, std::uint32_t region);

/// What a page's author marks as its content: the only `main`, the only `article`. The score is unsure of
/// short texts, for little of what it asks shows in them; there the mark decides, unless something speaks
/// clearly against it. And what of a page's frame stands outside the mark is never content.
class MarkedContent {
 public:
  void find(const html::Document& document, const PageOutline& outline);

  /// Up for runs inside the mark, the more the shorter it is; down for the page's frame outside of it.
  void move_scores(const PageOutline& outline, std::span<float> scores);

  /// The runs among which the content is: all, if nothing is marked.
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

  std::uint32_t trusted_ = kNone;  // what is inside is content, if nothing speaks against it
  bool lists_pages_ = false;       // it holds several articles: their headings may lead to them
  std::uint32_t first_run_ = 0;    // of what is around that; outside is the page's frame
  std::uint32_t runs_end_ = 0;
  std::vector<std::uint8_t> foreign_;  // regions from `trusted_` on: something else, or inside of that
};

}  // namespace sheaf::extract
