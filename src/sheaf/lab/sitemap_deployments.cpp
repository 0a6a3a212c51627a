#include "sheaf/format/codecs/codec.h"
#include "sheaf/lab/deployment.h"
#include "sheaf/serve/file_kind.h"

#include <fmt/format.h>

#include <array>

namespace sheaf::lab {
namespace {

constexpr std::string_view kSitemap = "/sitemap.xml";

bool is_sitemap(const LabRequest& request) { return path_of(request) == kSitemap; }

std::string& sitemap_of(LabSite& site) { return site.text(kSitemap); }

/// Adds an entry whose URL no client may request.
void add_entry(LabSite& site, std::string_view inside) {
  replace_text(sitemap_of(site), "</urlset>", fmt::format("  <url>{}</url>\n</urlset>", inside));
}

void add_robots_line(LabSite& site, std::string_view url) {
  site.text("/robots.txt") += fmt::format("Sitemap: {}\n", url);
}

void rename_sitemap(LabSite& site, std::string_view path) {
  replace_text(site.text("/robots.txt"), site.base + std::string(kSitemap), site.base + std::string(path));
}

void no_sitemap(LabSite& site) { site.files.erase(std::string(kSitemap)); }
void other_sitemap_absent(LabSite& site) { add_robots_line(site, site.base + "/sitemap-news.xml"); }
void other_sitemap_insecure(LabSite& site) {
  add_robots_line(site, fmt::format("http://{}/sitemap-news.xml", kSecureHost));
}

void sitemap_503(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_sitemap(request)) response = plain_response(503, "Service Unavailable\n");
}

void index_elsewhere(LabSite& site) {
  LabFile index = site.files.find(kSitemap)->second;
  index.bytes = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
      "  <sitemap><loc>{}/sitemap.xml</loc></sitemap>\n"
      "  <sitemap><loc>https://elsewhere.example/sitemap.xml</loc></sitemap>\n</sitemapindex>\n",
      site.base);
  site.files["/sitemap-index.xml"] = std::move(index);
  rename_sitemap(site, "/sitemap-index.xml");
}

void sitemap_json(LabSite& site) { site.files.find(kSitemap)->second.content_type = "application/json"; }

void sitemap_moved(LabSite& site) { rename_sitemap(site, "/old-sitemap.xml"); }

void sitemap_redirect(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (path_of(request) != "/old-sitemap.xml") return;
  response = plain_response(301, "Moved Permanently\n");
  response.set_header("Location", site.base + std::string(kSitemap));
}

void sitemap_bare(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (!is_sitemap(request)) return;
  response.remove_header("ETag");
  response.remove_header("Last-Modified");
}

void sitemap_page(LabSite& site) {
  LabFile& file = site.files.find(kSitemap)->second;
  file.bytes =
      "<!doctype html>\n<html><head><title>Not here</title></head><body><p>Not here.</p></body></html>\n";
  file.content_type = "text/html; charset=utf-8";
}

void sitemap_cut(LabSite& site) { replace_text(sitemap_of(site), "</urlset>\n", ""); }
void sitemap_broken(LabSite& site) { replace_text(sitemap_of(site), "</urlset>", "</oops>\n</urlset>"); }

void sitemap_bad_gzip(LabSite& site) {
  LabFile packed = site.files.find(kSitemap)->second;
  const auto encoder = format::make_gzip_encoder(6);
  std::string bytes;
  if (!encoder->encode(packed.bytes, format::Flush::end, bytes)) return;
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // in the checksum of the member
  packed.bytes = bytes;
  packed.content_type = serve::content_type_of("sitemap.xml.gz");
  site.files["/sitemap.xml.gz"] = std::move(packed);
  rename_sitemap(site, "/sitemap.xml.gz");
}

void sitemap_entity(LabSite& site) {
  replace_text(sitemap_of(site), "<urlset", "<!DOCTYPE urlset [<!ENTITY town \"the town\">]>\n<urlset");
}
void sitemap_doctype(LabSite& site) {
  replace_text(sitemap_of(site), "<urlset", "<!DOCTYPE urlset>\n<urlset");
}

