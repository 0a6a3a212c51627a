#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/site/site_robots.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sheaf::crawl {

/// Requests a robots.txt once, for site::read_robots. Reads at most site::kRobotsBytes + 1 bytes and does not
/// follow redirects.
base::Result<site::RobotsReply> request_robots(http::fetch::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries);

/// Converts the response of http::fetch::fetch_robots_file for site::read_robots.
site::RobotsReply to_robots_reply(http::fetch::Fetcher::Text text);

/// A URL to visit.
struct PageRequest {
  std::string url;  ///< in its normal form, without fragment
  std::optional<Instant> lastmod = {};
  http::fetch::Validators validators = {};  ///< if not empty, the request is conditional
  /// The final URL when the validators were received; empty if not known. A 304 from any other URL says
  /// nothing about the copy, so the page is then requested again without validators.
  std::string known_url = {};
  /// The copy is known to be up to date: nothing is requested, but robots.txt must still allow the URL.
  bool is_fresh = false;
};

/// Why a page could not be fetched.
enum class FailureCause : std::uint8_t {
  none,
  robots_unreadable,  ///< robots.txt of an origin that the URL leads to cannot be read
  transfer,           ///< no response, or an incomplete one; `trouble` has the reason
  status,             ///< a response that is neither a page nor "not found"
  unreadable_body,    ///< unknown or damaged content coding, or too large once decoded
};

/// The result of a visit. Plain data, so that it can be passed between threads.
struct PageVisit {
  PageRequest request;
  PageOutcome fate = PageOutcome::failed;   ///< `stored`: `body` is an HTML page, or not_modified
  bool not_modified = false;                ///< 304; only robots_header is new
  bool cancelled = false;                   ///< the crawl was stopped: nothing is known about the page
  bool unhealthy = false;                   ///< no response, or one that means that the server is in trouble
  int status = 0;                           ///< of the last response; 0 if there was none
  FailureCause cause = FailureCause::none;  ///< of the fate `failed`
  http::fetch::FetchTrouble trouble = http::fetch::FetchTrouble::none;  ///< of a failed transfer
  std::string detail;     ///< what went wrong; for other fates, what was found instead of a page
  std::string final_url;  ///< after redirects
  http::fetch::Validators validators;
  std::string content_type;
  std::string robots_header;
  std::optional<Instant> last_modified;
  std::string body;  ///< decoded
};

struct VisitOptions {
  base::Url site;  ///< redirects that leave it are not followed
  site::OriginRobots& robots;
  std::uint64_t page_bytes = kPageBytes;
  bool allow_http = false;  ///< request http URLs of an https site as they are, instead of over https
  std::function<bool()> cancelled = {};
  std::function<Instant()> clock = [] { return sheaf::now(); };
};

/// Requests one page and reports the fate of its URL. Checks robots.txt of every origin that its redirects
/// lead to, and stops the transfer of documents that are not HTML after the headers. Never fails: errors are
/// part of the result.
PageVisit visit_page(http::fetch::Fetcher& fetcher, PageRequest request, const VisitOptions& options);

/// Why a page could not be fetched, with its URL.
std::string describe_failure(const PageVisit& visit);

}  // namespace sheaf::crawl
