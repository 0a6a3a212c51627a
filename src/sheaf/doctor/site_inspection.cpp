#include "sheaf/doctor/site_inspection.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/crawl/page_extract.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/extract/extract.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/site/site_robots.h"
#include "sheaf/site/site_text.h"
#include "sheaf/site/site_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace sheaf::doctor {
namespace {

constexpr std::size_t kFewWords = 5;
constexpr std::size_t kShortWord = 3;  // words up to this length occur everywhere

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::unordered_set<std::string> words_of(std::string_view text) {
  std::unordered_set<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto start = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_word_byte);
    const auto end = std::find_if_not(start, text.end(), is_word_byte);
    if (end - start > static_cast<std::ptrdiff_t>(kShortWord)) words.insert(base::lower_text({start, end}));
    at = static_cast<std::size_t>(end - text.begin());
  }
  return words;
}

}  // namespace

double share_of_words(std::string_view text, std::string_view html) {
  const auto wanted = words_of(text);
  if (wanted.size() < kFewWords) return 1;
  const auto there = words_of(html);
  const auto shared =
      std::ranges::count_if(wanted, [&](const std::string& word) { return there.contains(word); });
  return static_cast<double>(shared) / static_cast<double>(wanted.size());
}

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
      {.allow_http = inspection.options.fetch.allow_http}, sink);
  SitemapFacts& facts = inspection.facts.sitemaps;
  facts.advertised = std::move(walk.advertised);
  facts.urls = walk.urls;
  facts.sample = sink.sample();
}

namespace {

/// Requests pages of the site and records what became of them.
class PageVisitor {
 public:
  explicit PageVisitor(Inspection& inspection)
      : inspection_(inspection), robots_(inspection.options.fetch.user_agent, [this](const base::Url& url) {
          return crawl::request_robots(inspection_.client.fetcher(), url, 1);
        }) {
    robots_.set(inspection.facts.site, inspection.facts.robots.rules);
  }

  /// `text` is the page's text in a collection; empty if no collection has the page.
  PageFacts visit(const std::string& url, const std::string& text) {
    const SiteFacts& facts = inspection_.facts;
    if (inspection_.options.progress) inspection_.options.progress(url, inspection_.client.requests());
    const crawl::VisitOptions options{.site = facts.site,
                                      .robots = robots_,
                                      .allow_http = facts.allow_http,
                                      .clock = inspection_.options.clock};
    crawl::CrawledPage page{.visit = crawl::visit_page(inspection_.client.fetcher(), {.url = url}, options)};
    const std::uint64_t bytes = inspection_.client.fetcher().use().bytes;
    inspection_.client.count_use();
    PageFacts found{.url = url, .in_collection = !text.empty(), .status = page.visit.status, .bytes = bytes};
    if (!text.empty() && page.is_raw()) found.shared = share_of_words(text, page.visit.body);
    if (page.is_raw())
      crawl::extract_page(extractor_, nullptr, facts.site, robots_, facts.now, extract::LinkBlocks::none,
                          page);
    found.fate = page.visit.fate;
    found.final_url = page.canonical.empty() ? page.visit.final_url : page.canonical;
    return found;
  }

 private:
  Inspection& inspection_;
  site::OriginRobots robots_;
  extract::Extractor extractor_;
};

}  // namespace

void inspect_pages(Inspection& inspection) {
  SiteFacts& facts = inspection.facts;
  PageVisitor visitor(inspection);
  std::map<std::uint64_t, SampledPage> sample;
  for (const SectionCopy& copy : inspection.copies)
    for (const auto& [rank, page] : copy.sample()) sample.emplace(rank, page);
  for (const auto& [rank, page] : sample) {
    const auto url = base::Url::parse(page.url);
    if (facts.pages.size() >= inspection.options.pages || inspection.client.is_exhausted()) break;
    const bool is_own = url && site::is_same_site(*url, facts.site);
    if (is_own && inspection.client.allows(*url)) facts.pages.push_back(visitor.visit(page.url, page.text));
  }
  // Pages that the collections lack can be found only if all collections were read.
  const bool complete =
      !facts.sections.empty() && std::ranges::all_of(facts.sections, &SectionFacts::complete);
  if (!complete) return;
  for (const std::string& url : facts.sitemaps.sample) {
    const bool known =
        std::ranges::any_of(inspection.copies, [&](const SectionCopy& copy) { return copy.contains(url); });
    if (!known && !inspection.client.is_exhausted()) facts.pages.push_back(visitor.visit(url, {}));
  }
}

