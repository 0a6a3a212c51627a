#include "sheaf/format/codecs/codec.h"
#include "sheaf/lab/deployment.h"
#include "sheaf/serve/file_kind.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <random>

namespace sheaf::lab {
namespace {

bool is_robots(const LabRequest& request) { return path_of(request) == "/robots.txt"; }

void robots_503(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_robots(request)) response = plain_response(503, "Service Unavailable\n");
}

void robots_redirects(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (!is_robots(request)) return;
  const std::size_t query = request.path.find('?');
  int step = 0;
  if (query != std::string::npos)
    std::from_chars(request.path.data() + query + 1, request.path.data() + request.path.size(), step);
  response = plain_response(302, "Found\n");
  response.set_header("Location", fmt::format("/robots.txt?{}", step + 1));
}

void robots_absent(LabSite& site) { site.files.erase("/robots.txt"); }

void robots_page(LabSite& site) {
  LabFile& file = site.files.find("/robots.txt")->second;
  file.bytes =
      "<!doctype html><html><head><title>Welcome</title></head><body><p>Welcome.</p></body></html>\n";
  file.content_type = "text/html; charset=utf-8";
}

void robots_json(LabSite& site) { site.files.find("/robots.txt")->second.content_type = "application/json"; }

void robots_long(LabSite& site) {
  std::string& text = site.text("/robots.txt");
  while (text.size() <= std::size_t{520} * 1024)
    text += "# This line is a comment that nobody needs, and there are many of them.\n";
}

void robots_misspelt(LabSite& site) { site.text("/robots.txt") += "Disallow everything below /old/\n"; }

void robots_relative(LabSite& site) {
  replace_text(site.text("/robots.txt"), site.base + "/sitemap.xml", "/sitemap.xml");
}

void robots_silent(LabSite& site) {
  replace_text(site.text("/robots.txt"), "Sitemap: " + site.base + "/sitemap.xml\n", "");
}

void disallow(LabSite& site, std::string_view path) {
  replace_text(site.text("/robots.txt"), "Disallow: /private/\n",
               fmt::format("Disallow: /private/\nDisallow: {}\n", path));
}

void robots_without_sitemap(LabSite& site) { disallow(site, "/sitemap.xml"); }
void robots_without_collections(LabSite& site) { disallow(site, "/scp/"); }
void robots_without_page(LabSite& site) { disallow(site, "/windmills.html"); }

void robots_patient(LabSite& site) {
  replace_text(site.text("/robots.txt"), "Disallow: /private/\n", "Disallow: /private/\nCrawl-delay: 120\n");
}

constexpr std::array kRobotsDeployments = {
    Deployment{"good", "Nothing is wrong.", "Fetch the snapshot and the deltas, and nothing twice."},
    Deployment{"https-missing", "The site has no https.", "Fetch it, unless the client accepts https only."},
    Deployment{"robots-unavailable", "robots.txt answers 503.",
               "Fetch nothing else; ask for robots.txt again later, a few times.", nullptr, robots_503,
               Conduct{.only_robots = true}},
    Deployment{"robots-redirects", "robots.txt redirects for ever.",
               "Follow at least five redirects, then act as if there were no rules.", nullptr,
               robots_redirects, Conduct{.limited = "/robots.txt", .most = 40}},
    Deployment{"robots-missing", "robots.txt answers 404.",
               "Act as if there were no rules; try /sitemap.xml.", robots_absent},
    Deployment{"robots-html", "robots.txt is a web page.", "Find no rules in it; try /sitemap.xml.",
               robots_page},
    Deployment{"robots-type", "robots.txt is sent as application/json.", "Read it all the same.",
               robots_json},
    Deployment{"robots-large", "robots.txt has more than 500 KiB.",
               "Read the first 500 KiB at least, and not all of a longer one.", robots_long},
    Deployment{"robots-syntax", "A line of robots.txt has no colon.", "Skip the line, keep the rules.",
               robots_misspelt},
    Deployment{"robots-sitemap-relative", "The Sitemap line has a path instead of a URL.",
               "Resolve it against robots.txt, or try /sitemap.xml.", robots_relative},
    Deployment{"robots-lacks-sitemap", "robots.txt does not name the sitemap.", "Try /sitemap.xml.",
               robots_silent},
    Deployment{"robots-blocks-sitemap", "robots.txt names the sitemap and forbids it.",
               "Choose one of the two, and say so: a strict client does not fetch the sitemap.",
               robots_without_sitemap},
    Deployment{"robots-blocks-collection", "robots.txt forbids the collections.",
               "Do not fetch collections; crawl pages, or nothing.", robots_without_collections, nullptr,
               Conduct{.never = "/scp/"}},
    Deployment{"robots-blocks-pages", "robots.txt forbids a page that the collections have.",
               "Fetch the collections; do not request the page itself.", robots_without_page, nullptr,
               Conduct{.never = "/windmills.html"}},
    Deployment{"robots-slow", "robots.txt asks for two minutes between requests.",
               "Wait between requests, at least as long as the client's own limit.", robots_patient},
};

}  // namespace

std::span<const Deployment> robots_deployments() { return kRobotsDeployments; }

std::vector<const Deployment*> all_deployments() {
  std::vector<const Deployment*> all;
  for (const auto group :
       {robots_deployments(), sitemap_deployments(), listing_deployments(), transfer_deployments(),
        caching_deployments(), content_deployments(), page_deployments()})
    for (const Deployment& deployment : group) all.push_back(&deployment);
  return all;
}

