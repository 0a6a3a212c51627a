#pragma once

#include "sheaf/extract/content/content_records.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// What a box inside an article is, if it is not part of the article.
enum class BoxKind : std::uint8_t {
  none,  ///< part of the article
  navigation,
  share,
  related,
  advert,
  newsletter,
  consent,
  author,
  comments,
  tags,
  byline,
  form,
  product,
  sidebar,
  count
};
std::string_view to_string(BoxKind kind);

/// Elements that authors use inside their texts: code, tables, figures, headings. Their names say nothing:
/// `language-bash`, `table-responsive`.
bool is_of_text(html::Name element);

/// Recognises boxes by what they are: their element and role, forms, links, repeated cards, the words that
/// they begin with, and their names as one piece of evidence among these. What stands around a box has no
/// say, so the answer for one box never depends on another. Reuses its memory from page to page.
class BoxJudge {
 public:
  /// Both arguments must outlive the calls of judge().
  void build(const html::Document& document, const PageOutline& outline);

  /// What a region is. Constant time, but for regions with form controls.
  [[nodiscard]] BoxKind judge(std::uint32_t region) const;

 private:
  struct Counts {                  // over a stretch of runs
    std::uint32_t link_runs = 0;   ///< runs that are mostly links
    std::uint32_t headlines = 0;   ///< those of them that are long enough to be titles of pages
    std::uint32_t link_chars = 0;  ///< characters of link runs
    std::uint32_t code_chars = 0;  ///< of code and cells
    std::uint32_t prices = 0;
  };
  struct Box;  // what is known of the region in question

  [[nodiscard]] Counts between(std::uint32_t first, std::uint32_t end) const;
  [[nodiscard]] Box look_at(std::uint32_t region) const;
  [[nodiscard]] std::uint32_t words_of(std::uint32_t run) const;
  void look_at_controls(Box& box) const;

  const html::Document* document_ = nullptr;
  const PageOutline* outline_ = nullptr;
  std::vector<Counts> before_;                  // for each run, counts over the runs before it
  std::vector<std::uint32_t> controls_before_;  // for each region, of the regions before it
  std::vector<std::uint32_t> images_before_;
};

}  // namespace sheaf::extract
