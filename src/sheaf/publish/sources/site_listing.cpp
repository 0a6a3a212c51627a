#include "sheaf/publish/sources/site_listing.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/url_set.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/site/site_robots.h"
#include "sheaf/site/site_text.h"
#include "sheaf/site/site_walk.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::uint64_t kSitemapWireBytes = std::uint64_t{256} << 20;
constexpr std::size_t kNamedFindings = 3;

base::Result<site::RobotsTxt> read_site_robots(const base::Url& site, http::fetch::Fetcher& fetcher) {
  site::SiteRobots answer = site::read_robots(
      site, [&](const base::Url& url) { return crawl::request_robots(fetcher, url, UINT_MAX); });
  if (answer.access != site::RobotsAccess::nothing) return std::move(answer.robots);
  const base::Error error = answer.error.value_or(base::Error{base::Errc::io, "no answer"});
  if (error.code == base::Errc::refused)
    return std::unexpected(error);  // the message of our own check says what to do
  return base::fail(
      base::Errc::io,
      fmt::format("robots.txt cannot be read, and without it nothing may be fetched: {}", error.message));
}

base::Result<site::OpenedSitemap> open_live_sitemap(http::fetch::Fetcher& fetcher,
                                                    const std::filesystem::path& temporary,
                                                    const base::Url& url) {
  SHEAF_TRY_ASSIGN(const auto body,
                   http::fetch::fetch_to_spool(
                       fetcher, {.url = std::string(url.href()), .limit = kSitemapWireBytes}, temporary));
  const int status = body.head.status;
  if (crawl::judge_status(status, false) == crawl::StatusMeaning::missing)
    return base::fail(base::Errc::not_found, fmt::format("there is no such file ({})", status));
  if (!body.file) return base::fail(base::Errc::io, fmt::format("the site answered {}", status));
  return site::OpenedSitemap{body.open(), base::Url::parse(body.head.url).value_or(url)};
}

}  // namespace

struct SiteListing::Frame {
  std::int64_t lastmod = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t has_lastmod = 0;
};

/// Writes the entries to the spool.
class SiteListing::Sink final : public site::SiteWalkSink {
 public:
  Sink(const base::Url& site, SiteListing& listing) : site_(site), listing_(listing) {}

  site::Reading on_url(const site::SitemapUrl& entry) override {
    const auto parsed = base::Url::parse(entry.loc);
    if (!parsed) return site::Reading::go_on;
    const base::Url url = http::fetch::without_credentials(parsed->without_fragment());
    if (!site::is_same_site(url, site_)) {
      ++elsewhere;
    } else if (seen_.insert(url.href())) {
      error = append(url, entry.lastmod_at);
    }
    return error ? site::Reading::go_on : site::Reading::stop;
  }
  void on_walk_finding(const site::WalkFinding& finding) override {
    if (findings.size() < kNamedFindings) findings.push_back(finding.str());
  }

  std::uint64_t elsewhere = 0;
  std::vector<std::string> findings;
  base::Result<void> error;

 private:
  base::Result<void> append(const base::Url& url, const std::optional<Instant>& lastmod) {
    const std::string_view href = url.href();
    const Frame frame{lastmod ? lastmod->seconds : 0, static_cast<std::uint32_t>(href.size()),
                      lastmod ? 1U : 0U};
    SHEAF_TRY(listing_.entries_.append({reinterpret_cast<const char*>(&frame), sizeof frame}));
    ++listing_.count_;
    return listing_.entries_.append(href);
  }

  const base::Url& site_;
  SiteListing& listing_;
  base::UrlSet seen_;
};

base::Result<SiteListing> SiteListing::read(const SiteListingOptions& options) {
  http::fetch::Fetcher fetcher(options.fetch);
  SHEAF_TRY_ASSIGN(site::RobotsTxt robots, read_site_robots(options.site, fetcher));
  if (options.on_robots) options.on_robots(robots);
  SHEAF_TRY_ASSIGN(auto spool, base::SpoolFile::create(options.temporary));
  SiteListing listing(std::move(robots), std::move(spool));
  std::vector<base::Url> given;
  for (const std::string& text : options.sitemaps)
    if (auto url = base::Url::parse(text, &options.site)) given.push_back(std::move(*url));
  Sink sink(options.site, listing);
  const site::SiteWalk walk = site::walk_sitemaps(
      options.site, &listing.robots_, given,
      [&](const base::Url& url) { return open_live_sitemap(fetcher, options.temporary, url); },
      {.allow_http = options.fetch.allow_http}, sink);
  SHEAF_TRY(sink.error);
  const std::string details = fmt::format("{}", fmt::join(sink.findings, "; "));
  if (!walk.complete)
    return base::fail(base::Errc::io, fmt::format("the sitemaps of {} could not be read completely, and "
                                                  "pages they do not list would look removed: {}",
                                                  options.site.origin(), details));
  if (!details.empty()) listing.notes_.push_back("check the site's sitemaps: " + details);
  if (sink.elsewhere > 0)
    listing.notes_.push_back(fmt::format("check the site's sitemaps: they list {} of hosts other than {}",
                                         base::counted(sink.elsewhere, "page", "pages"),
                                         options.site.host()));
  return listing;
}

base::Result<void> SiteListing::each(const std::function<bool(SiteEntry)>& use) const {
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    Frame frame{};
    SHEAF_TRY(entries_.read_at(offset, {reinterpret_cast<char*>(&frame), sizeof frame}));
    SiteEntry entry;
    entry.url.resize(frame.url_bytes);
    SHEAF_TRY(entries_.read_at(offset + sizeof frame, entry.url));
    offset += sizeof frame + frame.url_bytes;
    if (frame.has_lastmod != 0) entry.lastmod = Instant{frame.lastmod, 0};
    if (!use(std::move(entry))) return {};
  }
  return {};
}

base::Result<SiteListings::Found> SiteListings::get(const SiteListingOptions& options) {
  std::shared_ptr<const SiteListing>& known = listings_[{options.fetch.user_agent, options.sitemaps}];
  if (known) return Found{known, false};
  SHEAF_TRY_ASSIGN(SiteListing listing, SiteListing::read(options));
  known = std::make_shared<const SiteListing>(std::move(listing));
  return Found{known, true};
}

}  // namespace sheaf::publish
