#pragma once

#include "sheaf/http/fetch/fetcher.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::doctor {

/// What has to be changed to fix a problem. Several checks may have the same remedy.
enum class Remedy : std::uint8_t {
  serve_robots,
  write_robots,
  allow_in_robots,
  serve_sitemap,
  write_sitemap,
  publish_sitemap,
  serve_collections,
  use_https,
  media_types,
  no_recompression,
  validators,
  ranges,
  cache_control,
  no_cookies,
  cors,
  not_found_status,
  publish_again,
  purge_caches,
  publish_often,
  publish_deltas,
  page_headers,
  hide_state,
};
inline constexpr std::size_t kRemedies = static_cast<std::size_t>(Remedy::hide_state) + 1;

/// The servers that fixes are written for.
enum class ServerKind : std::uint8_t { nginx, caddy, apache, s3, cloudflare, unknown };
inline constexpr std::array kServers = {ServerKind::nginx, ServerKind::caddy, ServerKind::apache,
                                        ServerKind::s3, ServerKind::cloudflare};
std::string_view to_string(ServerKind server);  ///< "nginx", "caddy", "apache", "s3", "cloudflare", "unknown"
std::string_view display_name(ServerKind server);  ///< "S3 and R2"

/// Recognises a server by the Server header of a response. Cloudflare hides the server behind it.
ServerKind recognise_server(const http::fetch::FetchHead& head);

/// What the publisher should do, whatever server is used.
std::string_view advice_of(Remedy remedy);
/// What to change in the settings of this server; empty if the server is unknown. The first line is a
/// sentence, or several; settings to paste follow it. The site is in /srv/site, its certificate in
/// /etc/ssl/site, its collections below /scp/.
std::string_view fix_for(Remedy remedy, ServerKind server);

}  // namespace sheaf::doctor
