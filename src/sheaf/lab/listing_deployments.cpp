#include "sheaf/lab/deployment.h"

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

}  // namespace sheaf::lab