const Deployment* find_deployment(std::string_view name) {
  for (const Deployment* deployment : all_deployments())
    if (deployment->name == name) return deployment;
  return nullptr;
}

namespace {

constexpr std::int64_t kListingHour = 3600;

std::string& listing_of(LabSite& site) { return site.text("/sitemap.xml"); }

void restate_both(LabSite& site, const std::string& stem, std::string_view attribute,
                  std::string_view value) {
  set_sitemap_attribute(site, stem + ".scp.zst", attribute, value);
  set_sitemap_attribute(site, stem + ".scp.gz", attribute, value);
}

std::string ago(const LabSite& site, std::int64_t seconds) {
  return format_time({site.now.seconds - seconds, 0});
}

void without_version(LabSite& site) { replace_text(listing_of(site), "<scp:version>0.1</scp:version>", ""); }
void later_version(LabSite& site) {
  replace_text(listing_of(site), "<scp:version>0.1<", "<scp:version>7.0<");
}

void listed_twice(LabSite& site) {
  const std::string& text = listing_of(site);
  const std::size_t start = text.rfind('<', text.find(site.delta + ".scp.zst"));
  const std::string element = text.substr(start, text.find('>', start) + 1 - start);
  replace_text(listing_of(site), "</urlset>", "  " + element + "\n</urlset>");
}

void one_codec_named(LabSite& site) { replace_text(listing_of(site), "zstd,gzip", "zstd"); }

void insecure_offer(LabSite& site) {
  const std::string secure = site.base + site.snapshot + ".scp.gz";
  replace_text(listing_of(site), secure, "http" + secure.substr(5));
}

void dated_ahead(LabSite& site) {
  const std::string before = ago(site, kListingHour);
  const std::string later = ago(site, -48 * kListingHour);
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, fmt::format("\"generated\":\"{}\"", before),
                 fmt::format("\"generated\":\"{}\"", later));
  });
  restate_both(site, site.delta, "generated", later);
}

void undeclared(LabSite& site) {
  std::string& text = listing_of(site);
  const std::size_t start = text.find("<scp:section");
  text.erase(start, text.find('>', start) + 1 - start);
}

void only_deltas(LabSite& site) { remove_from_sitemap(site, "-snapshot-"); }
void expired_offer(LabSite& site) {
  restate_both(site, site.snapshot, "expires", ago(site, 24 * kListingHour));
}
void abandoned(LabSite& site) { restate_both(site, site.snapshot, "expires", ago(site, -24 * kListingHour)); }
void other_count(LabSite& site) { set_sitemap_attribute(site, "name=\"all\"", "pages", "9"); }

/// With every snapshot, publish also writes the delta that leads to it; those deltas are removed from the
/// sitemap.
void only_snapshots(LabSite& site) { remove_from_sitemap(site, "-delta-"); }

void leave_gap(LabSite& site) {
  const std::string before = ago(site, 25 * kListingHour);
  const std::string later = ago(site, 23 * kListingHour);
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, fmt::format("\"since\":\"{}\"", before), fmt::format("\"since\":\"{}\"", later));
  });
  restate_both(site, site.delta, "since", later);
}

/// Adds incompressible data that is not part of the page's text.
void swell(LabSite& site) {
  std::mt19937 random(7);
  std::string digits;
  for (int i = 0; i < 4000; ++i) digits += "0123456789abcdef"[random() % 16];
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, "\"content\":[",
                 fmt::format(R"("schema":{{"@type":"Thing","name":"{}"}},"content":[)", digits));
  });
}

constexpr std::array kListingDeployments = {
    Deployment{"offer-version-missing", "There is no scp:version.",
               "Read the collections: they name their version.", without_version},
    Deployment{"offer-version-unknown", "scp:version is 7.0.",
               "Trust the files, or skip them and crawl pages.", later_version},
    Deployment{"offer-duplicate", "A delta is listed twice.", "Fetch it once.", listed_twice, nullptr},
    Deployment{"offer-compression", "scp:compression names zstd only, and gzip files are listed.",
               "Choose by the files, or fetch zstd.", one_codec_named},
    Deployment{"offer-insecure",
               "A collection of an https site is offered over http.",
               "Fetch the https one instead.",
               insecure_offer,
               nullptr,
               {},
               {},
               true},
    Deployment{"offer-future", "The newest delta is dated two days ahead.", "Do not apply it.", dated_ahead},
    Deployment{"section-undeclared", "There is no scp:section.", "Read its collections all the same.",
               undeclared},
    Deployment{"section-no-snapshot", "Only deltas are listed.",
               "A new client crawls pages; one that has the state applies the deltas.", only_deltas},
    Deployment{"section-expired", "The snapshot has expired.", "Fetch it all the same, and warn.",
               expired_offer},
    Deployment{"section-outdated",
               "The section is weekly, and its newest state is three weeks old.",
               "Use it, and warn.",
               abandoned,
               nullptr,
               {},
               LabHistory{.days_ago = 20}},
    Deployment{"section-page-count", "The sitemap states one page too many.",
               "Use the collections, and warn.", other_count},
    Deployment{"delta-gap", "The newest delta begins two hours after the one before ends.",
               "Do not apply it; report that the newest state cannot be reached.", leave_gap},
    Deployment{"delta-missing",
               "There are only snapshots.",
               "Fetch the newest snapshot.",
               only_snapshots,
               nullptr,
               {},
               LabHistory{.only_snapshots = true}},
    Deployment{"delta-large", "The newest delta is larger than the snapshot.", "Fetch what is cheapest.",
               swell},
};

}  // namespace

std::span<const Deployment> listing_deployments() { return kListingDeployments; }

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
