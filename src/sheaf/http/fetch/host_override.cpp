#include "sheaf/http/fetch/host_override.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sheaf::http::fetch {
namespace {

/// Parses a URL that consists of scheme, host and port only. Nullopt for anything else.
std::optional<base::Url> parse_bare(std::string_view scheme, std::string_view rest) {
  const bool has_more = rest.empty() || rest.find_first_of("/?#@ ") != std::string_view::npos;
  return has_more ? std::nullopt : base::Url::parse(fmt::format("{}{}", scheme, rest));
}

}  // namespace

base::Result<HostOverride> parse_host_override(std::string_view text) {
  constexpr std::string_view kHttp = "http://";
  constexpr std::string_view kHttps = "https://";
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto host = parse_bare(kHttps, text.substr(0, equals));
  std::string_view target = text.substr(std::min(equals + 1, text.size()));
  const bool plain = target.starts_with(kHttp);
  if (plain || target.starts_with(kHttps)) target.remove_prefix(plain ? kHttp.size() : kHttps.size());
  const auto address = parse_bare(plain ? kHttp : kHttps, target);
  if (!host || host->port() || !address)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("\"{}\" does not say where to connect: write HOST=ADDRESS:PORT, as "
                    "example.com=127.0.0.1:8443, or HOST=http://ADDRESS:PORT for a server without TLS",
                    text));
  const unsigned port = address->port() ? unsigned{*address->port()} : (plain ? 80U : 443U);
  return HostOverride{.host = std::string(host->host()),
                      .connect_to = fmt::format("{}:{}", address->host(), port),
                      .plain_http = plain};
}

const HostOverride* find_override(const std::vector<HostOverride>& overrides, const base::Url& url) {
  const auto found = std::ranges::find(overrides, url.host(), &HostOverride::host);
  return found == overrides.end() ? nullptr : &*found;
}

}  // namespace sheaf::http::fetch
