#include "sheaf/lab/deployment_parts_internal.h"

#include <array>

namespace sheaf::lab {
namespace {

constexpr std::string_view kPagePath = "/windmills.html";

bool is_page(const LabRequest& request) { return path_of(request) == kPagePath; }

void delete_page(LabSite& site) { site.files.erase(std::string(kPagePath)); }

void failing_page(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_page(request)) response = plain_response(500, "Internal Server Error\n");
}

void hidden_page(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_page(request)) response.set_header("X-Robots-Tag", "noindex");
}

void move_page(LabSite& site) { site.files["/mills.html"] = site.files.find(kPagePath)->second; }

void moved_page(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (!is_page(request)) return;
  response = plain_response(301, "Moved Permanently\n");
  response.set_header("Location", "/mills.html");
}

void print_page(LabSite& site) { site.files.find(kPagePath)->second.content_type = "application/pdf"; }

void rewrite_page(LabSite& site) {
  site.text(kPagePath) =
      "<!doctype html><html "
      "lang=\"en\"><head><title>Timetable</title></head><body><main><h1>Timetable</h1><p>Ferries "
      "leave every hour from seven until nine, on Sundays every second hour. Tickets cost less after "
      "six.</p></main>"
      "</body></html>\n";
}

void new_page(LabSite& site) {
  LabFile file = site.files.find(kPagePath)->second;
  replace_text(file.bytes, "windmills", "zeppelins");
  site.files["/zeppelins.html"] = std::move(file);
  replace_text(site.text("/sitemap.xml"), "</urlset>",
               "  <url><loc>" + site.base + "/zeppelins.html</loc></url>\n</urlset>");
}

constexpr std::string_view kGoByCollection = "Go by the collections; do not crawl what they have.";
constexpr Conduct kFewPages{.limited = ".html", .most = 20};

constexpr std::array kPageDeployments = {
    Deployment{"page-gone", "A page of the collections answers 404.", kGoByCollection, delete_page, nullptr,
               kFewPages},
    Deployment{"page-failing", "A page answers 500.", kGoByCollection, nullptr, failing_page, kFewPages},
    Deployment{"page-noindex", "A page is sent with X-Robots-Tag: noindex.", kGoByCollection, nullptr,
               hidden_page, kFewPages},
    Deployment{"page-moved", "A page redirects to another URL.", kGoByCollection, move_page, moved_page,
               kFewPages},
    Deployment{"page-not-html", "A page is sent as application/pdf.", kGoByCollection, print_page, nullptr,
               kFewPages},
    Deployment{"page-stale", "A page has another text than the collections.", kGoByCollection, rewrite_page,
               nullptr, kFewPages},
    Deployment{"page-unpublished", "A page of the sitemap is in no collection.", kGoByCollection, new_page,
               nullptr, kFewPages},
};

}  // namespace

std::span<const Deployment> page_deployments() { return kPageDeployments; }

}  // namespace sheaf::lab
