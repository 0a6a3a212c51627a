#include "sheaf/api/store_inside.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/site/robots.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <sheaf/pull.h>

#include <algorithm>
#include <utility>

namespace sheaf {
namespace {

constexpr unsigned kAllConnections = 64;  ///< of one call, to all hosts

Result<pull::PullOptions> pull_options(const PullSettings& settings, http::fetch::HostGate& gate) {
  if (site::product_token(settings.user_agent).empty())
    return fail(
        Errc::invalid_argument,
        fmt::format("{}: a user agent begins with a name, as ExampleBot/1.0 (+https://example.com/bot)",
                    settings.user_agent));
  pull::PullOptions options;
  options.fetch.user_agent = settings.user_agent;
  options.fetch.from = settings.from;
  options.fetch.allow_private = settings.allow_private;
  options.fetch.allow_http = settings.allow_http;
  options.fetch.tries = settings.tries;
  options.fetch.timeout = settings.timeout;
  options.fetch.gate = &gate;
  options.fetch.cancelled = settings.cancelled;
  options.cancelled = settings.cancelled;
  options.limits = settings.limits;
  options.threads = settings.threads;
  options.pack_threads = std::max(settings.threads, 1U);
  options.sections = settings.sections;
  options.shrink = settings.shrink;
  options.html = settings.pages;
  options.fetch.connections = settings.connections;
  options.fetch.delay = settings.delay;
  options.crawl.max_pages = settings.max_pages;
  if (settings.progress)
    options.progress = [report = settings.progress](const pull::PullProgress& progress) {
      report(progress.name, progress.what == "pages" ? progress.pages : progress.bytes, progress.total);
    };
  return options;
}

PulledSection pulled_section(const pull::PullSectionReport& report) {
  PulledSection section;
  static_cast<PageChanges&>(section) = report;
  section.section = report.section;
  section.ok = report.ok;
  if (report.failure) section.code = to_string(report.failure.code);
  section.message = report.failure.message;
  section.pages = report.pages;
  section.collections = report.applied;
  section.proven = report.proven;
  return section;
}

/// The section of pages that were fetched one by one.
PulledSection crawled_section(const pull::PullReport& report) {
  PulledSection section;
  static_cast<PageChanges&>(section) = *report.crawl;
  section.section = pull::kHtmlSection;
  section.ok = report.ok;
  section.pages = report.crawl->pages;
  return section;
}

PullResult pull_result(const pull::PullReport& report) {
  PullResult result;
  result.site = report.site;
  result.ok = report.ok;
  if (report.failure) result.code = to_string(report.failure.code);
  result.message = report.failure.message;
  result.from_html = report.route == pull::PullRoute::html;
  for (const auto& section : report.sections) result.sections.push_back(pulled_section(section));
  if (report.crawl) {
    result.sections.push_back(crawled_section(report));
    result.complete = report.crawl->complete;
  }
  result.notes = report.notes;
  result.requests = report.requests;
  result.bytes = report.bytes;
  return result;
}

}  // namespace

Result<PullResult> pull_site(Store& store, std::string_view site, const PullSettings& settings) {
  SHEAF_TRY_ASSIGN(const base::Url url, pull::parse_site_url(site));
  http::fetch::HostGate gate(settings.connections, kAllConnections);
  SHEAF_TRY_ASSIGN(const pull::PullOptions options, pull_options(settings, gate));
  store::PageStore& pages = StoreInside::pages(store);
  SHEAF_TRY_ASSIGN(const auto downloads, store::take_download_folder(StoreInside::folder(store).string()));
  SHEAF_TRY_ASSIGN(const auto report,
                   pull::pull_site(pages, url, pull::folder_of_site(downloads.path, url), options));
  SHEAF_TRY(pages.pack(store::kWorthPacking, options.pack_threads));
  return pull_result(report);
}

Result<FleetResult> pull_sites(Store& store, const std::vector<std::string>& sites,
                               const FleetSettings& settings) {
  std::vector<base::Url> urls;
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(auto url, pull::parse_site_url(site));
    urls.push_back(std::move(url));
  }
  http::fetch::HostGate gate(settings.pull.connections, kAllConnections);
  pull::FleetOptions fleet;
  SHEAF_TRY_ASSIGN(fleet.pull, pull_options(settings.pull, gate));
  if (settings.every) fleet.every.seconds = settings.every->count();
  fleet.once = settings.once;
  fleet.sites_at_once = settings.sites_at_once;
  SHEAF_TRY_ASSIGN(const auto downloads, store::take_download_folder(StoreInside::folder(store).string()));
  fleet.downloads = downloads.path;
  if (settings.on_result)
    fleet.on_report = [&](const pull::PullReport& report) { settings.on_result(pull_result(report)); };
  SHEAF_TRY_ASSIGN(const auto summary, pull::pull_many(StoreInside::pages(store), std::move(urls), fleet));
  return FleetResult{summary.sites, summary.pulled, summary.failed, summary.not_due, summary.unfinished};
}

}  // namespace sheaf
