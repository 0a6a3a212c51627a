#pragma once

#include "sheaf/extract/content/site_profile.h"
#include "sheaf/extract/extract.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sheaf::crawl {

/// What the pages of a site have in common (navigation, footers): learned from the first pages of a crawl,
/// stored with its state, and used for the extraction of every page.
class SiteTemplate {
 public:
  explicit SiteTemplate(extract::SiteProfile profile);
  /// Returns null if the bytes are not those of a template.
  static std::shared_ptr<const SiteTemplate> load(std::string_view bytes);

  [[nodiscard]] const extract::SiteProfile& profile() const { return profile_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }  ///< equal templates have equal bytes
  /// A hash of the bytes. Identifies the template with which a page was extracted.
  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  extract::SiteProfile profile_;
  std::string bytes_;
  std::string id_;
};

/// Learns a template from pages. `body_of(page)` and `type_of(page)` give each page's HTML and Content-Type;
/// pages with an empty body are skipped. The same page under several URLs (redirects, tracking parameters)
/// counts once, or its content would look like a template.
template <class Pages, class BodyOf, class TypeOf>
std::shared_ptr<const SiteTemplate> learn_template(extract::Extractor& extractor, const Pages& pages,
                                                   BodyOf body_of, TypeOf type_of) {
  extract::SiteProfile profile;
  std::unordered_set<std::string_view> bodies;
  for (const auto& page : pages)
    if (!body_of(page).empty() && bodies.insert(body_of(page)).second)
      extractor.learn(body_of(page), type_of(page), profile);
  return std::make_shared<const SiteTemplate>(std::move(profile));
}

/// A template that one thread learns and other threads use.
class SharedTemplate {
 public:
  [[nodiscard]] std::shared_ptr<const SiteTemplate> get() const {
    const std::lock_guard lock(mutex_);
    return template_;
  }
  void set(std::shared_ptr<const SiteTemplate> learned) {
    const std::lock_guard lock(mutex_);
    template_ = std::move(learned);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SiteTemplate> template_;
};

}  // namespace sheaf::crawl

// How a publisher finds the template of a site: texts that are on most of its pages but are not content of
// any page (menus, footers, "Found a mistake?").
//
// A text that recurs is not necessarily part of the template: each page of a reference may begin with the
// same #include, each manual page may end with the same sentence. So headings, code and table cells never
// belong to it. Texts that consist of a link (menu entries) belong to it if most pages have them. Other texts
// belong to it if nearly every page has them, or if most pages have them and the model takes them for content
// on fewer than half of those.
//
// The template decides how every page is extracted, so it must be stable. If it were derived from all pages
// in each run, every added page could push a text near the threshold in or out, and pages would change
// although their source did not. Hence:
//
// - It is learned from a sample: the pages whose names have the smallest hashes. The same pages give the same
//   sample in any order and on any machine, without stored state. An added page changes at most one page of
//   the sample.
// - It is learned once and stored in the catalog. Pages that are added are extracted with it and change
//   nothing.
// - It is learned again only on request, or when a snapshot is written: then if most pages no longer have its
//   texts (the layout has changed, and so have the pages), or if the site has doubled since and the sample
//   was not full.
// - A text that is in the template stays in it with fewer pages than a new text needs (hysteresis), so
//   learning again from similar pages gives the same template.
//
// Rejected alternatives: counting all pages in a sketch while they are published (the counts are known only
// when the pages are written, so every page would have to be read twice), and a template for each version of
// a page (old pages would keep their menus for ever).
//
// A site with fewer than kMinPages pages has no template: texts that two pages share may be their content.
namespace sheaf::crawl {

/// Minimum number of sampled pages for a template.
inline constexpr std::size_t kMinPages = 10;

/// The pages from which a template is learned. Memory is bounded: kMaxPages pages of kMaxTexts hashes.
class TemplateSample {
 public:
  static constexpr std::size_t kMaxPages = 256;
  static constexpr std::size_t kMaxTexts = 4096;

  /// Counts a page. Returns true if the page belongs to the sample so far; the caller must then add() its
  /// texts.
  bool offer(std::string_view name);
  /// Adds the texts of the page that was offered last (Extractor::frame_texts). nullopt means that a template
  /// cannot change the page. Such a page still takes its place in the sample, so the sample depends on the
  /// names only.
  void add(const std::optional<std::vector<extract::FrameText>>& texts);

  [[nodiscard]] std::size_t offered() const { return offered_; }
  /// Sampled pages that a template may change.
  [[nodiscard]] std::size_t pages() const;
  /// A text, the number of sampled pages that have it, and on how many of these it was taken for content.
  struct Count {
    std::uint64_t key = 0;
    bool is_link = false;
    std::uint32_t pages = 0;
    std::uint32_t kept = 0;
  };
  /// Sorted by key.
  [[nodiscard]] std::vector<Count> count() const;
  /// The number of sampled pages that have at least half of the texts with these keys. `keys` must be sorted.
  [[nodiscard]] std::size_t pages_like(const std::vector<std::uint64_t>& keys) const;

 private:
  /// A FrameText in eight bytes: the two lowest bits hold its flags.
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

/// A template and the size of the sample it was learned from.
struct LearnedTemplate {
  std::size_t offered = 0;                         ///< pages of the source when it was learned
  std::size_t sampled = 0;                         ///< sampled pages that a template may change
  std::shared_ptr<const SiteTemplate> frame = {};  ///< null: no recurring texts, or too few pages

  [[nodiscard]] std::string save() const;
  /// Returns nullopt if the bytes are damaged or of another version: the template is then learned again.
  static std::optional<LearnedTemplate> load(std::string_view bytes);
};

/// Learns a template from a sample. Texts of the previous template `before` (may be null) stay in it with
/// fewer pages than new texts need.
LearnedTemplate learn_from_sample(const TemplateSample& sample, const LearnedTemplate* before);

/// The template of a site without recurring texts; records that the site was searched for them.
std::shared_ptr<const SiteTemplate> empty_template(std::size_t pages);

/// Whether a template must be learned again from this sample, and why.
enum class Relearn : std::uint8_t {
  no,
  grown,   ///< the site has doubled, and the sample was not full
  layout,  ///< most pages no longer have the template's texts
};
Relearn judge_template(const LearnedTemplate& before, const TemplateSample& sample);

}  // namespace sheaf::crawl
