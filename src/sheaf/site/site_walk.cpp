#include "sheaf/site/site_walk.h"

#include "sheaf/base/url_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>

namespace sheaf::site {
namespace {

// Maximum bytes of URLs in memory: of the sitemaps that are still to be read, and of the collections. A short
// entry of a sitemap may cost a long URL, because it is kept with that of its sitemap.
constexpr std::uint64_t kPendingBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kAdvertisedBytes = std::uint64_t{64} << 20;

/// The host of a URL without a leading www.
std::string host_of(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  return std::string(host);
}

/// A sitemap in the queue.
struct Pending {
  base::Url url;
  std::optional<Instant> lastmod;
  std::uint32_t depth = 0;
  std::string root = {};  ///< the sitemap at depth 0 that led here; empty if it is this one
  bool is_guess = false;  ///< nothing lists it; a web page there means that there is no sitemap

  [[nodiscard]] std::uint64_t bytes() const { return sizeof(Pending) + url.href().size() + root.size(); }
};

class Walker {
 public:
  Walker(const base::Url& site, const OpenSitemap& open, const SiteWalkLimits& limits, SiteWalkSink& sink)
      : site_(site), open_(open), limits_(limits), sink_(sink) {
    trusted_hosts_.insert(host_of(site));
  }

  SiteWalk run(const RobotsTxt* robots, const std::vector<base::Url>& given) {
    walk_.complete = true;
    for (const base::Url& url : given) begin_with(url);
    if (given.empty() && robots != nullptr) begin_with_robots(*robots);
    read_pending();
    if (given.empty() && !found_any_ && !walk_.stopped) read_usual_places();
    return std::move(walk_);
  }

  /// Reports a problem that may hide pages or collections.
  void add_unread(const WalkFinding& finding) {
    walk_.complete = false;
    if (!walk_.unread) walk_.unread = finding;
    add(finding);
  }

  void add(const WalkFinding& finding) {
    if (++walk_.findings <= limits_.findings) sink_.on_walk_finding(finding);
  }

 private:
  class FileSink;

  void begin_with_robots(const RobotsTxt& robots) {
    for (const std::string& line : robots.sitemaps()) {
      if (const auto url = base::Url::parse(line, &site_)) {
        begin_with(*url);
      } else {
        add({WalkProblem::invalid_url, site_.origin() + "/robots.txt", 0, std::nullopt,
             fmt::format("the Sitemap line \"{}\" is not an http or https URL", line.substr(0, 200))});
      }
    }
  }

  void begin_with(const base::Url& url) {
    trusted_hosts_.insert(host_of(url));
    enqueue({url.without_fragment(), std::nullopt, 0});
  }

  /// Whether the URL is plain http although the site has https, so a network attacker could replace the file.
  [[nodiscard]] bool is_insecure(const base::Url& url) const {
    return !limits_.allow_http && site_.scheme() == "https" && url.scheme() == "http";
  }

  void refuse_insecure(const base::Url& named, const base::Url& url) {
    add_unread(
        {WalkProblem::insecure, std::string(named.href()), 0, std::nullopt,
         fmt::format(
             "{} is served over http for a site that has https: anyone on the network path could change it; "
             "it was not read. Allow it with --allow-http",
             url.href())});
  }

  void enqueue(Pending pending) {
    const bool is_full = seen_.size() >= limits_.sitemaps || pending_bytes_ + pending.bytes() > kPendingBytes;
    if (is_full) return report_too_many(pending.url, limits_.sitemaps);
    if (!seen_.insert(pending.url.href())) return;
    if (is_insecure(pending.url)) return refuse_insecure(pending.url, pending.url);
    pending_bytes_ += pending.bytes();
    pending_.push_back(std::move(pending));
  }

  void report_too_many(const base::Url& url, std::uint64_t limit) {
    if (std::exchange(reported_too_many_, true)) return;
    add_unread({WalkProblem::too_many, std::string(url.href()), 0, std::nullopt,
                fmt::format("the site names more than {} sitemaps; this one and all after it were not read",
                            limit)});
  }

  /// How many sitemaps may be opened by now: a site pays for them with the entries that they list.
  [[nodiscard]] std::uint64_t allowance() const {
    return limits_.free_sitemaps + (walk_.urls + collections_.size()) / kEntriesPerSitemap;
  }

  void read_pending() {
    while (!pending_.empty() && !walk_.stopped) {
      const Pending next = std::move(pending_.front());
      pending_.pop_front();
      pending_bytes_ -= next.bytes();
      const SitemapChoice choice = sink_.on_sitemap(next.url, next.lastmod);
      if (choice == SitemapChoice::stop) stop();
      if (choice == SitemapChoice::skip) ++walk_.skipped;
      if (choice == SitemapChoice::forbid) report_forbidden(next.url);
      if (choice != SitemapChoice::read) {
        found_any_ = true;
        continue;
      }
      if (opened_ >= allowance()) {
        pending_.clear();
        return report_too_many(next.url, opened_);
      }
      ++opened_;
      auto opened = open_(next.url);
      if (opened) {
        read(next, *opened);
      } else {
        report_not_opened(next.url, opened.error());
      }
    }
  }

