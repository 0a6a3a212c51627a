#pragma once

#include "sheaf/encoding/encoding.h"
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/extract/content/site_profile.h"
#include "sheaf/html/parser.h"
#include "sheaf/visibility/page_rules.h"
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {
class Selector;
}

namespace sheaf::extract {

struct ExtractOptions {
  /// The page's URL. If empty, the page's own canonical URL is used; see Extraction::page.
  std::string_view url = {};
  std::string_view content_type = {};   ///< the HTTP Content-Type, "text/html; charset=utf-8"; may be empty
  std::string_view robots_header = {};  ///< the values of X-Robots-Tag, joined by commas
  std::string_view file_name = {};      ///< of a Markdown page; the last resort for its date and title
  /// Used as `modified` if the page has no date: a file's time, Last-Modified, a sitemap's lastmod.
  std::optional<Instant> fallback_modified = {};
  /// Dates more than a day after this are ignored. To see pages that are dated in the future, set it to a
  /// time far in the future.
  Instant now = sheaf::now();
  Instant present = sheaf::now();  ///< for publication and expiry dates
  LinkBlocks links = LinkBlocks::content;
  InlineStructure inline_structure = InlineStructure::leave_out;
  const html::Selector* content = nullptr;    ///< set by the user: what it matches is the content
  const html::Selector* leave_out = nullptr;  ///< set by the user: what it matches is not content
  const SiteProfile* site = nullptr;          ///< what recurs on the site's other pages
  /// Extracting a page with a million nodes takes about 200 MB of memory, and twice that for Markdown. Input
  /// beyond the limits is ignored; Extraction::limits says which limits were reached.
  html::ParseLimits limits = {.input_bytes = 64U << 20, .nodes = 1'000'000};
};

struct Extraction {
  /// Its views are valid until the next extract(), extract_markdown() or learn(). All required fields are
  /// set, with these exceptions: `url` is empty if neither the options nor the page have one, `modified` if
  /// there is neither a date nor a fallback, and `title` and `description` if there is neither text nor a
  /// URL.
  Page page;
  encoding::Encoding encoding = encoding::Encoding::utf_8;
  encoding::EncodingSource encoding_source = encoding::EncodingSource::fallback;
  bool malformed_bytes = false;  ///< bytes that are invalid in the encoding were replaced by U+FFFD
  html::LimitsHit limits;
  bool has_own_title = true;  ///< false if the page has no title: `title` was made from its content or URL
  std::uint64_t shown_chars = 0;  ///< of an HTML page: characters of all its texts, content or not
  std::size_t merged_blocks = 0;  ///< text blocks merged into a neighbour to respect the limit per page
  visibility::Verdict verdict;    ///< by front matter and `unavailable_after`; noindex is in page.robots
  bool has_end = false;           ///< the verdict changes with time: the page has `unavailable_after`
  // Of Markdown pages only.
  Text permalink;                     ///< the absolute URL that the front matter gives; empty if none
  std::vector<std::string> problems;  ///< faults of the front matter, a sentence each
};

/// Turns HTML and Markdown pages into pages of a collection. Reuses its memory from page to page. Not
/// thread-safe; use one extractor per thread.
class Extractor {
 public:
  Extractor();
  ~Extractor();
  Extractor(Extractor&& other) noexcept;
  Extractor& operator=(Extractor&& other) noexcept;

  /// `bytes` is the page as received and must outlive the result. Never fails: input that is not HTML gives a
  /// page without content.
  const Extraction& extract(std::string_view bytes, const ExtractOptions& options);

  /// Extracts a Markdown page with or without front matter; the whole body is content. Without a charset in
  /// the options it is decoded as UTF-8, unless it has another byte order mark.
  const Extraction& extract_markdown(std::string_view bytes, const ExtractOptions& options);

  /// Adds the texts of an HTML page to `site`, which counts what recurs on its pages. Invalidates the result
  /// of the last extraction.
  void learn(std::string_view bytes, std::string_view content_type, SiteProfile& site);
  /// After extract(): the first `most` texts of the page that may belong to its site's template, sorted by
  /// key and without duplicates. nullopt if the content was found without the model (by its generator or by a
  /// selector), because a template changes nothing then.
  [[nodiscard]] std::optional<std::vector<FrameText>> frame_texts(std::size_t most) const;

  /// The URLs that the last HTML page links to: absolute, without fragments or duplicates, in the order of
  /// the page. Skips links marked `nofollow`; empty if the page itself is marked `nofollow` or `none`.
  [[nodiscard]] std::vector<std::string> links() const;

  /// Explains in readable text which parts of the last HTML page were taken for content, and why. Empty after
  /// a Markdown page, because its whole body is content.
  [[nodiscard]] std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sheaf::extract
