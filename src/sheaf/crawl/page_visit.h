#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/fetch/validators.h"
#include "sheaf/site/origin_robots.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sheaf::crawl {

/// A URL that is to be visited.
struct PageRequest {
  std::string url;  ///< in its normal form, without fragment
  std::optional<Instant> lastmod = {};
  http::fetch::Validators validators = {};  ///< not empty: only if the page has changed
  /// Where the URL led when the validators came. A 304 from anywhere else says nothing about the copy, so
  /// the page is requested again without them. Empty: not known.
  std::string known_url = {};
  /// The copy is known to be up to date: nothing is requested, but robots.txt must still allow the URL.
  bool is_fresh = false;
};

/// Why a page could not be fetched.
enum class FailureCause : std::uint8_t {
  none,
  robots_unreadable,  ///< robots.txt of an origin that the URL leads to
  transfer,           ///< no answer, or not a whole one; the trouble says more
  status,             ///< an answer that is neither a page nor "not found"
  unreadable_body,    ///< its content coding is unknown or damaged, or it is too large once decoded
};

/// The result of a visit. Plain data, so that it can be passed between threads.
struct PageVisit {
  PageRequest request;
  PageFate fate = PageFate::failed;         ///< `stored`: `body` is an HTML page, or not_modified
  bool not_modified = false;                ///< 304: nothing but robots_header is new
  bool cancelled = false;                   ///< the crawl was stopped meanwhile: nothing is known of the page
  bool unhealthy = false;                   ///< no answer, or one that says that the server is in trouble
  int status = 0;                           ///< of the last answer; 0 if there was none
  FailureCause cause = FailureCause::none;  ///< of the fate `failed`
  http::fetch::FetchTrouble trouble = http::fetch::FetchTrouble::none;  ///< of a failed transfer
  std::string detail;     ///< of a failure: what went wrong; else what the answer was instead of a page
  std::string final_url;  ///< after redirects
  http::fetch::Validators validators;
  std::string content_type;
  std::string robots_header;
  std::string price;  ///< crawler-price, of a 402
  std::optional<Instant> last_modified;
  std::string body;  ///< decoded
};

struct VisitOptions {
  base::Url site;  ///< redirects that leave it are not followed
  site::OriginRobots& robots;
  std::uint64_t page_bytes = kPageBytes;
  bool allow_http = false;  ///< http URLs of an https site are requested as they are, not over https
  std::function<bool()> cancelled = {};
  std::function<Instant()> clock = [] { return sheaf::now(); };
};

/// Requests one page: checks robots.txt of every origin that its redirects lead to, stops the transfer of
/// other documents than HTML after the headers, and reports the fate of the URL. Never fails: errors are part
/// of the result.
PageVisit visit_page(http::fetch::Fetcher& fetcher, PageRequest request, const VisitOptions& options);

/// Why a page could not be fetched, with its URL.
std::string describe_failure(const PageVisit& visit);

}  // namespace sheaf::crawl
