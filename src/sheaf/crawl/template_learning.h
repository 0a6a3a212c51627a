#pragma once

#include "sheaf/crawl/site_template.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

// How a publisher finds the template of a site: the texts that are on most of its pages but are not content
// of any page (menus, footers, "Found a mistake?").
//
// Recurring alone is not enough: each page of a reference may begin with the same #include, each manual page
// may end in the same sentence. So headings, code and cells never belong to it; entries of menus (texts that
// are all link) do if most pages have them; other texts only if the model takes them for content on fewer
// than half of the pages that have them, or nearly every page has them.
//
// What is learned decides how every page is extracted, so it must not move. If it was derived from all pages
// in each run, a text near the threshold would be in or out with every page that is added, and pages would
// change whose source did not. Hence:
//
// - It is learned from a sample: the pages whose names have the smallest hashes. The same pages give the same
//   sample in any order, on any machine, without a state; one page more changes it by one page at most.
// - It is learned once and kept with what was published. Pages that are added are extracted with it and
// change
//   nothing.
// - It is learned again only when a snapshot is written, and only if the site has doubled since (as long as
// the
//   sample was smaller than it may be) or shows another layout: then its pages changed anyway. Or when asked
//   for.
// - A text that is in the template stays in it with fewer pages than one needs to come in (hysteresis), so
// that
//   learning again with similar pages gives the same.
//
// Turned down: counting in a sketch over all pages while they are published, which is known only when they
// are written and so needs every page to be read twice; and a template for each version of a page, which
// would keep menus in old pages for ever.
//
// A site of fewer than kFewestPages pages has no template: what two pages have in common may be their
// content.
namespace sheaf::crawl {

/// Fewer pages have no template.
inline constexpr std::size_t kFewestPages = 10;

/// The pages from which a template is learned. Memory is bounded: kMostPages pages of kMostTexts hashes.
class TemplateSample {
 public:
  static constexpr std::size_t kMostPages = 256;
  static constexpr std::size_t kMostTexts = 4096;

  /// Counts a page. True: it belongs to the sample as far as that is known, and its texts are to be added.
  bool offer(std::string_view name);
  /// The texts of the page that was offered last (Extractor::frame_texts); nothing for a page that a template
  /// cannot change, which takes its place all the same, so that no other page is looked at instead of it.
  void add(const std::optional<std::vector<extract::FrameText>>& texts);

  [[nodiscard]] std::size_t offered() const { return offered_; }
  /// Pages of the sample that a template may change.
  [[nodiscard]] std::size_t pages() const;
  /// A text, on how many pages of the sample it stands, and on how many of these it was taken for content.
  struct Count {
    std::uint64_t key = 0;
    bool is_link = false;
    std::uint32_t pages = 0;
    std::uint32_t kept = 0;
  };
  /// Sorted by key.
  [[nodiscard]] std::vector<Count> count() const;
  /// The number of pages that have at least half of the texts with these keys, which are sorted.
  [[nodiscard]] std::size_t pages_like(const std::vector<std::uint64_t>& keys) const;

 private:
  /// A FrameText in eight bytes: the last two bits say the rest.
  using PackedText = std::uint64_t;
  struct SampledPage {
    std::uint64_t rank = 0;
    bool is_judged = false;
    std::vector<PackedText> texts;
    friend bool operator<(const SampledPage& a, const SampledPage& b) { return a.rank < b.rank; }
  };
  std::vector<SampledPage> pages_;  ///< a heap, the highest rank first
  std::uint64_t rank_ = 0;          ///< of the page that was offered last
  std::size_t offered_ = 0;
};

/// A template and what is known of how it was learned.
struct LearnedTemplate {
  std::size_t offered = 0;                         ///< pages of the source then
  std::size_t sampled = 0;                         ///< of these, in the sample
  std::shared_ptr<const SiteTemplate> frame = {};  ///< null: nothing recurs, or there were too few pages

  [[nodiscard]] std::string save() const;
  /// Nothing for bytes of another version, or damaged ones: the template is then learned again.
  static std::optional<LearnedTemplate> load(std::string_view bytes);
};

/// What a template is learned from: its own texts stay longer than others take to come in.
LearnedTemplate learn_from_sample(const TemplateSample& sample, const LearnedTemplate* before);

/// For a site without recurring texts: records that they were searched.
std::shared_ptr<const SiteTemplate> empty_template(std::size_t pages);

/// Whether a template that was learned before is to be learned again from this sample.
enum class Relearn : std::uint8_t {
  no,
  grown,   ///< the site is twice as large, and the sample was smaller than it may be
  layout,  ///< most pages do not have the template's texts any more
};
Relearn judge_template(const LearnedTemplate& before, const TemplateSample& sample);

}  // namespace sheaf::crawl
