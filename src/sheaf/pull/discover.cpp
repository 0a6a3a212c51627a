#include "sheaf/pull/discover.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/site/usage_preferences.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;

constexpr std::size_t kNotes = 10;  // maximum number of notes; further ones are only counted
// The limit for the uncompressed size of a sitemap; a gzip file is never larger.
constexpr std::uint64_t kSitemapDownload = std::uint64_t{1} << 30;
// All sitemaps of a pull together may have this many bytes, and more for each entry.
constexpr std::uint64_t kAllSitemaps = 4 * kSitemapDownload;
constexpr std::uint64_t kBytesPerEntry = 1024;

/// Collects the results of a sitemap walk.
class WalkSink final : public site::SiteWalkSink {
 public:
  WalkSink(const base::Url& site, const site::RobotsRules& rules, const UrlSink& urls, SiteOffers& offers)
      : site_(site), rules_(rules), urls_(urls), offers_(offers) {}

  site::Reading on_url(const site::SitemapUrl& entry) override {
    ++listed_;
    if (!urls_) return site::Reading::go_on;
    result_ = urls_(entry);
    return result_ ? site::Reading::go_on : site::Reading::stop;
  }
  site::SitemapChoice on_sitemap(const base::Url& sitemap,
                                 const std::optional<Instant>& /*lastmod*/) override {
    if (!result_) return site::SitemapChoice::stop;
    if (sitemap.origin() != site_.origin() || rules_.judge(sitemap).allowed) return site::SitemapChoice::read;
    if (!offers_.refused)
      offers_.refused = {FailureCode::robots_disallowed,
                         fmt::format("robots.txt disallows the sitemap {}", sitemap.href())};
    return site::SitemapChoice::forbid;
  }
  void on_walk_finding(const site::WalkFinding& finding) override {
    if (offers_.notes.size() < kNotes) offers_.notes.push_back(finding.str());
    if (finding.problem == site::WalkProblem::insecure && !offers_.refused)
      offers_.refused = {FailureCode::insecure_url, finding.str()};
  }

  [[nodiscard]] const Result<void>& result() const { return result_; }
  /// How many bytes the next sitemap may have.
  [[nodiscard]] std::uint64_t room() const {
    const std::uint64_t most = kAllSitemaps + kBytesPerEntry * listed_;
    return std::min(kSitemapDownload, most - std::min(most, taken_));
  }
  void count_bytes(std::uint64_t bytes) { taken_ += bytes; }

 private:
  const base::Url& site_;
  const site::RobotsRules& rules_;
  std::uint64_t listed_ = 0;  ///< entries
  std::uint64_t taken_ = 0;   ///< bytes of sitemaps
  const UrlSink& urls_;
  SiteOffers& offers_;
  Result<void> result_;
};

/// Opens a sitemap, and fetches it unless it is on disk. If it cannot be fetched because of a redirect from
/// https to http or because it must be paid for, `offers` records that.
Result<site::OpenedSitemap> open_sitemap(Downloads& downloads, const base::Url& url, WalkSink& sink,
                                         SiteOffers& offers) {
  const std::uint64_t room = sink.room();
  auto fetched = downloads.fetch({.url = std::string(url.href()), .limit = room});
  if (!fetched) {
    Failure failure = downloads.failure(fetched.error());
    if (failure.code == FailureCode::too_large) sink.count_bytes(room);
    if (failure.code == FailureCode::insecure_url && !offers.refused) offers.refused = std::move(failure);
  }
  SHEAF_TRY_ASSIGN(const Download download, std::move(fetched));
  sink.count_bytes(download.bytes);
  if (download.outcome == DownloadOutcome::answered) {
    if (download.status == kPaymentRequired && !offers.unpaid) offers.unpaid = payment_failure(download.url);
    const bool missing = crawl::judge_status(download.status, false) == crawl::StatusMeaning::missing;
    return base::fail(missing ? Errc::not_found : Errc::io,
                      fmt::format("{} answered {}", url.href(), download.status));
  }
  SHEAF_TRY_ASSIGN(auto bytes, base::open_source(download.file.string()));
  const auto final_url = base::Url::parse(download.url);
  return site::OpenedSitemap{std::move(bytes), final_url ? *final_url : url};
}

