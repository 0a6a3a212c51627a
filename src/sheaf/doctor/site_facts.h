#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/site_walk.h"
#include <sheaf/time.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The requests to a site and the responses. Checks are pure functions of these facts, so they need neither
// network nor clock.
namespace sheaf::doctor {

/// One request and its response.
struct ProbeExchange {
  std::string url = {};
  std::optional<base::Error> error = {};  ///< why there is no complete response
  http::fetch::FetchTrouble trouble = http::fetch::FetchTrouble::none;
  http::fetch::FetchHead head = {};         ///< status 0 if there was no response at all
  std::vector<std::string> redirects = {};  ///< redirect targets that were followed
  std::uint64_t bytes = 0;                  ///< size of the body that arrived
  std::string start = {};                   ///< the first bytes of the body
  std::string digest = {};  ///< SHA-256 of the body in hex; empty if it was not read to its end

  [[nodiscard]] bool was_made() const { return !url.empty(); }
  [[nodiscard]] int status() const { return head.status; }
  [[nodiscard]] bool is_ok() const { return head.status == 200 && !error; }
};

struct RobotsFacts {
  ProbeExchange get = {};  ///< the last request, after redirects
  unsigned redirects = 0;
  site::RobotsAccess access = site::RobotsAccess::nothing;
  site::RobotsTxt robots = {};
  site::RobotsRules rules = {};  ///< for our user agent
};

struct SitemapFacts {
  std::vector<ProbeExchange> files = {};  ///< every sitemap that was requested
  std::vector<site::WalkFinding> findings = {};
  site::Advertised advertised = {};
  std::vector<std::string> disallowed = {};  ///< sitemaps that robots.txt forbids
  std::vector<std::string> duplicates = {};  ///< URLs of collections that are listed twice
  std::string future_lastmod = {};           ///< URL of an entry dated in the future; empty if none
  std::string foreign_entry = {};            ///< URL of an entry of another site; empty if none
  std::uint64_t urls = 0;
  std::vector<std::string> sample = {};  ///< some pages that the sitemaps list, the same ones in every run

  /// Whether the sitemap lists collections, or is an index that leads to a sitemap that does.
  [[nodiscard]] bool offers_collections(const std::string& sitemap) const {
    return std::ranges::any_of(advertised.collections, [&](const auto& collection) {
      return std::ranges::find(collection.sitemaps, sitemap) != collection.sitemaps.end();
    });
  }
};

/// Requests for one collection, in addition to the plain GET.
struct CollectionProbes {
  ProbeExchange head = {};               ///< HEAD
  ProbeExchange coded = {};              ///< with Accept-Encoding: gzip, br, zstd
  ProbeExchange cross_origin = {};       ///< with an Origin header
  ProbeExchange if_none_match = {};      ///< with If-None-Match; not made if there is no ETag
  ProbeExchange if_modified_since = {};  ///< with If-Modified-Since; not made if there is no Last-Modified
  ProbeExchange range = {};              ///< bytes kRangeFirst to kRangeLast
  ProbeExchange if_range = {};           ///< the same range, with If-Range and the tag of another version
  ProbeExchange signature = {};          ///< FILE.minisig
};
/// The Origin of the cross-origin request: a name that nobody can own (RFC 2606).
inline constexpr std::string_view kForeignOrigin = "https://doctor.invalid";
inline constexpr std::uint64_t kRangeFirst = 1;
inline constexpr std::uint64_t kRangeLast = 16;

/// The state digest that a delta states, and the one that follows from its pages.
struct StateProof {
  std::string stated = {};  ///< empty if none is stated, or if it cannot be checked
  std::string computed = {};
};

struct CollectionFacts {
  site::AdvertisedCollection offer = {};
  bool allowed = true;    ///< robots.txt allows it
  bool insecure = false;  ///< plain http, of a site that has https
  ProbeExchange get = {};
  std::string range_bytes = {};  ///< the bytes of the file that the range request must return
  std::optional<CollectionProbes> probes = {};
  std::optional<format::ValidationReport> validation = {};
  std::uint64_t foreign_pages = 0;
  std::string foreign_example = {};
  std::uint64_t disallowed_pages = 0;  ///< pages that robots.txt disallows
  std::string disallowed_example = {};
  StateProof proof = {};  ///< set for a delta, after the chain up to it was applied

  /// Whether the file arrived and is a valid collection.
  [[nodiscard]] bool is_valid() const { return validation && validation->is_valid(); }
};

struct SectionFacts {
  std::string name = {};
  std::optional<site::UpdateFreq> update = {};
  std::vector<site::AdvertisedCollection> offers = {};
  bool complete = false;            ///< every collection that the newest state needs was read
  std::uint64_t pages = 0;          ///< number of pages of the newest state, if complete
  std::uint64_t snapshot_size = 0;  ///< size of the newest snapshot, as stated
  /// What a client fetches that was up to date a day ago; nullopt if the site offers no state that old.
  std::optional<offers::SectionPlan> yesterday = {};
};

/// A page of the collections or of the sitemap, and what the live site answers for it.
struct PageFacts {
  std::string url = {};
  bool in_collection = true;  ///< false: only the sitemap lists it
  crawl::PageOutcome fate = crawl::PageOutcome::unknown;
  int status = 0;
  std::string final_url = {};
  std::uint64_t bytes = 0;  ///< transferred for it
  double shared = 1;        ///< share of the collection's words that the live page has
};

struct SiteFacts {
  base::Url site;
  Instant now = {};
  bool allow_http = false;
  RobotsFacts robots = {};
  SitemapFacts sitemaps = {};
  std::vector<CollectionFacts> collections = {};  ///< those that were requested, the newest first
  std::vector<SectionFacts> sections = {};
  std::vector<PageFacts> pages = {};
  std::optional<ProbeExchange> missing = {};      ///< the response for a URL that does not exist
  std::vector<ProbeExchange> private_files = {};  ///< requests for files that nobody may serve
  std::vector<std::string> unchecked = {};        ///< what was not checked and why, one sentence each
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

}  // namespace sheaf::doctor
