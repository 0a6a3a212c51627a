#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/doctor/site_facts.h"
#include "sheaf/format/limits.h"
#include "sheaf/http/fetch/fetcher.h"
#include <sheaf/time.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sheaf::doctor {

/// How much may be requested from a site. The defaults are those of a polite crawler.
struct InspectOptions {
  http::fetch::FetchOptions fetch = {};  ///< with `allow_http`, plain http is not reported
  std::uint64_t max_requests = 300;
  std::chrono::seconds max_time{900};                  ///< for everything
  std::uint64_t max_bytes = std::uint64_t{256} << 20;  ///< total size of all bodies
  std::size_t collections = 24;                        ///< maximum number of collections to read
  std::size_t pages = 8;  ///< maximum sample of pages of the collections, and of the sitemaps
  format::Limits limits = {};
  std::function<Instant()> clock = sheaf::now;
  std::function<void(std::string_view what, std::uint64_t requests)> progress = {};
};

/// Requests what the checks need: robots.txt, sitemaps, collections, and a sample of pages. Obeys robots.txt
/// and its Crawl-delay, and sends one request at a time. Problems of the site become facts. Fails only if
/// nothing can be said about the site: it does not answer, or the options forbid requests to it.
base::Result<SiteFacts> inspect_site(const base::Url& site, const InspectOptions& options);

/// Returns the share of the distinct words of `text` that occur in `html`, 0 to 1. Markup counts as text, so
/// a word in an attribute is found too. Returns 1 for a text of only a few words, because that proves
/// nothing.
double share_of_words(std::string_view text, std::string_view html);

}  // namespace sheaf::doctor
