#include "sheaf/lab/deployment.h"

#include <fmt/format.h>

#include <array>

namespace sheaf::lab {
namespace {

std::string gzip_snapshot(const LabSite& site) { return site.snapshot + ".scp.gz"; }

void flip_byte(LabSite& site) {
  std::string& bytes = site.text(gzip_snapshot(site));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
}

void change_afterwards(LabSite& site) {
  edit_file(
      site, gzip_snapshot(site), [](std::string& plain) { replace_text(plain, "All about", "Not about"); },
      Recompute::only_sizes);
}

void break_json(LabSite& site) {
  edit_file(
      site, gzip_snapshot(site), [](std::string& plain) { plain += "{\"url\": oops}\n"; },
      Recompute::statements);
}

void make_bomb(LabSite& site) {
  edit_file(
      site, gzip_snapshot(site),
      [&](std::string& plain) {
        plain += page_line(site, "/bomb.html", "\"x\":\"" + std::string(std::size_t{4} << 20, 'a') + "\",");
      },
      Recompute::statements);
}

/// Removes a string member from the metadata line.
void cut_member(std::string& plain, std::string_view name) {
  const std::size_t at = plain.find(fmt::format(",\"{}\":\"", name));
  const std::size_t value = plain.find(":\"", at) + 2;
  plain.erase(at, plain.find('"', value) + 1 - at);
}

void no_checksum(LabSite& site) {
  edit_collection(
      site, site.delta, [](std::string& plain) { cut_member(plain, "checksum"); }, Recompute::only_sizes);
}

void no_state(LabSite& site) {
  edit_collection(
      site, site.delta, [](std::string& plain) { cut_member(plain, "state"); }, Recompute::statements);
}

void change_state(std::string& plain) {
  const std::size_t at = plain.find("sum256:") + 7;
  plain[at] = plain[at] == '0' ? '1' : '0';
}

void wrong_snapshot_state(LabSite& site) {
  edit_collection(site, site.snapshot, change_state, Recompute::statements);
}
void wrong_delta_state(LabSite& site) {
  edit_collection(site, site.delta, change_state, Recompute::statements);
}

/// Adds a line that clients skip, so that the state digest still matches.
void append_to_delta(LabSite& site, const std::string& line) {
  edit_collection(site, site.delta, [&](std::string& plain) { plain += line; }, Recompute::statements);
}

void bad_page(LabSite& site) {
  std::string line = page_line(site, "/a.html");
  replace_text(line, site.base + "/a.html", "not a URL");
  append_to_delta(site, line);
}

void noindex_page(LabSite& site) {
  append_to_delta(site, page_line(site, "/a.html", "\"robots\":[\"noindex\"],"));
}

void edit_delta_page(LabSite& site, std::string_view from, std::string_view to) {
  edit_collection(
      site, site.delta, [&](std::string& plain) { replace_text(plain, from, to); }, Recompute::statements);
}

void bad_block(LabSite& site) {
  edit_delta_page(site, "\"content\":[", "\"content\":[{\"type\":\"heading\"},");
}
void odd_language(LabSite& site) {
  edit_delta_page(site, "\"language\":\"en\"", "\"language\":\"in English\"");
}

void repeat_page(LabSite& site) {
  edit_collection(
      site, site.delta, [](std::string& plain) { plain += plain.substr(plain.find('\n') + 1); },
      Recompute::statements);
}

void empty_page(LabSite& site) {
  edit_collection(
      site, site.delta,
      [](std::string& plain) {
        const std::size_t at = plain.find("\"content\":[");
        plain.replace(at, plain.find('\n', at) - at, "\"content\":[]}");
      },
      Recompute::statements);
}

void foreign_page(LabSite& site) {
  std::string line = page_line(site, "/a.html");
  replace_text(line, site.base, "https://elsewhere.example");
  edit_collection(site, site.delta, [&](std::string& plain) { plain += line; });
  set_sitemap_attribute(site, "name=\"all\"", "pages", "9");
}

void empty_snapshot(LabSite& site) {
  add_collection(
      site, "/scp/news-snapshot.scp.zst",
      fmt::format(
          R"({{"collection":{{"id":"news-1","section":"news","type":"snapshot","generated":"{}","version":"0.1",)"
          R"("state":"sum256:{:0>64}","checksum":"sha256:{:0>64}"}}}})"
          "\n",
          format_time({site.now.seconds - 3600, 0}), "", ""));
}

void other_section(LabSite& site) { edit_delta_page(site, "\"section\":\"all\"", "\"section\":\"news\""); }

void other_kind(LabSite& site) {
  const std::string since = format_time({site.now.seconds - std::int64_t{30} * 86'400, 0});
  edit_collection(
      site, site.snapshot,
      [&](std::string& plain) {
        replace_text(plain, "\"type\":\"snapshot\"", "\"type\":\"delta\"");
        replace_text(plain, "\"version\":", fmt::format("\"since\":\"{}\",\"version\":", since));
      },
      Recompute::statements);
}

void later_since(LabSite& site) {
  const std::string stated = format_time({site.now.seconds - std::int64_t{25} * 3600, 0});
  const std::string later = format_time({site.now.seconds - std::int64_t{20} * 3600, 0});
  edit_delta_page(site, fmt::format("\"since\":\"{}\"", stated), fmt::format("\"since\":\"{}\"", later));
}

void old_file(LabSite& site) {
  const std::string stated = format_time({site.now.seconds - 3600, 0});
  const std::string older = format_time({site.now.seconds - std::int64_t{10} * 3600, 0});
  edit_delta_page(site, fmt::format("\"generated\":\"{}\"", stated),
                  fmt::format("\"generated\":\"{}\"", older));
}

void wrong_size(LabSite& site) { set_sitemap_attribute(site, site.delta + ".scp.zst", "size", "77"); }
void wrong_pages(LabSite& site) { set_sitemap_attribute(site, site.delta + ".scp.zst", "pages", "7"); }

void wrong_stated_checksum(LabSite& site) {
  replace_text(site.text("/sitemap.xml"), site.base + site.delta + ".scp.zst\"",
               fmt::format("{}{}.scp.zst\" checksum=\"sha256:{:0>64}\"", site.base, site.delta, ""));
}

void codecs_differ(LabSite& site) {
  edit_file(
      site, site.delta + ".scp.gz",
      [](std::string& plain) { replace_text(plain, "All about", "More about"); }, Recompute::statements);
}

constexpr std::string_view kDiscard =
    "Discard the whole file; fetch the same collection as zstd, or report the failure.";
constexpr std::string_view kDoNotApply = "Do not apply it; report it.";
constexpr std::string_view kApplyAndWarn = "Apply it, and warn.";
constexpr Conduct kNotAgain{.limited = "/scp/", .most = 40};

constexpr std::array kContentDeployments = {
    Deployment{"collection-damaged", "A byte of the gzip snapshot is wrong.", kDiscard, flip_byte, nullptr,
               kNotAgain},
    Deployment{"collection-checksum", "The gzip snapshot was changed after its checksum was made.", kDiscard,
               change_afterwards, nullptr, kNotAgain},
    Deployment{"collection-invalid", "A line of the gzip snapshot is not JSON.", kDiscard, break_json,
               nullptr, kNotAgain},
    Deployment{"collection-too-large", "The gzip snapshot is a decompression bomb.",
               "Stop at 100:1, in flat memory; discard the file.", make_bomb, nullptr, kNotAgain},
    Deployment{"collection-no-checksum", "The newest delta states no checksum.", kApplyAndWarn, no_checksum,
               nullptr, kNotAgain},
    Deployment{"collection-no-state", "The newest delta states no digest.", "Apply it; it cannot be proven.",
               no_state, nullptr, kNotAgain},
    Deployment{"collection-state", "The snapshot states a wrong digest.",
               "Apply it; synchronise again once at most, and warn.", wrong_snapshot_state, nullptr,
               kNotAgain},
    Deployment{"delta-state", "The newest delta states a wrong digest.",
               "Synchronise again from the snapshot once at most, and warn.", wrong_delta_state, nullptr,
               kNotAgain},
    Deployment{"collection-pages-skipped", "A page has an invalid URL.", "Skip the page.", bad_page},
    Deployment{"collection-noindex", "A page says noindex.", "Skip the page.", noindex_page},
    Deployment{"collection-blocks-dropped", "A heading has no text.", "Drop the block.", bad_block},
    Deployment{"collection-duplicates", "A page is there twice.",
               "Keep the newer one, the later line on a tie.", repeat_page},
    Deployment{"collection-empty-pages", "A page has no content.", "Keep it, and warn.", empty_page},
    Deployment{"collection-oddities", "A language is not a tag.", "Keep the page, and warn.", odd_language},
    Deployment{"collection-foreign-pages", "A page is of another site.",
               "Skip it, and do not ask the other host more than for its robots.txt.", foreign_page},
    Deployment{"collection-empty", "A section has an empty snapshot.",
               "Apply it; delete nothing large on its word.", empty_snapshot},
    Deployment{"collection-section", "The newest delta is of another section than stated.", kDoNotApply,
               other_section, nullptr, kNotAgain},
    Deployment{"collection-kind", "The snapshot's file says that it is a delta.", kDoNotApply, other_kind,
               nullptr, kNotAgain},
    Deployment{"delta-since", "The newest delta begins later than stated.", kDoNotApply, later_since, nullptr,
               kNotAgain},
    Deployment{"collection-stale", "The newest delta is hours older than stated.",
               "Do not apply it over newer pages; report it as stale.", old_file, nullptr, kNotAgain},
    Deployment{"collection-size", "The sitemap states a wrong size.", kApplyAndWarn, wrong_size, nullptr,
               kNotAgain},
    Deployment{"collection-stated-checksum", "The sitemap states a wrong checksum.",
               "Do not apply it, or warn.", wrong_stated_checksum, nullptr, kNotAgain},
    Deployment{"collection-page-count", "The sitemap states a wrong number of pages.", kApplyAndWarn,
               wrong_pages, nullptr, kNotAgain},
    Deployment{"collection-codecs-differ", "The gzip form of the newest delta has another text.",
               "Fetch one of them.", codecs_differ},
};

}  // namespace

std::span<const Deployment> content_deployments() { return kContentDeployments; }

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

void show_state(LabSite& site) {
  site.files["/.sheaf/CURRENT"] = {.bytes = "MANIFEST-000005\n", .content_type = "application/octet-stream"};
}

constexpr std::array kPageDeployments = {
    Deployment{"state-exposed", "The state folder of `sheaf publish` is served.", "Do not request it.",
               show_state},
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