/// Why robots.txt could not be read. `trouble` is the failure of the last request.
Failure describe_unreadable(const base::Url& site, const std::optional<base::Error>& error,
                            http::fetch::FetchTrouble trouble) {
  if (!error)
    return {FailureCode::robots_unavailable, fmt::format("{}/robots.txt cannot be read", site.origin())};
  const bool answered = trouble == http::fetch::FetchTrouble::none ||
                        trouble == http::fetch::FetchTrouble::other ||
                        trouble == http::fetch::FetchTrouble::refused_by_sink ||
                        trouble == http::fetch::FetchTrouble::insecure_redirect;
  const FailureCode code =
      answered ? FailureCode::robots_unavailable : fetch_failure(trouble, error->message).code;
  if (error->code == Errc::refused)
    return {code, error->message};  // the message of our own check says what to do
  return {code, fmt::format("{}: until robots.txt can be read, nothing may be fetched from the site",
                            error->message)};
}

}  // namespace

std::optional<base::Url> permanent_target(const http::fetch::FetchHead& head, const base::Url& requested) {
  if (head.status != 301 && head.status != 308) return std::nullopt;
  const auto target = base::Url::parse(head.header("location"), &requested);
  if (!target || target->path() != requested.path() || target->origin() == requested.origin())
    return std::nullopt;
  return base::Url::parse("/", &*target);
}

RobotsResponse fetch_robots(const base::Url& site, std::string_view user_agent, http::fetch::Fetcher& fetcher,
                            unsigned most_tries, const std::optional<RobotsCopy>& before) {
  RobotsResponse answer;
  bool first = true;
  std::string body;
  Failure unpaid;
  const auto ask = [&](const base::Url& url) -> Result<site::RobotsReply> {
    // The copy belongs to the first URL; if that redirects, the target is always read.
    const bool is_first = std::exchange(first, false);
    const http::fetch::Validators validators =
        is_first && before ? before->validators : http::fetch::Validators();
    SHEAF_TRY_ASSIGN(auto text, http::fetch::fetch_robots_file(fetcher, url.href(), site::kRobotsBytes + 1,
                                                               validators, most_tries));
    answer.retry_after = http::fetch::retry_after(text.head);
    if (is_first || answer.moved_to) {
      if (auto target = permanent_target(text.head, url)) answer.moved_to = std::move(target);
    }
    if (text.head.status == kPaymentRequired) unpaid = payment_failure(text.head.url);
    if (text.head.status == 304 && !validators.empty()) {
      body = before->body;
      return site::RobotsReply{200, {}, before->body};
    }
    body = text.head.status == 200 ? text.body : std::string();
    if (is_first && text.head.status == 200) answer.copy = {http::fetch::Validators(text.head), text.body};
    return crawl::to_robots_reply(std::move(text));
  };
  site::SiteRobots read = site::read_robots(site, ask);
  if (answer.copy && answer.copy->validators.empty()) answer.copy.reset();
  answer.usage = site::find_usage_lines(body);
  answer.digest = base::to_hex(base::sha256(body));
  answer.robots = std::move(read.robots);
  answer.rules = answer.robots.rules_for(user_agent);
  if (read.access == site::RobotsAccess::nothing)
    answer.failure = describe_unreadable(site, read.error, fetcher.trouble());
  // By RFC 9309 such a site would have no rules, but a site that demands payment even for robots.txt wants
  // nothing to be taken.
  if (unpaid) answer.failure = std::move(unpaid);
  return answer;
}

Result<SiteOffers> walk_site(const base::Url& address, const RobotsResponse& robots, Downloads& downloads,
                             bool allow_http, const UrlSink& urls) {
  SiteOffers offers;
  WalkSink sink(address, robots.rules, urls, offers);
  std::vector<base::Url> given;
  if (address.path() != "/" || address.has_query()) given.push_back(address);
  site::SiteWalk walk = site::walk_sitemaps(
      address, &robots.robots, given,
      [&](const base::Url& url) { return open_sitemap(downloads, url, sink, offers); },
      {.allow_http = allow_http}, sink);
  if (!sink.result()) return std::unexpected(sink.result().error());
  if (walk.findings > offers.notes.size())
    offers.notes.push_back(
        fmt::format("{} more problems in the sitemaps", walk.findings - offers.notes.size()));
  offers.advertised = std::move(walk.advertised);
  offers.urls = walk.urls;
  offers.complete = walk.complete;
  offers.whole = walk.complete && walk.missing == 0;
  if (walk.unread)
    offers.unread = {FailureCode::unreadable_offers,
                     fmt::format("the site's offers cannot be read whole: {}", walk.unread->str())};
  if (walk.complete) downloads.note_all_listed();
  return offers;
}

}  // namespace sheaf::pull