namespace {

using http::fetch::FetchTrouble;

/// Whether robots.txt got no response at all, so that nothing is known about the site.
bool is_unreachable(const RobotsFacts& robots) {
  if (!robots.get.error) return false;
  switch (robots.get.trouble) {
    case FetchTrouble::unresolvable_host:
    case FetchTrouble::unreachable:
    case FetchTrouble::too_slow:
    case FetchTrouble::forbidden_address:
    case FetchTrouble::cancelled: return true;
    default: return false;
  }
}

/// Returns a URL next to the collections where no file can exist.
std::string missing_url(const SiteFacts& facts) {
  const auto& offers = facts.sitemaps.advertised.collections;
  const std::string near = offers.empty() ? std::string(facts.site.href()) : offers.front().url;
  return near.substr(0, near.rfind('/') + 1) + "sheaf-doctor-no-such-file.scp.zst";
}

void inspect_missing_file(Inspection& inspection) {
  const std::string url = missing_url(inspection.facts);
  const auto parsed = base::Url::parse(url);
  if (!parsed || !inspection.client.allows(*parsed)) return;
  ProbeExchange exchange = inspection.client.send({.url = url, .enough = kStartBytes});
  if (exchange.was_made()) inspection.facts.missing = std::move(exchange);
}

/// Asks for the files of `sheaf publish` that must not be served, at the root of the site.
void inspect_private_files(Inspection& inspection) {
  for (const std::string_view path : {".sheaf/CURRENT", "sheaf.toml"}) {
    const auto url = base::Url::parse(path, &inspection.facts.site);
    if (!url || !inspection.client.allows(*url)) continue;
    ProbeExchange exchange = inspection.client.send({.url = std::string(url->href()), .enough = kStartBytes});
    if (exchange.was_made()) inspection.facts.private_files.push_back(std::move(exchange));
  }
}

}  // namespace

bool inspect_robots(Inspection& inspection) {
  RobotsFacts& robots = inspection.facts.robots;
  const auto ask = [&](const base::Url& url) -> base::Result<site::RobotsReply> {
    robots.get = ProbeExchange{.url = std::string(url.href())};
    auto text =
        http::fetch::fetch_robots_file(inspection.client.fetcher(), url.href(), site::kRobotsBytes + 1);
    robots.get.trouble = inspection.client.fetcher().trouble();
    inspection.client.count_use();
    if (!text) {
      robots.get.error = text.error();
      return std::unexpected(text.error());
    }
    robots.get.head = text->head;
    robots.get.bytes = text->body.size();
    robots.get.start = text->body.substr(0, kStartBytes);
    robots.get.trouble = FetchTrouble::none;
    if (http::fetch::is_redirect(text->head)) ++robots.redirects;
    return site::RobotsReply{text->head.status, std::string(text->head.header("location")),
                             std::move(text->body)};
  };
  site::SiteRobots read = site::read_robots(inspection.facts.site, ask);
  robots.access = read.access;
  robots.robots = std::move(read.robots);
  robots.rules = robots.robots.rules_for(inspection.options.fetch.user_agent);
  inspection.client.obey(robots.rules);
  return read.access != site::RobotsAccess::nothing;
}

base::Result<SiteFacts> inspect_site(const base::Url& site, const InspectOptions& options) {
  SiteFacts facts{.site = site, .now = options.clock(), .allow_http = options.fetch.allow_http};
  ProbeClient client(site, options);
  Inspection inspection{.options = options, .facts = facts, .client = client};
  const bool may_go_on = inspect_robots(inspection);
  if (is_unreachable(facts.robots)) {
    if (!client.is_late()) return std::unexpected(*facts.robots.get.error);
    return base::fail(base::Errc::io, fmt::format("{} did not answer within {} seconds (--max-time)",
                                                  facts.robots.get.url, options.max_time.count()));
  }
  if (may_go_on) {
    inspect_sitemaps(inspection);
    inspect_collections(inspection);
    inspect_sections(inspection);
    inspect_pages(inspection);
    inspect_missing_file(inspection);
    inspect_private_files(inspection);
  } else {
    facts.unchecked.emplace_back("everything but robots.txt: until it can be read, nothing may be fetched");
  }
  if (client.is_late())
    facts.unchecked.push_back(
        fmt::format("the rest: the time limit of {} seconds is reached", options.max_time.count()));
  else if (client.is_exhausted())
    facts.unchecked.push_back(fmt::format("the rest: the limit of {} requests and {} bytes is reached",
                                          options.max_requests, options.max_bytes));
  facts.requests = client.requests();
  facts.bytes = client.bytes();
  return facts;
}

}  // namespace sheaf::doctor
