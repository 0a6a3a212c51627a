#include "sheaf/pull/cross_submission.h"

#include "sheaf/pull/discover.h"
#include "sheaf/store/site_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {
namespace {

constexpr std::size_t kNamed = 5;  // maximum number of hosts named in the note
constexpr unsigned kTries = 1;     // a host that does not answer permits nothing in this pull

}  // namespace

base::Result<std::string> parse_also_host(std::string_view text) {
  const bool has_scheme = text.find("://") != std::string_view::npos;
  const auto url = base::Url::parse(fmt::format("{}{}", has_scheme ? "" : "https://", text));
  const bool is_host = url && url->path() == "/" && !url->has_query() && !url->has_fragment() &&
                       url->username().empty() && url->password().empty();
  if (!is_host)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("\"{}\" is not a host: write it as docs.example.com", text));
  return store::host_identity(*url);
}

CrossSubmissions::CrossSubmissions(const base::Url& site, std::span<const std::string> also_hosts,
                                   std::string_view user_agent, http::fetch::Fetcher& fetcher)
    : site_(site),
      listed_(also_hosts.begin(), also_hosts.end()),
      user_agent_(user_agent),
      fetcher_(&fetcher) {}

bool CrossSubmissions::accept(const base::Url& page, std::span<const std::string> sitemaps) {
  const std::string identity = store::host_identity(page);
  if (listed_.contains(identity)) return true;
  const std::set<std::string>& named = sitemaps_named_by(page, identity);
  if (std::ranges::any_of(sitemaps, [&](const std::string& sitemap) { return named.contains(sitemap); }))
    return true;
  if (refused_.size() < kNamed) {
    refused_.insert(identity);
  } else if (!refused_.contains(identity)) {
    ++more_refused_;
  }
  return false;
}

const std::set<std::string>& CrossSubmissions::sitemaps_named_by(const base::Url& page,
                                                                 const std::string& identity) {
  static const std::set<std::string> kNone;
  if (const auto known = asked_.find(identity); known != asked_.end()) return known->second;
  if (asked_.size() >= kMaxHosts) return kNone;
  std::set<std::string>& named = asked_[identity];
  // A robots.txt fetched over http cannot speak for an https host.
  const std::string scheme(site_.scheme() == "https" ? "https" : page.scheme());
  const std::string port = page.port() ? fmt::format(":{}", *page.port()) : "";
  const auto host = base::Url::parse(fmt::format("{}://{}{}", scheme, page.host(), port));
  if (!host) return named;
  const RobotsResponse answer = fetch_robots(*host, user_agent_, *fetcher_, kTries, std::nullopt);
  if (answer.failure) return named;
  for (const std::string& line : answer.robots.sitemaps())
    if (const auto url = base::Url::parse(line, &*host)) named.emplace(url->without_fragment().href());
  return named;
}

std::string CrossSubmissions::note() const {
  if (refused_.empty()) return {};
  return fmt::format(
      "skipped pages of {}{}: another site may supply the pages of a host only if the host's robots.txt "
      "names the sitemap, or if --also-host names the host",
      fmt::join(refused_, ", "), more_refused_ > 0 ? " and other hosts" : "");
}

}  // namespace sheaf::pull
