#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The data of a page that the outputs use.
struct OutputPage {
  std::string url;
  std::string title;
  std::string description;
  std::string modified;  ///< as written in the page
  std::string file;      ///< its Markdown file, relative to the folder of the sitemap; empty if it has none
  friend bool operator==(const OutputPage&, const OutputPage&) = default;
};

/// A page that was unpublished.
struct RemovedPage {
  std::string url;
  Instant removed_at;
};

struct AtomHead {
  std::string title;
  std::string site_url;
  std::string feed_url;
};

/// Makes an Atom feed (RFC 4287) of changed pages, newest first, with deleted-entry elements (RFC 6721) for
/// removed pages. Depends only on its arguments, so the file does not change if nothing has changed.
std::string write_atom_feed(const AtomHead& head, const std::vector<OutputPage>& pages,
                            const std::vector<RemovedPage>& removed);

/// Maximum number of URLs in an IndexNow request.
inline constexpr std::size_t kIndexNowBatch = 10'000;

struct IndexNowSite {
  std::string host;
  std::string key;
  std::string key_url;   ///< URL of the file with the key
  std::string endpoint;  ///< URL that the lists of URLs are sent to
};

/// The body of a request. A pure function.
std::string index_now_body(const IndexNowSite& site, const std::vector<std::string>& urls);

/// Tells search engines that these URLs, at most kIndexNowBatch, have changed (https://www.indexnow.org).
/// Errors say what the response means and what to do; the URLs must then be sent again later.
base::Result<void> submit_to_index_now(http::fetch::Fetcher& fetcher, const IndexNowSite& site,
                                       const std::vector<std::string>& urls);

/// A new key: 32 random hexadecimal digits.
std::string make_index_now_key();

/// A section of llms.txt.
struct LlmsSection {
  std::string name;
  std::vector<OutputPage> pages;
  std::uint64_t total = 0;  ///< number of all pages; larger than that of `pages` if there were too many
};

struct LlmsHead {
  std::string title;
  std::string summary;      ///< may be empty
  std::string sitemap_url;  ///< URL of the sitemap that lists the collections
  std::string folder_url;   ///< URL that OutputPage::file is relative to
};

/// Makes llms.txt (https://llmstxt.org): an index of the pages with their descriptions, section by section,
/// sorted by URL. Links lead to the Markdown of a page if there is one. A pure function.
std::string write_llms_text(const LlmsHead& head, std::vector<LlmsSection> sections);

/// The URL of a file below a folder.
std::string url_of_file(std::string_view folder_url, std::string_view file);

/// A comment in every file that publish makes as an output. A file without it was made by another program and
/// is not touched.
inline constexpr std::string_view kOutputMark = "<!-- made by sheaf publish -->";

/// The file for the Markdown of a page, relative to the folder whose URL is `folder` (with a trailing slash):
/// guide/index.html.md for /guide/, about.html.md for /about.html and about.md for /about, as llms.txt
/// readers expect it. Returns nullopt if the URL is not below the folder, has a query, or has a part that
/// cannot be the name of a file.
std::optional<std::string> markdown_file_of(std::string_view url, std::string_view folder);

}  // namespace sheaf::publish
