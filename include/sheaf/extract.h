// sheaf/extract.h - extract pages from HTML and Markdown
//
// A PageExtractor finds the content of an HTML page, drops navigation and advertisements, and makes a Page of
// the content and the page's metadata. It also reads Markdown with front matter; there, all text is content.
// docs/extraction.md explains how content is found.
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
// Lifetimes: the result is valid until the next extraction, and the input bytes must live as long. To keep
// the page, hand it to a Writer, encode it (page_json) or copy it (sheaf/page.h).
//
// Errors: extraction never fails; input that is not HTML gives a page without content. select() and
// leave_out() fail if the selector is not valid CSS.
//
// Threads: an extractor may be used by one thread at a time. Several extractors may run concurrently.
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

/// What is known about a page besides its bytes. The views need not outlive the call.
struct ExtractionOptions {
  std::string_view url = {};            ///< URL of the page; default: the canonical URL that the page states
  std::string_view content_type = {};   ///< the HTTP header: "text/html; charset=utf-8"
  std::string_view robots_header = {};  ///< X-Robots-Tag; several values are joined by commas
  std::string_view file_name = {};      ///< Markdown: the last fallback for date and title
  /// `modified` of a page without a date: a file's modification time, Last-Modified, or a sitemap's lastmod.
  std::optional<Instant> fallback_modified = {};
  /// Dates more than a day after this time are ignored; default: the current time.
  std::optional<Instant> now = {};
};

struct ExtractedPage {
  /// Every required field is set, with these exceptions: `url` is empty if neither the options nor the page
  /// state one; `modified` if there is neither a date nor a fallback; `title` and `description` if there is
  /// neither text nor a URL.
  Page page;
  bool noindex = false;    ///< the page has noindex, so it should not be published
  bool truncated = false;  ///< the page exceeds the limits (64 MiB, a million nodes); the rest was dropped
  bool draft = false;      ///< Markdown: the front matter says not to publish the page, or not yet
  std::string permalink;   ///< Markdown: the URL that the front matter gives; empty if none
  std::vector<std::string> problems;  ///< Markdown: problems of the front matter, one sentence each
};

/// See the top of this file.
class PageExtractor {
 public:
  PageExtractor();
  ~PageExtractor();
  PageExtractor(PageExtractor&&) noexcept;
  PageExtractor& operator=(PageExtractor&&) noexcept;

  /// From now on, the elements that match this CSS selector are the content. An empty selector resets this.
  Result<void> select(std::string_view selector);
  /// From now on, elements that match this CSS selector are dropped. An empty selector resets this.
  Result<void> leave_out(std::string_view selector);

  const ExtractedPage& extract_html(std::string_view bytes, const ExtractionOptions& options);
  /// A byte order mark decides the encoding. Without one it is the charset of `options.content_type`, or
  /// UTF-8 if there is none.
  const ExtractedPage& extract_markdown(std::string_view bytes, const ExtractionOptions& options);

  /// The links of the last HTML page, except those marked `nofollow`: absolute URLs without fragments and
  /// without duplicates, in document order.
  [[nodiscard]] std::vector<std::string> links() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
