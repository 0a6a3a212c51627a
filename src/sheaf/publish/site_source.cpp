#include "sheaf/base/counted_text.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/url_set.h"
#include "sheaf/http/fetch_body.h"
#include "sheaf/publish/glob.h"
#include "sheaf/publish/site_pages.h"
#include "sheaf/publish/source.h"
#include "sheaf/site/origin_robots.h"
#include "sheaf/site/page_identity.h"
#include "sheaf/site/site_robots.h"
#include "sheaf/site/site_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace sheaf::publish {
namespace {

constexpr std::uint64_t kSitemapWireBytes = std::uint64_t{256} << 20;
// One page in so many may be in trouble, and a few in any case.
constexpr std::uint64_t kTroubleShare = 20;
constexpr std::uint64_t kTroubleFew = 3;
constexpr std::size_t kNamedFindings = 3;

std::uint64_t tolerated(std::uint64_t pages) { return std::max(kTroubleFew, pages / kTroubleShare); }

/// The pages that the sitemaps name and the options select, each once, on disk.
class EntryList final : public site::SiteWalkSink {
 public:
  EntryList(const SiteSourceOptions& options, base::SpoolFile spool)
      : options_(options), spool_(std::move(spool)) {}

  site::Reading on_url(const site::SitemapUrl& entry) override {
    const auto parsed = base::Url::parse(entry.loc);
    if (!parsed) return site::Reading::go_on;
    const base::Url url = parsed->without_fragment();
    if (url.host() != options_.base.host() || !site::is_same_site(url, options_.base)) {
      ++elsewhere_;
    } else if (is_selected_page(url) && seen_.insert(url.href())) {
      error_ = append(url, entry.lastmod_at);
    }
    return error_ ? site::Reading::go_on : site::Reading::stop;
  }
  void on_walk_finding(const site::WalkFinding& finding) override {
    if (findings_.size() < kNamedFindings) findings_.push_back(finding.str());
  }

  [[nodiscard]] const base::Result<void>& error() const { return error_; }
  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] std::uint64_t elsewhere() const { return elsewhere_; }
  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }

  /// Calls `use` for each entry in order, until it says false.
  base::Result<void> each(const std::function<bool(SiteEntry)>& use) const {
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i < count_; ++i) {
      Frame frame{};
      SHEAF_TRY(spool_.read_at(offset, {reinterpret_cast<char*>(&frame), sizeof frame}));
      SiteEntry entry;
      entry.url.resize(frame.url_bytes);
      SHEAF_TRY(spool_.read_at(offset + sizeof frame, entry.url));
      offset += sizeof frame + frame.url_bytes;
      if (frame.has_lastmod) entry.lastmod = base::Instant{frame.lastmod, 0};
      if (!use(std::move(entry))) return {};
    }
    return {};
  }

 private:
  struct Frame {
    std::int64_t lastmod = 0;
    std::uint32_t url_bytes = 0;
    std::uint32_t has_lastmod = 0;
  };

  [[nodiscard]] bool is_selected_page(const base::Url& url) const {
    const std::string_view path = url.path();
    if (!path.starts_with(options_.below.path())) return false;
    return is_selected(path.substr(1), options_.include, options_.exclude);
  }

  base::Result<void> append(const base::Url& url, const std::optional<base::Instant>& lastmod) {
    const std::string_view href = url.href();
    const Frame frame{lastmod ? lastmod->seconds : 0, static_cast<std::uint32_t>(href.size()),
                      lastmod ? 1U : 0U};
    SHEAF_TRY(spool_.append({reinterpret_cast<const char*>(&frame), sizeof frame}));
    ++count_;
    return spool_.append(href);
  }

  const SiteSourceOptions& options_;
  base::SpoolFile spool_;
  format::UrlSet seen_;
  std::uint64_t count_ = 0;
  std::uint64_t elsewhere_ = 0;
  std::vector<std::string> findings_;
  base::Result<void> error_;
};

