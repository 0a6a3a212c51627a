#include "sheaf/doctor/remedies.h"

#include "sheaf/base/ascii.h"

#include <string>
#include <utility>

namespace sheaf::doctor {
namespace {

/// The fix for one kind of problem: in general, and for each server.
struct Fix {
  Remedy remedy;
  std::string_view advice;
  std::array<std::string_view, kServers.size()> servers;  ///< in the order of kServers
};

constexpr std::string_view kNothingNginx =
    "No setting of nginx is wrong. If it caches (proxy_cache), empty the cache.";
constexpr std::string_view kNothingCaddy = "No setting of Caddy is wrong.";
constexpr std::string_view kNothingApache =
    "No setting of Apache is wrong. If it caches (mod_cache), empty the cache.";
constexpr std::string_view kNothingS3 = "No setting of the bucket is wrong. Upload the new files.";
constexpr std::string_view kNothingCloudflare =
    "No setting of Cloudflare is wrong. Purge the changed files: Caching, Configuration, Custom Purge.";

constexpr std::array<Fix, kRemedies> kFixes = {{
    {Remedy::serve_robots,
     "Serve a plain text file at /robots.txt, or answer 404. While it answers 5xx, crawlers fetch nothing.",
     {"In the server block:\n"
      "location = /robots.txt {\n"
      "    root /srv/site;\n"
      "    default_type text/plain;\n"
      "}",
      "In the site block:\n"
      "handle /robots.txt {\n"
      "\troot * /srv/site\n"
      "\tfile_server\n"
      "}",
      "In the VirtualHost, before other rules:\n"
      "Alias \"/robots.txt\" \"/srv/site/robots.txt\"\n"
      "RewriteEngine On\n"
      "RewriteRule \"^/robots\\.txt$\" \"-\" [L]",
      "Upload robots.txt to the root of the bucket with Content-Type text/plain.",
      "Exclude /robots.txt from WAF rules and Workers: a rule with URI Path equals /robots.txt, action "
      "Skip."}},
    {Remedy::write_robots,
     "Correct robots.txt by RFC 9309: `User-agent`, `Allow`, `Disallow` and `Sitemap: https://...` lines. "
     "`sheaf robots FILE --agent NAME URL` shows how crawlers read it.",
     {"Replace the file; nginx needs no reload.", "Replace the file; Caddy needs no reload.",
      "Replace the file; Apache needs no reload.", "Upload the file again with Content-Type text/plain.",
      "Replace the file at the origin and purge /robots.txt. Switch off the managed robots.txt if it is "
      "on."}},
    {Remedy::allow_in_robots,
     "Allow what clients need: the sitemap and the folder of the collections, e.g. `Allow: /scp/` in the "
     "group "
     "that forbids more.",
     {"Edit robots.txt; nginx needs no reload.", "Edit robots.txt; Caddy needs no reload.",
      "Edit robots.txt; Apache needs no reload.", "Edit robots.txt and upload it again.",
      "Edit robots.txt at the origin, then purge it. Switch off the managed robots.txt if it adds the "
      "rule."}},
    {Remedy::serve_sitemap,
     "Serve the sitemap at the URL that robots.txt names, with status 200 and Content-Type application/xml.",
     {"In the server block:\n"
      "location = /sitemap.xml {\n"
      "    root /srv/site;\n"
      "    types { application/xml xml; }\n"
      "}",
      "In the site block:\n"
      "handle /sitemap.xml {\n"
      "\troot * /srv/site\n"
      "\theader Content-Type application/xml\n"
      "\tfile_server\n"
      "}",
      "In the VirtualHost, before other rules:\n"
      "Alias \"/sitemap.xml\" \"/srv/site/sitemap.xml\"\n"
      "<Files \"sitemap.xml\">\n"
      "    ForceType application/xml\n"
      "</Files>\n"
      "RewriteEngine On\n"
      "RewriteRule \"^/sitemap\\.xml$\" \"-\" [L]",
      "Upload sitemap.xml with Content-Type application/xml; allow s3:GetObject on it.",
      "Exclude /sitemap.xml from WAF rules and challenges, action Skip; purge it after each publish."}},
    {Remedy::write_sitemap,
     "Correct the program that writes the sitemap. `sheaf publish` adds its elements to any well-formed "
     "sitemap "
     "and changes nothing else.",
     {kNothingNginx, kNothingCaddy, kNothingApache, kNothingS3, kNothingCloudflare}},
    {Remedy::publish_sitemap,
     "Run `sheaf publish` again: it writes the SCP elements as the drafts want them. If another program "
     "wrote "
     "them, compare them with docs/sitemaps.md.",
     {kNothingNginx, kNothingCaddy, kNothingApache, kNothingS3, kNothingCloudflare}},
    {Remedy::serve_collections,
     "Upload the collections before the sitemap that lists them, and keep old ones as long as clients may "
     "use "
     "them. `sheaf publish` does both.",
     {"In the server block:\n"
      "location /scp/ {\n"
      "    root /srv/site;\n"
      "    try_files $uri =404;\n"
      "}",
      "In the site block:\n"
      "handle /scp/* {\n"
      "\troot * /srv/site\n"
      "\tfile_server\n"
      "}",
      "In the VirtualHost; no rewriting below it:\n"
      "Alias \"/scp/\" \"/srv/site/scp/\"\n"
      "<Directory \"/srv/site/scp\">\n"
      "    Require all granted\n"
      "</Directory>",
      "Allow s3:GetObject for everyone on scp/*; upload with `sheaf publish` and [delivery].",
      "Exclude /scp/ from WAF rules, challenges and Bot Fight Mode: crawlers cannot solve challenges."}},
    {Remedy::use_https,
     "Serve everything over https with a certificate that browsers trust, and name only https URLs. Redirect "
     "http to https, never the other way.",
     {"In the server block:\n"
      "listen 443 ssl;\n"
      "ssl_certificate /etc/ssl/site/fullchain.pem;\n"
      "ssl_certificate_key /etc/ssl/site/privkey.pem;\n"
      "if ($scheme = http) {\n"
      "    return 301 https://$host$request_uri;\n"
      "}",
      "Name the site by its host in the Caddyfile: Caddy gets a certificate and redirects http itself.",
      "In the VirtualHost *:443; in that of port 80 only the last three lines:\n"
      "SSLEngine On\n"
      "SSLCertificateFile \"/etc/ssl/site/fullchain.pem\"\n"
      "SSLCertificateKeyFile \"/etc/ssl/site/privkey.pem\"\n"
      "RewriteEngine On\n"
      "RewriteCond \"%{HTTPS}\" \"off\"\n"
      "RewriteRule \"^\" \"https://%{HTTP_HOST}%{REQUEST_URI}\" [R=301,L]",
      "Serve the bucket through its https endpoint, CloudFront or R2's custom domain; website endpoints of "
      "S3 have "
      "no TLS.",
      "SSL/TLS: Full (strict). Edge Certificates: Always Use HTTPS."}},
    {Remedy::media_types,
     "Send collections as application/scp (application/octet-stream will do), with Content-Encoding: gzip "
     "for "
     ".scp.gz and zstd for .scp.zst, always and whatever the request accepts.",
     {"`sheaf publish --recipe nginx` knows your sections. For any site, in the server block:\n"
      "location /scp/ {\n"
      "    root /srv/site;\n"
      "    types { }\n"
      "    default_type application/scp;\n"
      "    gzip off;\n"
      "    set $scp_encoding \"\";\n"
      "    if ($uri ~ \"\\.gz$\") { set $scp_encoding gzip; }\n"
      "    if ($uri ~ \"\\.zst$\") { set $scp_encoding zstd; }\n"
      "    add_header Content-Encoding $scp_encoding;\n"
      "}",
      "`sheaf publish --recipe caddy` knows your sections. For any site, in the site block:\n"
      "handle /scp/* {\n"
      "\troot * /srv/site\n"
      "\theader Content-Type application/scp\n"
      "\t@gzip path *.gz\n"
      "\theader @gzip {\n"
      "\t\tContent-Encoding gzip\n"
      "\t\tdefer\n"
      "\t}\n"
      "\t@zstd path *.zst\n"
      "\theader @zstd {\n"
      "\t\tContent-Encoding zstd\n"
      "\t\tdefer\n"
      "\t}\n"
      "\tfile_server\n"
      "}",
      "`sheaf publish --recipe apache` knows your sections. For any site, in the VirtualHost:\n"
      "<Directory \"/srv/site/scp\">\n"
      "    ForceType application/scp\n"
      "    AddEncoding gzip .gz\n"
      "    AddEncoding zstd .zst\n"
      "</Directory>",
      "Upload with `sheaf publish` and [delivery], or with --content-type application/scp and "
      "--content-encoding gzip (zstd for .scp.zst).",
      "The type comes from the origin. A Response Header Transform Rule can set it for /scp/."}},
    {Remedy::no_recompression,
     "Switch off compression on the fly for collections: they are compressed already, and a changed body has "
     "another size, no ranges and a weak tag.",
     {"In the server block (with the brotli module also `brotli off;`):\n"
      "location /scp/ {\n"
      "    gzip off;\n"
      "}",
      "In the site block, instead of `encode gzip zstd`:\n"
      "@pages not path /scp/*\n"
      "encode @pages gzip zstd",
      "In the VirtualHost:\n"
      "SetEnvIf Request_URI \"^/scp/\" no-gzip=1 no-brotli=1",
      "In CloudFront: switch off Compress objects for scp/*.",
      "Compression Rules: for URI Path that starts with /scp/, Disable compression."}},
    {Remedy::validators,
     "Send a strong ETag that depends on the content only, and Last-Modified, and answer If-None-Match and "
     "If-Modified-Since with 304.",
     {"Remove `add_header Last-Modified \"\";` and keep mtimes equal on all servers (rsync -t). In the "
      "server block:\n"
      "location /scp/ {\n"
      "    etag on;\n"
      "    if_modified_since exact;\n"
      "}",
      "file_server sends both; remove `header -Etag` and `header -Last-Modified`.",
      "Remove `Header unset ETag`. In the VirtualHost (without INode, so that all servers agree):\n"
      "<Directory \"/srv/site/scp\">\n"
      "    FileETag MTime Size\n"
      "</Directory>",
      "The bucket sends both; do not strip them in CloudFront or in a Worker.",
      "Rules, Settings: keep strong ETags (Respect Strong ETags); switch off Email Obfuscation and the like "
      "for /scp/."}},
    {Remedy::ranges,
     "Answer Range with 206 and exactly those bytes, and If-Range with the whole file if the tag is another "
     "one. "
     "Without it an interrupted download starts again.",
     {"Remove `max_ranges 0` and filters (sub_filter) for /scp/; with proxy_cache add `slice 1m;`. In the "
      "server block:\n"
      "location /scp/ {\n"
      "    max_ranges 100;\n"
      "    gzip off;\n"
      "}",
      "file_server supports ranges; do not `encode` or rewrite bodies of /scp/.",
      "Remove output filters for /scp/. In the VirtualHost:\n"
      "<Directory \"/srv/site/scp\">\n"
      "    MaxRanges default\n"
      "    SetEnv no-gzip 1\n"
      "</Directory>",
      "The bucket supports ranges; so must a proxy before it.",
      "Make the files cacheable (Cache Rule, Eligible for cache): ranges of uncached files depend on the "
      "origin."}},
    {Remedy::cache_control,
     "Let caches keep a collection until the next one is due, and not longer: a day for a daily snapshot, an "
     "hour "
     "for its deltas. Never no-store.",
     {"In the server block:\n"
      "location /scp/ {\n"
      "    add_header Cache-Control \"public, max-age=3600\";\n"
      "    expires off;\n"
      "}",
      "In the site block:\n"
      "header /scp/* Cache-Control \"public, max-age=3600\"",
      "In the VirtualHost:\n"
      "<Location \"/scp/\">\n"
      "    Header set Cache-Control \"public, max-age=3600\"\n"
      "</Location>",
      "Upload with --cache-control \"public, max-age=3600\".",
      "Cache Rule for /scp/: Eligible for cache, Edge TTL and Browser TTL: use cache-control header."}},
    {Remedy::no_cookies,
     "Send no Set-Cookie and no Vary on cookies or clients with files that are the same for everyone: shared "
     "caches do not keep such responses.",
     {"Serve /scp/ without proxy_pass to the application. In the server block:\n"
      "location /scp/ {\n"
      "    root /srv/site;\n"
      "    proxy_hide_header Set-Cookie;\n"
      "}",
      "In the site block:\n"
      "header /scp/* {\n"
      "\t-Set-Cookie\n"
      "\t-Vary\n"
      "\tdefer\n"
      "}",
      "In the VirtualHost:\n"
      "<Location \"/scp/\">\n"
      "    Header unset Set-Cookie\n"
      "    Header unset Vary\n"
      "</Location>",
      "Buckets set no cookies; look at the proxy before it.",
      "Switch off features that set cookies (Bot Fight Mode, load balancing affinity) for /scp/."}},
    {Remedy::cors,
     "Send `Access-Control-Allow-Origin: *` for public files, or nothing. A single origin shuts out everyone "
     "else.",
     {"In the server block:\n"
      "location /scp/ {\n"
      "    add_header Access-Control-Allow-Origin *;\n"
      "}",
      "In the site block:\n"
      "header /scp/* Access-Control-Allow-Origin *",
      "In the VirtualHost:\n"
      "<Location \"/scp/\">\n"
      "    Header set Access-Control-Allow-Origin *\n"
      "</Location>",
      "CORS rule of the bucket: AllowedOrigins [\"*\"], AllowedMethods [\"GET\", \"HEAD\"].",
      "Response Header Transform Rule for /scp/: set Access-Control-Allow-Origin to *."}},
    {Remedy::not_found_status,
     "Answer 404 or 410 for files that do not exist. A page with status 200 is taken for the file.",
     {"`error_page 404 /404.html;` without `=200`. In the server block:\n"
      "location /scp/ {\n"
      "    root /srv/site;\n"
      "    try_files $uri =404;\n"
      "}",
      "`try_files` only for the application; `handle_errors` keeps the status. In the site block:\n"
      "handle /scp/* {\n"
      "\troot * /srv/site\n"
      "\tfile_server\n"
      "}",
      "`ErrorDocument 404 /404.html` with a local path. In the VirtualHost:\n"
      "<Directory \"/srv/site/scp\">\n"
      "    FallbackResource disabled\n"
      "    RewriteEngine Off\n"
      "</Directory>",
      "In CloudFront: no custom error response that turns 403 or 404 into 200.",
      "Pages and Workers: add a 404.html, so that the single-page fallback is off."}},
    {Remedy::publish_again,
     "Publish again with `sheaf publish` and look at its notes; `sheaf validate FILE` explains each finding. "
     "If "
     "another program writes the collections, correct it there.",
     {kNothingNginx, kNothingCaddy, kNothingApache, kNothingS3, kNothingCloudflare}},
    {Remedy::purge_caches,
     "The file and the sitemap are of different times. Upload files first and the sitemap last, and let no "
     "cache "
     "keep one longer than the other.",
     {"Empty proxy_cache for /scp/ and the sitemap. In the server block:\n"
      "location = /sitemap.xml {\n"
      "    add_header Cache-Control \"public, max-age=60\";\n"
      "}",
      "In the site block:\n"
      "header /sitemap.xml Cache-Control \"public, max-age=60\"",
      "In the VirtualHost:\n"
      "<Files \"sitemap.xml\">\n"
      "    Header set Cache-Control \"public, max-age=60\"\n"
      "</Files>",
      "Upload the sitemap last, with --cache-control \"public, max-age=60\".",
      "Purge /scp/ and the sitemap after each publish; bypass the cache for the sitemap."}},
    {Remedy::publish_often,
     "Run `sheaf publish` from cron or a timer, at least as often as updateFreq in the sitemap says "
     "(`sheaf publish --recipe` writes the timer), or state a longer interval.",
     {kNothingNginx, kNothingCaddy, kNothingApache, kNothingS3, kNothingCloudflare}},
    {Remedy::publish_deltas,
     "Publish deltas and keep each long enough that their times overlap: `since` of one is at most "
     "`generated` of "
     "the one before. `sheaf publish` keeps them for 30 days (deltas in sheaf.toml).",
     {kNothingNginx, kNothingCaddy, kNothingApache, kNothingS3, kNothingCloudflare}},
    {Remedy::page_headers,
     "Collections and pages must agree: publish after each change of the site, and unpublish what is gone or "
     "noindex. If the live page is wrong, correct it there.",
     {"Look for `add_header X-Robots-Tag` and `return` rules that apply to these pages.",
      "Look for `header X-Robots-Tag` and `redir` that apply to these pages.",
      "Look for `Header set X-Robots-Tag` and Redirect rules that apply to these pages.",
      "Look for x-amz-website-redirect-location and metadata of these objects.",
      "Look for Redirect Rules and Response Header Transform Rules that apply to these pages."}},
    {Remedy::hide_state,
     "Move the state folder and sheaf.toml out of the folder that is served: they name pages that are not "
     "published. "
     "`sheaf publish` does this for the state. Until then, let the server refuse them.",
     {"In the server block, before its other locations:\n"
      "location ~ \"/([^/]*\\.sheaf|sheaf\\.toml)(/|$)\" {\n"
      "    return 404;\n"
      "}",
      "In the site block:\n"
      "@state path_regexp \"/([^/]*\\.sheaf|sheaf\\.toml)(/|$)\"\n"
      "handle @state {\n"
      "\trespond 404\n"
      "}",
      "In the VirtualHost:\n"
      "RedirectMatch 404 \"/([^/]*\\.sheaf|sheaf\\.toml)(/|$)\"",
      "Delete these objects from the bucket, and exclude them from uploads.",
      "WAF custom rule: URI Path contains .sheaf or sheaf.toml, action Block; purge them."}},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kFixes.size(); ++i)
    if (static_cast<std::size_t>(kFixes[i].remedy) != i) return false;
  return true;
}
static_assert(is_in_order());

const Fix& fix_of(Remedy remedy) { return kFixes[static_cast<std::size_t>(remedy)]; }

}  // namespace

std::string_view to_string(ServerKind server) {
  switch (server) {
    case ServerKind::nginx: return "nginx";
    case ServerKind::caddy: return "caddy";
    case ServerKind::apache: return "apache";
    case ServerKind::s3: return "s3";
    case ServerKind::cloudflare: return "cloudflare";
    case ServerKind::unknown: break;
  }
  return "unknown";
}

std::string_view display_name(ServerKind server) {
  switch (server) {
    case ServerKind::nginx: return "nginx";
    case ServerKind::caddy: return "Caddy";
    case ServerKind::apache: return "Apache";
    case ServerKind::s3: return "S3 and R2";
    case ServerKind::cloudflare: return "Cloudflare";
    case ServerKind::unknown: break;
  }
  return "your server";
}

ServerKind recognise_server(const http::fetch::FetchHead& head) {
  constexpr std::array<std::pair<std::string_view, ServerKind>, 6> kNames = {{
      {"cloudflare", ServerKind::cloudflare},
      {"nginx", ServerKind::nginx},
      {"openresty", ServerKind::nginx},
      {"caddy", ServerKind::caddy},
      {"apache", ServerKind::apache},
      {"amazons3", ServerKind::s3},
  }};
  const std::string name = base::lower_text(head.header("server"));
  for (const auto& [start, server] : kNames)
    if (name.starts_with(start)) return server;
  return ServerKind::unknown;
}

std::string_view advice_of(Remedy remedy) { return fix_of(remedy).advice; }

std::string_view fix_for(Remedy remedy, ServerKind server) {
  const auto index = static_cast<std::size_t>(server);
  return index < kServers.size() ? fix_of(remedy).servers[index] : std::string_view();
}

}  // namespace sheaf::doctor