constexpr std::string_view kNamespace = "https://scp-protocol.org/schemas/sitemap/1.0";
void sitemap_http_namespace(LabSite& site) {
  replace_text(sitemap_of(site), kNamespace, "http://scp-protocol.org/schemas/sitemap/1.0");
}
void sitemap_later_namespace(LabSite& site) {
  replace_text(sitemap_of(site), kNamespace, "https://scp-protocol.org/schemas/sitemap/9.0");
}
void sitemap_no_prefix(LabSite& site) {
  replace_text(sitemap_of(site), fmt::format(" xmlns:scp=\"{}\"", kNamespace), "");
}

void sitemap_blank_start(LabSite& site) { sitemap_of(site).insert(0, "\n"); }
void sitemap_ampersand(LabSite& site) {
  add_entry(site, fmt::format("<loc>{}/private/a?b=1&c=2</loc>", site.base));
}
void sitemap_bad_bytes(LabSite& site) {
  add_entry(site, fmt::format("<loc>{}/private/caf\xe9</loc>", site.base));
}
void sitemap_no_loc(LabSite& site) { add_entry(site, "<lastmod>2026-01-05</lastmod>"); }
void sitemap_bad_url(LabSite& site) { add_entry(site, "<loc>ftp://files.example/a</loc>"); }
void sitemap_relative(LabSite& site) { add_entry(site, "<loc>/private/a</loc>"); }
void sitemap_bad_date(LabSite& site) {
  add_entry(site, fmt::format("<loc>{}/private/a</loc><lastmod>yesterday</lastmod>", site.base));
}
void sitemap_future(LabSite& site) {
  add_entry(site, fmt::format("<loc>{}/private/a</loc><lastmod>2199-01-01</lastmod>", site.base));
}
void sitemap_foreign(LabSite& site) { add_entry(site, "<loc>https://elsewhere.example/a</loc>"); }

