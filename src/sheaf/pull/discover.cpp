#include "sheaf/pull/discover.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/http/fetch_body.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/store/record.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;

constexpr std::uint64_t kRobotsCopyVersion = 1;
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
    if (finding.problem == site::WalkProblem::insecure && !offers_.refused)
      offers_.refused = {FailureCode::insecure_url, finding.str()};
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

site::RobotsReply reply_of(http::Fetcher::Text& text) {
  return {text.head.status, std::string(text.head.header("location")), std::move(text.body)};
}

/// `trouble` is that of the last request.
Failure describe_unreadable(const base::Url& site, const std::optional<base::Error>& error,
                            http::FetchTrouble trouble) {
  if (!error)
    return {FailureCode::robots_unavailable, fmt::format("{}/robots.txt cannot be read", site.origin())};
  const bool answered = trouble == http::FetchTrouble::none || trouble == http::FetchTrouble::other ||
                        trouble == http::FetchTrouble::refused_by_sink ||
                        trouble == http::FetchTrouble::insecure_redirect;
  const FailureCode code =
      answered ? FailureCode::robots_unavailable : fetch_failure(trouble, error->message).code;
  if (error->code == Errc::refused) return {code, error->message};  // our own guard says what to do
  return {code, fmt::format("{}: until robots.txt can be read, nothing may be fetched from the site",
                            error->message)};
}

}  // namespace

std::string encode(const RobotsCopy& copy) {
  return store::RecordWriter()
      .number(kRobotsCopyVersion)
      .text(copy.validators.etag())
      .text(copy.validators.last_modified())
      .text(copy.body)
      .bytes();
}

std::optional<RobotsCopy> decode_robots_copy(std::string_view bytes) {
  store::RecordReader record(bytes);
  if (record.number() != kRobotsCopyVersion) return std::nullopt;
  const auto etag = record.text();
  const auto last_modified = record.text();
  RobotsCopy copy{{etag, last_modified}, std::string(record.text())};
  if (!record.good()) return std::nullopt;
  return copy;
}

Result<site::RobotsReply> ask_for_robots(http::Fetcher& fetcher, const base::Url& url, unsigned most_tries) {
  SHEAF_TRY_ASSIGN(auto text,
                   http::fetch_robots_file(fetcher, url.href(), site::kRobotsBytes + 1, {}, most_tries));
  return reply_of(text);
}

RobotsAnswer fetch_robots(const base::Url& site, std::string_view user_agent, http::Fetcher& fetcher,
                          unsigned most_tries, const std::optional<RobotsCopy>& before) {
  RobotsAnswer answer;
  bool first = true;
  const auto ask = [&](const base::Url& url) -> Result<site::RobotsReply> {
    // The copy is of the first address: what a redirect leads to is always read.
    const bool is_first = std::exchange(first, false);
    const http::Validators validators = is_first && before ? before->validators : http::Validators();
    SHEAF_TRY_ASSIGN(auto text, http::fetch_robots_file(fetcher, url.href(), site::kRobotsBytes + 1,
                                                        validators, most_tries));
    answer.retry_after = http::retry_after(text.head);
    if (text.head.status == 304 && !validators.empty()) return site::RobotsReply{200, {}, before->body};
    if (is_first && text.head.status == 200) answer.copy = {http::Validators(text.head), text.body};
    return reply_of(text);
  };
  site::SiteRobots read = site::read_robots(site, ask);
  if (answer.copy && answer.copy->validators.empty()) answer.copy.reset();
  answer.robots = std::move(read.robots);
  answer.rules = answer.robots.rules_for(user_agent);
  if (read.access == site::RobotsAccess::nothing)
    answer.failure = describe_unreadable(site, read.error, fetcher.trouble());
  return answer;
}

Result<SiteOffers> walk_site(const base::Url& address, const site::RobotsTxt& robots, Downloads& downloads,
                             bool allow_http, const UrlSink& urls) {
  SiteOffers offers;
  WalkSink sink(urls, offers);
  std::vector<base::Url> given;
  if (address.path() != "/" || address.has_query()) given.push_back(address);
  site::SiteWalk walk = site::walk_sitemaps(
      address, &robots, given, [&](const base::Url& url) { return open_sitemap(downloads, url); },
      {.allow_http = allow_http}, sink);
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
