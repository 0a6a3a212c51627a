#include "sheaf/pull/discover.h"

#include "sheaf/base/byte_source.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;

constexpr std::size_t kNotes = 10;  // of sitemaps; the rest is counted
// As much as a sitemap may have plain, which a gzip one never needs.
constexpr std::uint64_t kSitemapDownload = std::uint64_t{1} << 30;

/// Collects what a walk says.
class WalkSink final : public site::SiteWalkSink {
 public:
  WalkSink(const UrlSink& urls, SiteOffers& offers) : urls_(urls), offers_(offers) {}

  site::Reading on_url(const site::SitemapUrl& entry) override {
    if (!urls_) return site::Reading::go_on;
    result_ = urls_(entry);
    return result_ ? site::Reading::go_on : site::Reading::stop;
  }
  site::SitemapChoice on_sitemap(const base::Url& /*sitemap*/,
                                 const std::optional<base::Instant>& /*lastmod*/) override {
    return result_ ? site::SitemapChoice::read : site::SitemapChoice::stop;
  }
  void on_walk_finding(const site::WalkFinding& finding) override {
    if (offers_.notes.size() < kNotes) offers_.notes.push_back(finding.str());
  }

  [[nodiscard]] const Result<void>& result() const { return result_; }

 private:
  const UrlSink& urls_;
  SiteOffers& offers_;
  Result<void> result_;
};

/// A sitemap's file, fetched unless it is here.
Result<site::OpenedSitemap> open_sitemap(Downloads& downloads, const base::Url& url) {
  SHEAF_TRY_ASSIGN(const Download download,
                   downloads.fetch({.url = std::string(url.href()), .limit = kSitemapDownload}));
  if (download.outcome == DownloadOutcome::answered) {
    const bool missing = download.status == 404 || download.status == 410;
    return base::fail(missing ? Errc::not_found : Errc::io,
                      fmt::format("{} answered {}", url.href(), download.status));
  }
  SHEAF_TRY_ASSIGN(auto bytes, base::open_source(download.file.string()));
  const auto final_url = base::Url::parse(download.url);
  return site::OpenedSitemap{std::move(bytes), final_url ? *final_url : url};
}

}  // namespace

Result<RobotsAnswer> fetch_robots(const base::Url& site, std::string_view user_agent, Downloads& downloads,
                                  unsigned most_tries) {
  RobotsAnswer answer;
  const std::string url = site.origin() + "/robots.txt";
  // Longer ones are cut where reading ends, so what comes behind need not be refused; but something must end
  // it.
  auto download = downloads.fetch({.url = url, .limit = 16 * site::kRobotsBytes, .most_tries = most_tries});
  int status = 0;
  if (!download) {
    if (download.error().code ==
        Errc::invalid_data) {  // a redirect too many, or no end: as if there were none
      answer.rules = answer.robots.rules_for(user_agent);
      return answer;
    }
    if (download.error().code != Errc::io) {
      answer.failure = downloads.failure(download.error());
      return answer;
    }
  } else {
    status = download->outcome == DownloadOutcome::answered ? download->status : 200;
    answer.retry_after = download->retry_after;
  }
  switch (site::judge_robots_status(status)) {
    case site::RobotsAccess::read: break;
    case site::RobotsAccess::nothing:
      answer.failure = {
          download ? FailureCode::robots_unavailable : downloads.failure(download.error()).code,
          fmt::format("{}: until there is an answer, nothing may be fetched from the site",
                      download ? fmt::format("{} answered {}", url, status) : download.error().message)};
      return answer;
    default: answer.rules = answer.robots.rules_for(user_agent); return answer;
  }
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(download->file.string()));
  SHEAF_TRY_ASSIGN(const std::string bytes, base::read_up_to(*source, site::kRobotsBytes + 4));
  answer.robots = site::RobotsTxt::parse(bytes);
  answer.rules = answer.robots.rules_for(user_agent);
  return answer;
}

Result<SiteOffers> walk_site(const base::Url& address, const site::RobotsTxt& robots, Downloads& downloads,
                             const UrlSink& urls) {
  SiteOffers offers;
  WalkSink sink(urls, offers);
  std::vector<base::Url> given;
  if (address.path() != "/" || address.has_query()) given.push_back(address);
  site::SiteWalk walk = site::walk_sitemaps(
      address, &robots, given, [&](const base::Url& url) { return open_sitemap(downloads, url); }, {}, sink);
  if (!sink.result()) return std::unexpected(sink.result().error());
  if (walk.findings > offers.notes.size())
    offers.notes.push_back(fmt::format("{} more about the sitemaps", walk.findings - offers.notes.size()));
  offers.advertised = std::move(walk.advertised);
  offers.urls = walk.urls;
  offers.complete = walk.complete;
  if (walk.complete) downloads.note_all_listed();
  return offers;
}

}  // namespace sheaf::pull
