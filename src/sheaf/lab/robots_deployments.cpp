#include "sheaf/lab/deployment_parts_internal.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

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

}  // namespace sheaf::lab
