#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/url.h"
#include "sheaf/html/extract.h"
#include "sheaf/http/fetch.h"
#include "sheaf/model/page.h"
#include "sheaf/pull/page_note.h"
#include "sheaf/site/origin_robots.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::pull {

/// An address to be visited.
struct PageTask {
  PageNote note;
  Visit visit = Visit::fetch;
};

/// What came of it. Plain data, so that it can go from one thread to another.
struct PageVisit {
  PageNote note;  ///< as it was, but for the validators of the answer
  PageFate fate = PageFate::failed;
  bool not_modified = false;  ///< 304: the fate is that of last time
  bool cancelled = false;     ///< the pull was stopped meanwhile: nothing is known of the page
  bool unwell = false;        ///< no answer, or one that says that the server is in trouble
  std::string failure;        ///< why it could not be had
  std::string address;        ///< of the page: after redirects, or as the page itself says
  std::string body;           ///< of an HTML page that is not extracted yet
  std::string content_type;
  std::string robots_header;
  std::optional<base::Instant> served;  ///< Last-Modified
  std::unique_ptr<base::Arena> memory;  ///< holds the page
  model::Page page;
  std::vector<std::string> links;
  std::string canonical;  ///< of a duplicate: the URL of the site that the page itself names as its own
};

struct PageFetchOptions {
  base::Url site;
  site::OriginRobots& robots;
  std::uint64_t page_bytes = 0;
  std::function<bool()> cancelled = {};
};

/// Asks for one page. Never fails: what went wrong is what came of it.
PageVisit fetch_page(http::Fetcher& fetcher, PageTask task, const PageFetchOptions& options);

/// Makes a page of the body of a visit that has one, and says what becomes of it.
void extract_page(html::Extractor& extractor, const html::SiteProfile* profile,
                  const PageFetchOptions& options, base::Instant now, PageVisit& visit);

}  // namespace sheaf::pull
