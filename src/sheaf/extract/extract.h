#pragma once

#include "sheaf/encoding/encoding.h"
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/extract/content/site_profile.h"
#include "sheaf/html/parse_limits.h"
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
  /// The page's address. Without it the page's own canonical address is used; see Extraction::page.
  std::string_view url = {};
  std::string_view content_type =
      {};  ///< of the transport: "text/html; charset=utf-8"; empty if there was none
  std::string_view robots_header = {};  ///< the value of X-Robots-Tag, several joined by commas
  std::string_view file_name = {};      ///< of a Markdown page; the last resort for its date and title
  /// What `modified` becomes when the page names no date: a file's time, Last-Modified, a sitemap's lastmod.
  std::optional<Instant> fallback_modified = {};
  /// Dates more than a day later are not believed. Who wants to know of pages that are dated in the future
  /// sets it far away.
  Instant now = sheaf::now();
  LinkBlocks links = LinkBlocks::content;
  InlineStructure inline_structure = InlineStructure::leave_out;
  const html::Selector* content = nullptr;    ///< the user knows: what it matches is the content
  const html::Selector* leave_out = nullptr;  ///< ... and this is not
  const SiteProfile* site = nullptr;          ///< what is known of the site's other pages
  /// Of a page with a million nodes the content takes some 200 MB to find, of Markdown twice that. What comes
  /// after them is left out, and Extraction::limits says so.
  html::ParseLimits limits = {.input_bytes = 64U << 20, .nodes = 1'000'000};
};

struct Extraction {
  /// Views that live until the next extraction. Every required field is there, but: `url` is empty when
  /// neither the options nor the page name one, `modified` when there is neither a date nor a fallback, and
  /// `title` and `description` when there is neither text nor an address.
  Page page;
  encoding::Encoding encoding = encoding::Encoding::utf_8;
  encoding::EncodingSource encoding_source = encoding::EncodingSource::fallback;
  bool malformed_bytes = false;  ///< bytes that do not belong to the encoding became U+FFFD
  html::LimitsHit limits;
  bool has_own_title = true;  ///< false: the page names none, and `title` was made from its content or URL
  std::uint64_t shown_chars = 0;  ///< of an HTML page: characters of all its texts, content or not
  std::size_t merged_blocks = 0;  ///< text blocks joined to a neighbour to stay within the limit of a page
  // Of Markdown pages only.
  bool draft = false;                 ///< the front matter says that it is not to be published, or not yet
  Text permalink;                     ///< the address that the front matter gives, absolute; empty if none
  std::vector<std::string> problems;  ///< faults of the front matter, a sentence each
};

/// Turns HTML and Markdown pages into pages of a collection. Keeps its memory from page to page; one thread
/// at a time, any number of extractors beside one another.
class Extractor {
 public:
  Extractor();
  ~Extractor();
  Extractor(Extractor&& other) noexcept;
  Extractor& operator=(Extractor&& other) noexcept;

  /// `bytes` are the page as it came and must stay as long as the result is read. Never fails: what is not
  /// HTML at all gives a page without content.
  const Extraction& extract(std::string_view bytes, const ExtractOptions& options);

  /// The same for a Markdown page with or without front matter: all of it is content. Without a charset in
  /// the options it is UTF-8, unless a byte order mark says otherwise.
  const Extraction& extract_markdown(std::string_view bytes, const ExtractOptions& options);

  /// Counts the texts of an HTML page for what recurs on its site. The result of the last extraction is gone.
  void learn(std::string_view bytes, std::string_view content_type, SiteProfile& site);
  /// After extract(): the texts of the page that may belong to its site's template, of the first `most`,
  /// sorted by key and each once. Nothing if the content of the page was known without a model (by its
  /// generator or by a selector), because a template changes nothing there.
  [[nodiscard]] std::optional<std::vector<FrameText>> frame_texts(std::size_t most) const;

  /// Where the last HTML page leads to: absolute addresses without fragments, each once, in the order of the
  /// page; links marked `nofollow` are passed over, and all of them where the page asks for that.
  [[nodiscard]] std::vector<std::string> links() const;

  /// Which parts of the last HTML page were taken for content and what speaks for it, for people. Empty after
  /// a Markdown page, all of which is content.
  [[nodiscard]] std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sheaf::extract
