#include "sheaf/base/file.h"
#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/site/page_identity.h"
#include "sheaf/site/site_walk.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace sheaf::doctor {
namespace {

constexpr std::uint32_t kMaxSitemaps = 20;
constexpr std::size_t kMaxFindings = 1000;
constexpr std::int64_t kLastmodSeconds = 86'400;  // sitemaps name dates of any time zone

/// Collects what the sitemaps say.
class InspectionSink final : public site::SiteWalkSink {
 public:
  explicit InspectionSink(Inspection& inspection)
      : inspection_(inspection), facts_(inspection.facts.sitemaps) {}

  site::SitemapChoice on_sitemap(const base::Url& sitemap,
                                 const std::optional<Instant>& /*lastmod*/) override {
    if (!inspection_.client.allows(sitemap)) {
      facts_.disallowed.emplace_back(sitemap.href());
      return site::SitemapChoice::skip;
    }
    if (facts_.files.size() < kMaxSitemaps) return site::SitemapChoice::read;
    if (!std::exchange(reported_limit_, true))
      inspection_.facts.unchecked.push_back(
          fmt::format("sitemaps after the first {}, from {} on", kMaxSitemaps, sitemap.href()));
    return site::SitemapChoice::skip;
  }

  site::Reading on_url(const site::SitemapUrl& entry) override {
    const Instant latest{inspection_.facts.now.seconds + kLastmodSeconds, 0};
    if (facts_.future_lastmod.empty() && entry.lastmod_at && *entry.lastmod_at > latest)
      facts_.future_lastmod = entry.loc;
    const auto url = base::Url::parse(entry.loc);
    if (!url) return site::Reading::go_on;
    if (!site::is_same_site(*url, inspection_.facts.site)) {
      if (facts_.foreign_entry.empty()) facts_.foreign_entry = entry.loc;
      return site::Reading::go_on;
    }
    if (inspection_.client.allows(*url)) add_to_sample(std::string(url->without_fragment().href()));
    return site::Reading::go_on;
  }

  void on_collection(const site::AdvertisedCollection& collection) override {
    const bool is_new = offers_.insert(collection.url).second;
    if (!is_new && facts_.duplicates.size() < kMaxFindings) facts_.duplicates.push_back(collection.url);
  }

  void on_walk_finding(const site::WalkFinding& finding) override {
    if (facts_.findings.size() < kMaxFindings) facts_.findings.push_back(finding);
  }

  /// Returns the sampled pages; call it after the walk. If the sitemaps that offer collections also list
  /// pages, the sample is taken from them, because the publisher maintains both together. The other sitemaps
  /// of a CMS also list archives by date, author and tag, which have no content of their own. If the sitemaps
  /// that offer collections list no pages, the sample is taken from all sitemaps.
  [[nodiscard]] std::vector<std::string> sample() const {
    Sample offering, all;
    for (const auto& [sitemap, entries] : samples_) {
      if (facts_.offers_collections(sitemap)) add(offering, entries);
      add(all, entries);
    }
    std::vector<std::string> urls;
    for (const auto& [rank, url] : offering.empty() ? all : offering) urls.push_back(url);
    return urls;
  }

 private:
  using Sample = std::map<std::uint64_t, std::string>;

  void add_to_sample(std::string url) {
    const std::uint64_t rank = sample_rank(url);
    add(samples_[facts_.files.back().url], {{rank, std::move(url)}});
  }

  void add(Sample& sample, const Sample& entries) const {
    sample.insert(entries.begin(), entries.end());
    while (sample.size() > inspection_.options.pages) sample.erase(std::prev(sample.end()));
  }

  Inspection& inspection_;
  SitemapFacts& facts_;
  std::set<std::string> offers_;
  std::map<std::string, Sample> samples_;  // by sitemap
  bool reported_limit_ = false;
};

base::Result<site::OpenedSitemap> open_for_doctor(Inspection& inspection, const base::Url& url) {
  SHEAF_TRY_ASSIGN(auto created, base::SpoolFile::create({}));
  auto spool = std::make_shared<base::SpoolFile>(std::move(created));
  ProbeExchange exchange = inspection.client.send({.url = std::string(url.href()), .spool = spool.get()});
  if (!exchange.was_made())
    return base::fail(base::Errc::refused, "the limit of requests or of the time is reached");
  inspection.facts.sitemaps.files.push_back(exchange);
  if (exchange.error) return std::unexpected(*exchange.error);
  const int status = exchange.status();
  if (status != 200)
    return base::fail(status == 404 || status == 410 ? base::Errc::not_found : base::Errc::io,
                      fmt::format("{} answered {}", url.href(), status));
  const auto final_url = base::Url::parse(exchange.head.url);
  return site::OpenedSitemap{base::spool_source(std::move(spool), std::string(url.href())),
                             final_url ? *final_url : url};
}

}  // namespace

void inspect_sitemaps(Inspection& inspection) {
  const base::Url& site = inspection.facts.site;
  std::vector<base::Url> given;
  if (site.path() != "/" || site.has_query()) given.push_back(site);
  InspectionSink sink(inspection);
  site::SiteWalk walk = site::walk_sitemaps(
      site, &inspection.facts.robots.robots, given,
      [&](const base::Url& url) { return open_for_doctor(inspection, url); },
      {.allow_http = inspection.options.allow_http}, sink);
  SitemapFacts& facts = inspection.facts.sitemaps;
  facts.advertised = std::move(walk.advertised);
  facts.urls = walk.urls;
  facts.sample = sink.sample();
}

}  // namespace sheaf::doctor