class SiteSource final : public Source {
 public:
  SiteSource(SiteSourceOptions options, PageCopies& copies)
      : options_(std::move(options)),
        copies_(copies),
        gate_(options_.connections, options_.connections),
        fetch_{.user_agent = options_.user_agent,
               .allow_private = options_.allow_private,
               .allow_downgrade = options_.allow_http,
               .retry = {.tries = 4},
               .gate = &gate_,
               .cancelled = [this] { return stopping_.load(); }},
        origins_(
            options_.user_agent, ask_robots(),
            [this](const base::Url& origin, const site::RobotsRules& rules) { set_delay(origin, rules); }) {}

  [[nodiscard]] std::string name() const override { return "the live site " + options_.base.origin(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    http::Fetcher fetcher(fetch_);
    SHEAF_TRY_ASSIGN(const site::RobotsTxt robots, read_robots());
    const site::RobotsRules rules = robots.rules_for(options_.user_agent);
    set_delay(options_.base, rules);
    origins_.set(options_.base, rules);
    SHEAF_TRY_ASSIGN(auto spool, base::SpoolFile::create(options_.temporary));
    EntryList entries(options_, std::move(spool));
    SHEAF_TRY(list(fetcher, robots, entries));
    SHEAF_TRY_ASSIGN(const base::Instant began, copies_.begin_pass(base::now()));
    SHEAF_TRY_ASSIGN(const bool all, read_pages(entries, began, sink));
    return all ? copies_.end_pass(began) : base::Result<void>();
  }

 private:
  base::Result<site::RobotsTxt> read_robots() {
    site::SiteRobots answer = site::read_robots(options_.base, ask_robots());
    if (answer.access != site::RobotsAccess::nothing) return std::move(answer.robots);
    const base::Error error = answer.error.value_or(base::Error{base::Errc::io, "no answer"});
    // A guard's own words say what to do.
    if (error.code == base::Errc::refused) return std::unexpected(error);
    return base::fail(
        base::Errc::io,
        fmt::format("robots.txt cannot be read, and without it nothing may be fetched: {}", error.message));
  }

  /// Sends one request for a robots.txt.
  [[nodiscard]] site::AskRobots ask_robots() const {
    return [fetcher = std::make_shared<http::Fetcher>(fetch_)](
               const base::Url& url) -> base::Result<site::RobotsReply> {
      SHEAF_TRY_ASSIGN(auto text, http::fetch_robots_file(*fetcher, url.href(), site::kRobotsBytes + 1));
      return site::RobotsReply{text.head.status, std::string(text.head.header("location")),
                               std::move(text.body)};
    };
  }

  /// What robots.txt asks for counts if it is more than we would do anyway.
  void set_delay(const base::Url& origin, const site::RobotsRules& rules) {
    constexpr double kLongest = 86'400;
    const double asked = std::clamp(rules.crawl_delay().value_or(0), 0.0, kLongest);
    const auto delay =
        std::max(options_.delay, std::chrono::milliseconds(static_cast<std::int64_t>(asked * 1000)));
    const unsigned port = origin.port().value_or(origin.scheme() == "https" ? 443 : 80);
    gate_.set_delay(fmt::format("{}:{}", origin.host(), port), delay);
  }

  base::Result<void> list(http::Fetcher& fetcher, const site::RobotsTxt& robots, EntryList& entries) {
    std::vector<base::Url> given;
    for (const std::string& text : options_.sitemaps)
      if (auto url = base::Url::parse(text, &options_.base)) given.push_back(std::move(*url));
    const site::SiteWalk walk = site::walk_sitemaps(
        options_.base, &robots, given, [&](const base::Url& url) { return open(fetcher, url); },
        {.allow_http = options_.allow_http}, entries);
    SHEAF_TRY(entries.error());
    const std::string details = fmt::format("{}", fmt::join(entries.findings(), "; "));
    if (!walk.complete)
      return base::fail(
          base::Errc::io,
          fmt::format("the sitemaps of {} could not be read whole, and what they do not name would be "
                      "taken for removed: {}",
                      options_.base.origin(), details));
    if (entries.size() == 0)
      return base::fail(
          base::Errc::refused,
          fmt::format("the sitemaps of {} name no page below {} that `include` and `exclude` let "
                      "through",
                      options_.base.origin(), options_.below.href()));
    if (!details.empty()) notes_.push_back("look at the site's sitemaps: " + details);
    if (entries.elsewhere() > 0)
      notes_.push_back(fmt::format("look at the site's sitemaps: they name {} of other hosts than {}",
                                   base::counted(entries.elsewhere(), "page", "pages"),
                                   options_.base.host()));
    return {};
  }

  base::Result<site::OpenedSitemap> open(http::Fetcher& fetcher, const base::Url& url) const {
    SHEAF_TRY_ASSIGN(
        const auto body,
        http::fetch_to_spool(fetcher, {.url = std::string(url.href()), .limit = kSitemapWireBytes},
                             options_.temporary));
    const int status = body.head.status;
    if (status == 404 || status == 410)
      return base::fail(base::Errc::not_found, fmt::format("there is no such file ({})", status));
    if (!body.file) return base::fail(base::Errc::io, fmt::format("the site answered {}", status));
    return site::OpenedSitemap{body.open(), base::Url::parse(body.head.url).value_or(url)};
  }

  /// Several connections ask, this thread hands over in the order of the sitemaps. False: no more were
  /// wanted.
  base::Result<bool> read_pages(const EntryList& entries, base::Instant began,
                                const std::function<bool(SourceItem)>& sink) {
    using Page = base::Result<SitePage>;
    const SitePageOptions options{options_.base, origins_, began};
    base::OrderedPipeline<SiteEntry, Page> pipeline(options_.connections, [&] {
      return [pages = std::make_shared<SitePages>(fetch_, options, copies_)](const SiteEntry& entry) {
        return pages->get(entry);
      };
    });
    base::Result<void> listed;
    base::Result<bool> taken;
    {
      const std::jthread reader([&] {
        listed = entries.each([&](SiteEntry entry) { return pipeline.push(std::move(entry)); });
        pipeline.close();
      });
      taken = take_pages(entries.size(), pipeline, sink);
      stopping_ = true;  // requests under way end too
      pipeline.stop();
    }
    if (taken && *taken) SHEAF_TRY(listed);
    return taken;
  }

  base::Result<bool> take_pages(std::uint64_t count,
                                base::OrderedPipeline<SiteEntry, base::Result<SitePage>>& pipeline,
                                const std::function<bool(SourceItem)>& sink) {
    std::uint64_t troubles = 0;
    std::string first;
    while (auto next = pipeline.next()) {
      SHEAF_TRY_ASSIGN(SitePage page, std::move(*next));
      if (!page.trouble.empty()) {
        if (++troubles == 1) first = page.trouble;
        if (troubles > tolerated(count)) return too_much_trouble(troubles, count, first);
      }
      if (!sink(std::move(page.item))) return false;
    }
    if (troubles > 0)
      notes_.push_back(
          fmt::format("{} of {} could not be had this time; those that were published before "
                      "stay as they were: {}",
                      base::human_count(troubles), base::counted(count, "page", "pages"), first));
    return true;
  }

  [[nodiscard]] std::unexpected<base::Error> too_much_trouble(std::uint64_t troubles, std::uint64_t count,
                                                              const std::string& first) const {
    return base::fail(
        base::Errc::io,
        fmt::format("more than {} of the {} of {} could not be had, so nothing is published; what "
                    "was fetched is kept for the next run. The first: {}",
                    troubles - 1, base::counted(count, "page", "pages"), options_.base.origin(), first));
  }

  SiteSourceOptions options_;
  PageCopies& copies_;
  std::atomic<bool> stopping_ = false;
  http::HostGate gate_;
  http::FetchOptions fetch_;
  site::OriginRobots origins_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<Source> site_source(SiteSourceOptions options, PageCopies& copies) {
  return std::make_unique<SiteSource>(std::move(options), copies);
}

}  // namespace sheaf::publish
