#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::pull {

/// Parses a host as `--also-host` takes it: docs.example.com, docs.example.com:8443 or its URL. Returns its
/// store::host_identity.
base::Result<std::string> parse_also_host(std::string_view text);

/// Decides which other hosts' pages a site may supply. These are hosts that the user lists, and hosts whose
/// own robots.txt names the sitemap that lists the collection (cross-submission, sitemaps.org). The site's
/// own files cannot grant this. Use one object per pull.
class CrossSubmissions {
 public:
  /// Maximum number of hosts whose robots.txt is fetched in one pull. A collection may name millions.
  static constexpr std::size_t kMaxHosts = 20;

  /// `also_hosts` come from parse_also_host.
  CrossSubmissions(const base::Url& site, std::span<const std::string> also_hosts,
                   std::string_view user_agent, http::fetch::Fetcher& fetcher);

  /// Whether a collection that these sitemaps list may contain this page. May fetch the robots.txt of the
  /// page's host.
  bool accept(const base::Url& page, std::span<const std::string> sitemaps);

  /// A sentence that names the refused hosts; empty if there are none.
  [[nodiscard]] std::string note() const;

 private:
  const std::set<std::string>& sitemaps_named_by(const base::Url& page, const std::string& identity);

  base::Url site_;
  std::set<std::string, std::less<>> listed_;
  std::string user_agent_;
  http::fetch::Fetcher* fetcher_;
  std::map<std::string, std::set<std::string>, std::less<>> asked_;  ///< host -> sitemaps in its robots.txt
  std::set<std::string> refused_;                                    ///< the first few refused hosts
  std::uint64_t more_refused_ = 0;
};

}  // namespace sheaf::pull
