#pragma once

#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"
#include <sheaf/time.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The rules of every crawl, by `pull` and by `publish`. They are pure functions: no network, no disk, no
// clock. docs/pulling.md explains them to users, in the section "How pages are fetched".
namespace sheaf::crawl {

/// Maximum size of a page, before and after its Content-Encoding is decoded.
inline constexpr std::uint64_t kPageBytes = std::uint64_t{32} << 20;

/// Longest Crawl-delay that is obeyed. A longer one would make a site of a few thousand pages take months.
inline constexpr std::chrono::seconds kMaxDelay{60};

/// How long an unchanged <lastmod> is trusted. Limited, because many sitemaps never change it.
inline constexpr std::int64_t kTrustLastmodSeconds = std::int64_t{7} * 86'400;

/// The site's template is learned from this many pages, or from this many bytes if that is reached first.
inline constexpr std::size_t kLearnPages = 32;
inline constexpr std::size_t kLearnBytes = std::size_t{32} << 20;

/// The outcome of the last request for a URL. The numbers are stored in notes: append new values at the end.
enum class PageOutcome : std::uint8_t {
  unknown,  ///< not requested yet
  stored,   ///< an HTML page
  noindex,
  missing,     ///< 404, 410
  no_page,     ///< not HTML, or without content
  elsewhere,   ///< redirects to another site, or its canonical URL is there
  duplicate,   ///< its canonical URL is another page of the site
  disallowed,  ///< by robots.txt
  failed,      ///< could not be fetched this time; its record is kept
};
inline constexpr PageOutcome kLastFate = PageOutcome::failed;

/// The meaning of an HTTP status.
enum class StatusMeaning : std::uint8_t {
  page,          ///< 200; other 2xx responses have no page, or only a part of one
  not_modified,  ///< 304, if the request had conditions
  missing,       ///< 404, 410
  failure,       ///< everything else: a redirect without a Location, a 304 to a request without conditions
};
StatusMeaning judge_status(int status, bool conditional);

/// Whether a response is an HTML page. Without a Content-Type the body decides: it must begin with `<`,
/// optionally after a byte order mark and white space.
bool is_html_response(std::string_view content_type, std::string_view body);

/// The time between two requests to an origin: the larger of ours and the Crawl-delay of its robots.txt,
/// which counts up to kMaxDelay.
std::chrono::milliseconds choose_delay(std::chrono::milliseconds ours, const site::RobotsRules& rules);

enum class Visit : std::uint8_t {
  fetch,        ///< request it
  conditional,  ///< request it if it changed
  leave,        ///< make no request: the sitemap says that it is unchanged, or it was requested just now
};

/// What is known about a URL from its last visit.
struct LastVisit {
  PageOutcome fate = PageOutcome::unknown;
  bool has_validators = false;
  std::optional<Instant> lastmod = {};       ///< in the sitemap now
  std::optional<Instant> lastmod_then = {};  ///< in the sitemap when it was fetched
  Instant fetched = {};
};
/// Decides how to visit a URL. URLs without a result, or whose last visit failed or was disallowed, are
/// always fetched. Others are requested conditionally if there are validators, and not at all if the
/// sitemap's <lastmod> has not changed and the last visit is less than kTrustLastmodSeconds ago.
///
/// `pass_began`: when the interrupted pass that is being continued began. URLs that were fetched since then
/// are not requested again.
Visit choose_visit(const LastVisit& last, Instant now, const std::optional<Instant>& pass_began = {});

/// The `modified` of a page. Unchanged content keeps the stored time. Otherwise it is the time that the page
/// states, if that is later than the stored one and not in the future; else now.
Instant choose_modified(const std::optional<Instant>& stored, bool changed,
                        const std::optional<Instant>& stated, Instant now);

/// Whether this many pages, or bytes of them, are enough to learn the site's template.
bool is_enough_to_learn(std::size_t pages, std::size_t bytes);

}  // namespace sheaf::crawl