  void report_forbidden(const base::Url& url) {
    walk_.complete = false;
    add({WalkProblem::disallowed, std::string(url.href()), 0, std::nullopt,
         "robots.txt disallows this sitemap, so it was not read"});
  }

  void stop() {
    walk_.stopped = true;
    walk_.complete = false;
  }

  /// Tries the usual URLs. A missing sitemap is not a finding here, because nothing lists it.
  void read_usual_places() {
    for (const std::string_view path : {"/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz"}) {
      const base::Url url = *base::Url::parse(path, &site_);
      if (!seen_.insert(url.href())) continue;
      const SitemapChoice choice = sink_.on_sitemap(url, std::nullopt);
      if (choice == SitemapChoice::stop) return stop();
      if (choice == SitemapChoice::forbid) continue;
      if (choice == SitemapChoice::skip) {
        ++walk_.skipped;
        return;
      }
      auto opened = open_(url);
      if (opened) {
        if (!read({url, std::nullopt, 0, {}, true}, *opened)) continue;
        return read_pending();
      }
      if (opened.error().code != base::Errc::not_found) return report_not_opened(url, opened.error());
    }
    walk_.complete = false;
    add({WalkProblem::no_sitemap, site_.origin() + "/sitemap.xml", 0, std::nullopt,
         "the site has no sitemap: neither robots.txt names one nor is there one in the usual places"});
  }

  void report_not_opened(const base::Url& url, const base::Error& error) {
    const WalkFinding finding{WalkProblem::missing, std::string(url.href()), 0, std::nullopt, error.message};
    if (error.code == base::Errc::not_found) {
      ++walk_.missing;
      return add(finding);
    }
    found_any_ = true;  // it may exist, so the usual places are not tried
    WalkFinding unreachable = finding;
    unreachable.problem = WalkProblem::unreachable;
    add_unread(unreachable);
  }

  /// Returns false if it is not a sitemap.
  bool read(const Pending& pending, OpenedSitemap& opened);

  const base::Url& site_;
  const OpenSitemap& open_;
  const SiteWalkLimits& limits_;
  SiteWalkSink& sink_;
  SiteWalk walk_;
  std::deque<Pending> pending_;
  std::uint64_t pending_bytes_ = 0;
  std::uint64_t opened_ = 0;  ///< sitemaps that were requested
  base::UrlSet seen_;
  std::set<std::string> trusted_hosts_;
  std::set<std::string, std::less<>> sections_;
  std::unordered_map<std::string, std::size_t> collections_;  ///< positions, by section and URL
  std::uint64_t advertised_bytes_ = 0;
  bool found_any_ = false;
  bool reported_too_many_ = false;
};

/// Receives the entries of one file.
class Walker::FileSink final : public SitemapSink {
 public:
  FileSink(Walker& walker, const Pending& pending, const base::Url& url)
      : walker_(walker), pending_(pending), url_(url) {}

  Reading on_url(const SitemapUrl& entry) override {
    if (++walker_.walk_.urls > walker_.limits_.urls) {
      --walker_.walk_.urls;
      say(WalkProblem::too_many, entry.line,
          fmt::format("the sitemaps name more than {} pages; the rest were not read", walker_.limits_.urls));
      walker_.pending_.clear();
      return Reading::stop;
    }
    return pass(walker_.sink_.on_url(entry));
  }

  Reading on_child(const ChildSitemap& entry) override {
    const auto child = base::Url::parse(entry.loc);
    if (!child) return Reading::go_on;  // cannot happen: the reader passes only valid URLs
    if (!is_trusted(*child)) {
      say(WalkProblem::elsewhere, entry.line,
          fmt::format("the sitemap {} is on another host, which robots.txt does not list; it was skipped",
                      entry.loc));
    } else if (pending_.depth + 1 > walker_.limits_.depth) {
      say(WalkProblem::too_deep, entry.line,
          fmt::format("the sitemap {} is nested {} indexes deep; it was skipped", entry.loc,
                      pending_.depth + 1));
    } else {
      walker_.enqueue({child->without_fragment(), entry.lastmod_at, pending_.depth + 1,
                       pending_.root.empty() ? std::string(pending_.url.href()) : pending_.root});
    }
    return pass(walker_.sink_.on_child(entry));
  }

  void on_version(std::string_view version) override {
    if (!walker_.walk_.advertised.version) walker_.walk_.advertised.version = version;
    walker_.sink_.on_version(version);
  }

