// sheaf/extract.h - pages from HTML and Markdown
//
// A PageExtractor finds the content of an HTML page, leaves navigation and advertisements out, and turns it
// and the page's metadata into a Page. It does the same for Markdown with front matter, all of which is
// content. How content is found: docs/extraction.md.
//
//     #include <sheaf/extract.h>
//     #include <sheaf/markdown.h>
//
//     #include <cstdio>
//
//     int main() {
//       sheaf::PageExtractor extractor;  // keeps its memory from page to page
//       sheaf::ExtractionOptions options;
//       options.url = "https://shop.example/hello";
//       options.fallback_modified = sheaf::now();
//       const sheaf::ExtractedPage& extracted = extractor.extract_html(
//           "<html lang=en><title>Hello</title><main><h1>Hello</h1><p>A first page.</p></main>", options);
//       std::puts(sheaf::page_markdown(extracted.page).c_str());
//       return extracted.page.title == "Hello" ? 0 : 1;
//     }
//
// Lifetimes: the result lives until the next extraction, and the bytes must live as long. Hand the page to a
// Writer, encode it (page_json) or copy it (sheaf/page.h) first.
//
// Errors: extraction never fails; what is not HTML gives a page without content. select() and leave_out()
// fail for a selector that is not CSS.
//
// Threads: one at a time for each extractor; any number of extractors.
#pragma once

#include <sheaf/error.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// What is known of a page besides its bytes. Views are read during the call only.
struct ExtractionOptions {
  std::string_view url = {};            ///< of the page; its own canonical URL unless given
  std::string_view content_type = {};   ///< the HTTP header: "text/html; charset=utf-8"
  std::string_view robots_header = {};  ///< X-Robots-Tag, several joined by commas
  std::string_view file_name = {};      ///< of a Markdown page: the last resort for its date and title
  /// `modified` of a page that names no date: a file's time, Last-Modified, a sitemap's lastmod.
  std::optional<Instant> fallback_modified = {};
  /// Dates more than a day after this are not believed; the current time unless given.
  std::optional<Instant> now = {};
};

struct ExtractedPage {
  /// Every required field is set, but: `url` is empty when neither the options nor the page name one,
  /// `modified` when there is neither a date nor a fallback, `title` and `description` when there is neither
  /// text nor a URL.
  Page page;
  bool noindex = false;    ///< the page has noindex, so it should not be published
  bool truncated = false;  ///< longer than the limits (64 MiB, a million nodes): the rest is left out
  bool draft = false;      ///< Markdown: the front matter says that it is not to be published, or not yet
  std::string permalink;   ///< Markdown: the URL that the front matter gives; empty if none
  std::vector<std::string> problems;  ///< Markdown: what is wrong with the front matter, a sentence each
};

/// See the top of this file.
class PageExtractor {
 public:
  PageExtractor();
  ~PageExtractor();
  PageExtractor(PageExtractor&&) noexcept;
  PageExtractor& operator=(PageExtractor&&) noexcept;

  /// Takes what this CSS selector matches as the content, from now on; an empty one undoes it.
  Result<void> select(std::string_view selector);
  /// Leaves out what this CSS selector matches, from now on; an empty one undoes it.
  Result<void> leave_out(std::string_view selector);

  const ExtractedPage& extract_html(std::string_view bytes, const ExtractionOptions& options);
  /// Without a charset in the options it is UTF-8, unless a byte order mark says otherwise.
  const ExtractedPage& extract_markdown(std::string_view bytes, const ExtractionOptions& options);

  /// The links of the last HTML page: absolute URLs without fragments, each once, in the order of the page,
  /// without those marked `nofollow`.
  [[nodiscard]] std::vector<std::string> links() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
