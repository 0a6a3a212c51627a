#include "sheaf/base/ascii.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sheaf::doctor {
namespace {

using http::fetch::FetchTrouble;

bool is_certificate_error(const ProbeExchange& exchange) {
  return exchange.error && exchange.trouble == FetchTrouble::other &&
         exchange.error->code == base::Errc::invalid_argument;
}

Problem certificate_refused(const SiteFacts& facts) {
  if (!is_certificate_error(facts.robots.get)) return std::nullopt;
  return facts.robots.get.error->message;
}

Problem no_https(const SiteFacts& facts) {
  if (facts.site.scheme() == "https" || facts.allow_http) return std::nullopt;
  return "the site is checked over plain http";
}

Problem robots_unavailable(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  const bool answered = get.status() != 0;
  if (facts.robots.access != site::RobotsAccess::nothing || !answered) return std::nullopt;
  return fmt::format("{} answered {}", get.url, get.status());
}

Problem robots_redirects(const SiteFacts& facts) {
  if (facts.robots.redirects <= site::kRobotsRedirects) return std::nullopt;
  return fmt::format("{} redirects in a row, of which crawlers follow {}", facts.robots.redirects,
                     site::kRobotsRedirects);
}

bool robots_is_page(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  return get.status() == 200 && http::message::is_html_type(get.head.header("content-type"));
}

Problem robots_html(const SiteFacts& facts) {
  if (!robots_is_page(facts)) return std::nullopt;
  return fmt::format("Content-Type is {}", facts.robots.get.head.header("content-type"));
}

Problem robots_type(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  if (get.status() != 200 || robots_is_page(facts)) return std::nullopt;
  const std::string type = base::lower_text(get.head.header("content-type"));
  if (type.starts_with("text/plain")) return std::nullopt;
  return type.empty() ? std::string("there is no Content-Type") : fmt::format("Content-Type is {}", type);
}

Problem robots_large(const SiteFacts& facts) {
  if (!facts.robots.robots.truncated()) return std::nullopt;
  return fmt::format("only the first {} bytes are read", site::kRobotsBytes);
}

/// If a web page is sent as robots.txt, only robots-html reports it, not each of its lines.
Problem robots_syntax(const SiteFacts& facts) {
  if (robots_is_page(facts) || facts.robots.robots.truncated()) return std::nullopt;
  const auto& findings = facts.robots.robots.findings();
  if (findings.empty()) return std::nullopt;
  return fmt::format("line {}: {}", findings.front().line, findings.front().message);
}

Problem robots_relative_sitemap(const SiteFacts& facts) {
  for (const std::string& line : facts.robots.robots.sitemaps())
    if (!base::is_http_url(line)) return fmt::format("Sitemap: {}", line);
  return std::nullopt;
}

Problem robots_lacks_sitemap(const SiteFacts& facts) {
  if (facts.robots.get.status() != 200 || robots_is_page(facts)) return std::nullopt;
  const bool has_offers = !facts.sitemaps.advertised.empty();
  if (!has_offers || !facts.robots.robots.sitemaps().empty()) return std::nullopt;
  return "there is no Sitemap line; the sitemap was found by its usual name only";
}

Problem robots_missing(const SiteFacts& facts) {
  const int status = facts.robots.get.status();
  if (facts.robots.access != site::RobotsAccess::everything || status < 400) return std::nullopt;
  return fmt::format("{} answered {}", facts.robots.get.url, status);
}

Problem robots_blocks_sitemap(const SiteFacts& facts) {
  if (facts.sitemaps.disallowed.empty()) return std::nullopt;
  return fmt::format("{} is disallowed", facts.sitemaps.disallowed.front());
}

Problem robots_blocks_collection(const CollectionFacts& collection) {
  if (collection.allowed) return std::nullopt;
  return "robots.txt disallows it";
}

Problem robots_blocks_pages(const CollectionFacts& collection) {
  if (collection.disallowed_pages == 0) return std::nullopt;
  return fmt::format("{} of its pages, such as {}", collection.disallowed_pages,
                     collection.disallowed_example);
}

Problem robots_slow(const SiteFacts& facts) {
  const auto delay = facts.robots.rules.crawl_delay();
  if (!delay || *delay <= static_cast<double>(crawl::kMaxDelay.count())) return std::nullopt;
  return fmt::format("Crawl-delay: {}", *delay);
}

constexpr std::array kRobotsChecks = {
    Check{"tls-certificate", Severity::error, "The certificate is not trusted",
          "No client that checks certificates can fetch anything from the site.", Remedy::use_https,
          on_site<certificate_refused>},
    Check{"https-missing", Severity::warning, "The site is served over plain http",
          "Anyone on the network can change collections and sitemaps on their way.", Remedy::use_https,
          on_site<no_https>},
    Check{"robots-unavailable", Severity::error, "robots.txt cannot be read",
          "Crawlers must not fetch anything until it answers (RFC 9309, 2.3.1.4).", Remedy::serve_robots,
          on_site<robots_unavailable>},
    Check{"robots-redirects", Severity::warning, "robots.txt redirects too often",
          "Crawlers give up after five redirects and act as if there were no rules.", Remedy::serve_robots,
          on_site<robots_redirects>},
    Check{"robots-missing", Severity::advice, "There is no robots.txt",
          "Clients then only try /sitemap.xml. A Sitemap line names the sitemap for certain.",
          Remedy::write_robots, on_site<robots_missing>},
    Check{"robots-html", Severity::error, "robots.txt is a web page",
          "Its rules and its Sitemap line are lost, and crawlers act as if there were none.",
          Remedy::serve_robots, on_site<robots_html>},
    Check{"robots-type", Severity::warning, "robots.txt is not sent as text/plain",
          "Some crawlers ignore a robots.txt of another type.", Remedy::serve_robots, on_site<robots_type>},
    Check{"robots-large", Severity::warning, "robots.txt is too long",
          "Crawlers read 500 KiB; rules and Sitemap lines after them are lost.", Remedy::write_robots,
          on_site<robots_large>},
    Check{"robots-syntax", Severity::warning, "robots.txt has lines that crawlers do not understand",
          "Such lines are ignored: what they should forbid or name is not known.", Remedy::write_robots,
          on_site<robots_syntax>},
    Check{"robots-sitemap-relative", Severity::warning, "A Sitemap line is not an absolute URL",
          "sitemaps.org wants the whole URL; many crawlers ignore anything else.", Remedy::write_robots,
          on_site<robots_relative_sitemap>},
    Check{"robots-lacks-sitemap", Severity::warning, "robots.txt does not name the sitemap",
          "A client that does not guess /sitemap.xml finds no collections.", Remedy::write_robots,
          on_site<robots_lacks_sitemap>},
    Check{"robots-blocks-sitemap", Severity::warning, "robots.txt forbids the sitemap",
          "Clients that obey robots.txt to the letter cannot find the collections.", Remedy::allow_in_robots,
          on_site<robots_blocks_sitemap>},
    Check{"robots-blocks-collection", Severity::error, "robots.txt forbids a collection",
          "Clients that obey robots.txt do not fetch it and crawl pages instead, or nothing.",
          Remedy::allow_in_robots, on_collections<robots_blocks_collection>},
    Check{"robots-blocks-pages", Severity::warning, "A collection has pages that robots.txt forbids",
          "The two contradict each other: clients do not know whether they may use these pages.",
          Remedy::allow_in_robots, on_collections<robots_blocks_pages>},
    Check{"robots-slow", Severity::warning, "The Crawl-delay is longer than crawlers obey",
          "More than a minute between requests makes crawls take months; most crawlers cap or ignore it.",
          Remedy::write_robots, on_site<robots_slow>},
};

}  // namespace

std::span<const Check> robots_checks() { return kRobotsChecks; }

}  // namespace sheaf::doctor
