#include "sheaf/doctor/site_inspection.h"

#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/site/site_robots.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::doctor {
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
  SiteFacts facts{.site = site, .now = options.clock(), .allow_http = options.allow_http};
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