void sitemap_long(LabSite& site) {
  std::string entries;
  for (int i = 0; i < 50'000; ++i)
    entries += fmt::format("<url><loc>{}/private/{}</loc></url>\n", site.base, i);
  replace_text(sitemap_of(site), "</urlset>", entries + "</urlset>");
}

void sitemap_plain(LabSite& site) {
  std::string& text = sitemap_of(site);
  for (std::size_t at = text.find("  <scp:"); at != std::string::npos; at = text.find("  <scp:"))
    text.erase(at, text.find('\n', at) + 1 - at);
}

void sitemap_bad_section(LabSite& site) {
  replace_text(sitemap_of(site), "</urlset>",
               "  <scp:section name=\"no name!\" updateFreq=\"weekly\" pages=\"1\"/>\n</urlset>");
}
void sitemap_bad_attribute(LabSite& site) {
  set_sitemap_attribute(site, site.delta + ".scp.gz", "expires", "soon");
}

void sitemap_lacks_attribute(LabSite& site) {
  set_sitemap_attribute(site, site.delta + ".scp.gz", "expires", "");
  replace_text(sitemap_of(site), " expires=\"\"", "");
}

void sitemap_inside(LabSite& site) {
  add_entry(site, fmt::format("<loc>{}/private/a</loc><scp:compression>gzip</scp:compression>", site.base));
}

constexpr std::string_view kReadRest = "Skip what is wrong, and read the rest.";
constexpr std::string_view kReadAnyway = "Read it all the same, or fall back to crawling pages.";

constexpr std::array kSitemapDeployments = {
    Deployment{"sitemap-missing", "There is no sitemap.",
               "Look in the usual places, then crawl by links or stop.", no_sitemap},
    Deployment{"sitemap-named-missing", "robots.txt names a second sitemap that does not exist.",
               "Read the other one.", other_sitemap_absent, nullptr,
               Conduct{.limited = "/sitemap-news.xml", .most = 3}},
    Deployment{"sitemap-unreachable", "The sitemap answers 503.",
               "Try again a few times with pauses; do not treat it as an empty sitemap.", nullptr,
               sitemap_503, Conduct{.limited = "/sitemap.xml", .most = 10}},
    Deployment{"sitemap-insecure",
               "robots.txt of an https site names a sitemap over http.",
               "Do not fetch the http one.",
               other_sitemap_insecure,
               nullptr,
               Conduct{.never = "/sitemap-news.xml"},
               {},
               true},
    Deployment{"sitemap-elsewhere", "A sitemap index lists a sitemap of another host.",
               "Read the site's own; skip the other.", index_elsewhere},
    Deployment{"sitemap-type", "The sitemap is sent as application/json.", "Read it all the same.",
               sitemap_json},
    Deployment{"sitemap-redirected", "The sitemap redirects.", "Follow.", sitemap_moved, sitemap_redirect},
    Deployment{"sitemap-no-validators", "The sitemap has neither ETag nor Last-Modified.",
               "Fetch the whole file, once per run.", nullptr, sitemap_bare},
    Deployment{"sitemap-not-one", "The sitemap is a web page.", "Crawl by links, or stop.", sitemap_page},
    Deployment{"sitemap-truncated", "The sitemap ends in the middle.",
               "Use what came, but do not delete pages that it does not list.", sitemap_cut},
    Deployment{"sitemap-ill-formed", "The sitemap has an end tag without a start.", kReadAnyway,
               sitemap_broken},
    Deployment{"sitemap-damaged-gzip", "The compressed sitemap has a wrong checksum.",
               "Use what came, but do not delete pages that it does not list.", sitemap_bad_gzip},
    Deployment{"sitemap-entities", "The sitemap declares entities.", "Expand nothing; refuse the file.",
               sitemap_entity},
    Deployment{"sitemap-doctype", "The sitemap has a document type.", "Load nothing for it; read the rest.",
               sitemap_doctype},
    Deployment{"sitemap-namespace", "The SCP namespace begins with http instead of https.", kReadAnyway,
               sitemap_http_namespace},
    Deployment{"sitemap-undeclared-prefix", "The prefix scp is not declared.", kReadAnyway,
               sitemap_no_prefix},
    Deployment{"sitemap-unknown-namespace", "The SCP namespace is of a later version.",
               "Skip the SCP elements.", sitemap_later_namespace},
    Deployment{"sitemap-leading-space", "There is an empty line before the XML declaration.", kReadAnyway,
               sitemap_blank_start},
    Deployment{"sitemap-ampersand", "A URL has a bare &.", kReadAnyway, sitemap_ampersand},
    Deployment{"sitemap-encoding", "A URL has a byte that is not UTF-8.", kReadAnyway, sitemap_bad_bytes},
    Deployment{"sitemap-missing-loc", "An entry has no URL.", kReadRest, sitemap_no_loc},
    Deployment{"sitemap-invalid-url", "An entry has an ftp URL.", kReadRest, sitemap_bad_url},
    Deployment{"sitemap-repaired-url", "An entry has a relative URL.", kReadRest, sitemap_relative},
    Deployment{"sitemap-lastmod", "A lastmod is not a date.", kReadRest, sitemap_bad_date},
    Deployment{"sitemap-lastmod-future", "A lastmod is in the future.", "Do not believe it.", sitemap_future},
    Deployment{"sitemap-foreign-entry", "The sitemap lists a page of another site.", "Skip the entry.",
               sitemap_foreign},
    Deployment{"sitemap-limit", "The sitemap has more than 50,000 entries.", "Read it all the same.",
               sitemap_long},
    Deployment{"sitemap-no-collections", "The sitemap has no SCP elements.", "Crawl pages.", sitemap_plain},
    Deployment{"sitemap-element", "A section has an invalid name.", kReadRest, sitemap_bad_section},
    Deployment{"sitemap-attribute", "An expires attribute is not a time.", kReadRest, sitemap_bad_attribute},
    Deployment{"sitemap-missing-attribute", "A delta has no expires attribute.", kReadRest,
               sitemap_lacks_attribute},
    Deployment{"sitemap-misplaced", "An SCP element is inside an entry.", kReadRest, sitemap_inside},
};

}  // namespace

std::span<const Deployment> sitemap_deployments() { return kSitemapDeployments; }

}  // namespace sheaf::lab