  void on_compression(std::string_view codec) override {
    constexpr std::size_t kCodecs = 16;  // there are two
    auto& codecs = walker_.walk_.advertised.compression;
    if (codecs.size() < kCodecs && std::ranges::find(codecs, codec) == codecs.end())
      codecs.emplace_back(codec);
    walker_.sink_.on_compression(codec);
  }

  void on_section(const AdvertisedSection& section) override {
    auto& sections = walker_.walk_.advertised.sections;
    if (sections.size() < walker_.limits_.advertised && walker_.sections_.insert(section.name).second)
      sections.push_back(section);
    walker_.sink_.on_section(section);
  }

  void on_collection(const AdvertisedCollection& collection) override {
    walker_.sink_.on_collection(collection);
    auto& collections = walker_.walk_.advertised.collections;
    const std::uint64_t bytes = collection.url.size() + pending_.bytes();
    if (walker_.advertised_bytes_ + bytes > kAdvertisedBytes) return;
    const auto [known, is_new] =
        walker_.collections_.try_emplace(collection.section + " " + collection.url, collections.size());
    if (is_new && collections.size() >= walker_.limits_.advertised) {
      walker_.collections_.erase(known);
      return;
    }
    // Only the newest entry says what is at the URL now: an old sitemap may list a file that was replaced.
    if (!is_new && collection.generated <= collections[known->second].generated) return;
    if (is_new) collections.emplace_back();
    walker_.advertised_bytes_ += bytes;
    AdvertisedCollection& kept = collections[known->second] = collection;
    kept.sitemaps.emplace_back(pending_.url.href());
    if (!pending_.root.empty()) kept.sitemaps.push_back(pending_.root);
  }

  void on_key(const AdvertisedKey& key) override {
    if (!walker_.walk_.advertised.key) walker_.walk_.advertised.key = key;
    walker_.sink_.on_key(key);
  }

  void on_finding(const SitemapFinding& finding) override {
    const WalkFinding found{WalkProblem::in_file, std::string(pending_.url.href()), finding.line,
                            finding.code, finding.message};
    const bool is_no_sitemap = pending_.is_guess && finding.code == SitemapCode::not_a_sitemap;
    const bool hides = !is_no_sitemap && (level_of(finding.code) == SitemapLevel::stop ||
                                          finding.code == SitemapCode::invalid_collection);
    hides ? walker_.add_unread(found) : walker_.add(found);
  }

 private:
  [[nodiscard]] bool is_trusted(const base::Url& child) const {
    const std::string host = host_of(child);
    return host == host_of(url_) || walker_.trusted_hosts_.contains(host);
  }

  void say(WalkProblem problem, std::uint64_t line, std::string message) {
    const WalkFinding finding{problem, std::string(pending_.url.href()), line, std::nullopt,
                              std::move(message)};
    problem == WalkProblem::elsewhere ? walker_.add(finding) : walker_.add_unread(finding);
  }

  Reading pass(Reading reading) {
    if (reading == Reading::stop) walker_.stop();
    return reading;
  }

  Walker& walker_;
  const Pending& pending_;
  const base::Url& url_;
};

bool Walker::read(const Pending& pending, OpenedSitemap& opened) {
  if (is_insecure(opened.url)) {
    refuse_insecure(pending.url, opened.url);
    return true;
  }
  found_any_ = true;
  ++walk_.sitemaps;
  // Two URLs may lead to one file.
  const base::Url url = opened.url.without_fragment();
  if (url != pending.url && !seen_.insert(url.href())) return true;
  FileSink sink(*this, pending, url);
  const auto summary = read_sitemap(*opened.bytes, limits_.sitemap, sink, &url);
  if (!summary) {
    report_not_opened(pending.url, summary.error());
    return true;
  }
  if (!summary->complete) walk_.complete = false;
  return summary->kind != SitemapKind::unknown;
}

}  // namespace

std::string_view to_string(WalkProblem problem) {
  switch (problem) {
    case WalkProblem::in_file: return "in-file";
    case WalkProblem::missing: return "missing";
    case WalkProblem::unreachable: return "unreachable";
    case WalkProblem::invalid_url: return "invalid-url";
    case WalkProblem::elsewhere: return "elsewhere";
    case WalkProblem::insecure: return "insecure";
    case WalkProblem::disallowed: return "disallowed";
    case WalkProblem::too_deep: return "too-deep";
    case WalkProblem::too_many: return "too-many";
    case WalkProblem::no_sitemap: return "no-sitemap";
  }
  return "";
}

std::string WalkFinding::str() const {
  return line > 0 ? fmt::format("{}:{}: {}", sitemap, line, message)
                  : fmt::format("{}: {}", sitemap, message);
}

SiteWalk walk_sitemaps(const base::Url& site, const RobotsTxt* robots, const std::vector<base::Url>& given,
                       const OpenSitemap& open, const SiteWalkLimits& limits, SiteWalkSink& sink) {
  return Walker(site, open, limits, sink).run(robots, given);
}

}  // namespace sheaf::site
