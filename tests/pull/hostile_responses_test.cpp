// Whole pulls, from robots.txt to the store, of sites that answer one of their URLs with something broken,
// odd or hostile. The rest of the site must get through, and once the site is healed the next pull must be
// ok.
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"
#include "support/collection_text.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

using test::ScriptedResponse;
using Paths = std::vector<std::string>;
using Trouble = http::fetch::FetchTrouble;

std::string good_page(const std::string& name) {
  return fmt::format(
      "<html lang=en><title>{0}</title><main><h1>{0}</h1><p>What the page {0} says is said here, in a "
      "sentence "
      "that is long enough to be content.</p></main>",
      name);
}

/// A response, and the code of the pull if a page answers so; `none`: the pull is ok.
struct HostileResponse {
  std::string name;
  ScriptedResponse answer;
  FailureCode as_page = FailureCode::none;
};

using Rows = std::vector<HostileResponse>;

void add_html(Rows& rows, const std::string& name, std::string body, const std::string& type = "text/html") {
  rows.push_back({name, {.headers = {{"content-type", type}}, .body = std::move(body)}});
}

void add_with_header(Rows& rows, const std::string& header, const std::string& value) {
  rows.push_back({fmt::format("{}: {}", header, value),
                  {.headers = {{"content-type", "text/html"}, {header, value}}, .body = good_page("Odd")}});
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

void add_bodies(Rows& rows) {
  using namespace std::string_literals;
  add_html(rows, "empty", "");
  add_html(rows, "empty XHTML", "", "application/xhtml+xml");
  rows.push_back({"empty without headers", {}});
  rows.push_back({"a page without headers", {.body = good_page("Bare")}});
  for (const char c : {'\0', '<', ' ', '\n', '\xFF'}) add_html(rows, fmt::format("byte {}", int{c}), {c});
  add_html(rows, "BOM only", "\xEF\xBB\xBF");
  add_html(rows, "UTF-16 BOM only", "\xFF\xFE");
  add_html(rows, "NUL bytes", std::string(5'000, '\0'));
  add_html(rows, "NUL in text", "<title>a\0b</title><p>\0\0</p>"s);
  add_html(rows, "white space", std::string(5'000, ' '));
  add_html(rows, "comments", repeated("<!-- nothing -->", 100));
  add_html(rows, "open comment", "<!-- " + good_page("Hidden"));
  add_html(rows, "unclosed tags", "<html><body><main><p><b><i><table><tr><td><ul><li>text");
  add_html(rows, "unclosed attribute", "<p class=\"x");
  add_html(rows, "nested elements", repeated("<div>", 10'000) + "deep");
  add_html(rows, "nested lists", repeated("<ul><li>", 3'000) + "deep");
  add_html(rows, "nested tables", repeated("<table><tr><td>", 2'000) + "deep");
  add_html(rows, "invalid UTF-8", "<title>\xC3\x28</title><p>\xF0\x28\x8C\x28 \xED\xA0\x80</p>");
  add_html(rows, "invalid UTF-16", "\xFF\xFE<\0p\0>\0\x00\xD8"s);
  add_html(rows, "wrong charset", good_page("\xE4\xF6"), "text/html; charset=utf-32");
  add_html(rows, "unknown charset", good_page("Odd"), "text/html; charset=x-nothing");
  add_html(rows, "large attribute", "<p title=\"" + std::string(300'000, 'a') + "\">text</p>");
  add_html(rows, "many attributes", "<p" + repeated(" a=1", 20'000) + ">text</p>");
  add_html(rows, "large title", "<title>" + std::string(1'000'000, 'a') + "</title>" + good_page("Odd"));
  add_html(rows, "only scripts", repeated("<script>let a = '<p>text</p>';</script>", 50));
  add_html(rows, "open script", "<script>" + good_page("Hidden"));
  add_html(rows, "frames", "<frameset><frame src=/a></frameset>");
  add_html(rows, "meta refresh to itself", "<meta http-equiv=refresh content=\"0; url=#\">");
  add_html(rows, "meta refresh", "<meta http-equiv=refresh content=\"0; url=https://other.example/\">");
  add_html(rows, "broken XHTML", "<?xml version='1.0'?><html xmlns='x'><p>a</b></p", "application/xhtml+xml");
  add_html(rows, "entities",
           "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><p>&d;&#0;&#x110000;&#xD800;</p>");
  add_html(rows, "PDF", "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj");
  add_html(rows, "text", "only text, no markup");
  add_html(rows, "JSON", "{\"error\": null}");
  add_html(rows, "a collection", test::collection_text({test::PageText{}.str()}));
  add_html(rows, "an index of itself",
           "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>");
  add_html(rows, "a robots.txt", "User-agent: *\nDisallow: /nothing\n");
  add_html(rows, "an error page", "<title>502 Bad Gateway</title><center><h1>502 Bad Gateway</h1></center>");
  add_html(rows, "invalid URLs",
           "<base href='http://['><a href='http://['>x</a><link rel=canonical href='//:0'>");
}

void add_identities(Rows& rows) {
  for (const char* robots :
       {"noindex", "none", "NOINDEX,,", "", "nofollow, unavailable_after: never", "\xFF"})
    add_html(rows, fmt::format("meta robots {}", robots),
             fmt::format("<meta name=robots content=\"{}\">", robots) + good_page("Odd"));
  for (const char* canonical :
       {"", "#", "/b", "/nothing", "https://other.example/", "javascript:0", "http://["})
    add_html(rows, fmt::format("canonical {}", canonical),
             fmt::format("<link rel=canonical href=\"{}\">", canonical) + good_page("Odd"));
}

void add_headers(Rows& rows) {
  for (const char* type : {"", "text/plain", "text/html;", ";charset=", "text/html; charset=\"", "TEXT/HTML",
                           "\xFF", "application/pdf", "text/html, text/html", "application/octet-stream"})
    rows.push_back(
        {fmt::format("type {}", type), {.headers = {{"content-type", type}}, .body = good_page("Odd")}});
  for (const char* length : {"0", "5", "99999999999999999999", "-1", "x"})
    add_with_header(rows, "content-length", length);
  for (const char* date : {"Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "x"})
    add_with_header(rows, "last-modified", date);
  for (const char* tag : {"\"", "W/", "x"}) add_with_header(rows, "etag", tag);
  for (const char* robots : {"noindex", "other: noindex", ","}) add_with_header(rows, "x-robots-tag", robots);
  for (const char* link : {"<", "</b>; rel=canonical", "<http://[>; rel=\"canonical\""})
    add_with_header(rows, "link", link);
}

void add_codings(Rows& rows) {
  const std::string gzip = test::compress(format::Codec::gzip, good_page("Packed"));
  const std::string zstd = test::compress(format::Codec::zstd, good_page("Packed"));
  const auto add = [&](const std::string& coding, const std::string& what, std::string body,
                       FailureCode code) {
    rows.push_back(
        {fmt::format("{} {}", coding, what),
         {.headers = {{"content-type", "text/html"}, {"content-encoding", coding}}, .body = std::move(body)},
         code});
  };
  const FailureCode failed = FailureCode::pages_failed;
  add("gzip", "whole", gzip, FailureCode::none);
  add("gzip", "of nothing", test::compress(format::Codec::gzip, ""), FailureCode::none);
  add("gzip", "empty", "", FailureCode::none);
  add("gzip", "cut", gzip.substr(0, gzip.size() / 2), failed);
  add("gzip", "cut in its header", gzip.substr(0, 5), failed);
  add("gzip", "not packed", good_page("Plain"), FailureCode::none);
  add("gzip", "damaged", gzip.substr(0, 12) + std::string(40, '\xFF'), failed);
  for (const char* coding : {"deflate", "br"}) {
    add(coding, "empty", "", FailureCode::none);
    add(coding, "not packed", good_page("Plain"), failed);
    add(coding, "damaged", std::string(40, '\xFF'), failed);
  }
  add("zstd", "whole", zstd, failed);  // not requested
  add("zstd", "cut", zstd.substr(0, zstd.size() / 2), failed);
  add("gzip, gzip", "whole", test::compress(format::Codec::gzip, gzip), failed);
  add("x-nothing", "", good_page("Odd"), failed);
}

void add_statuses(Rows& rows) {
  const FailureCode failed = FailureCode::pages_failed;
  for (const int status :
       {204, 205, 226, 300, 304, 400, 401, 402, 403, 418, 429, 451, 500, 501, 503, 599, 999})
    rows.push_back({fmt::format("status {}", status), {.status = status, .body = good_page("Odd")}, failed});
  for (const int status : {404, 410})
    rows.push_back({fmt::format("status {}", status), {.status = status, .body = good_page("Odd")}});
  rows.push_back({"status 203", {.status = 203, .body = good_page("Odd")}});
  rows.push_back({"206 without a range", {.status = 206, .body = good_page("Odd")}, failed});
  rows.push_back({"206 of a range",
                  {.status = 206, .headers = {{"content-range", "bytes 0-9/100"}}, .body = "0123456789"},
                  failed});
  rows.push_back({"redirect without a target", {.status = 302}, failed});
  rows.push_back({"redirect loop", {.status = 302, .headers = {{"location", "#"}}}, failed});
  rows.push_back({"redirect to nothing", {.status = 301, .headers = {{"location", "/nothing"}}}});
  rows.push_back({"redirect to no URL", {.status = 301, .headers = {{"location", "http://["}}}, failed});
  rows.push_back(
      {"redirect elsewhere", {.status = 301, .headers = {{"location", "https://other.example/"}}}});
  rows.push_back(
      {"redirect to a local host", {.status = 301, .headers = {{"location", "http://127.0.0.1/"}}}, failed});
  rows.push_back({"cut off", {.body = good_page("Odd"), .cut_after = 20}, failed});
  for (const Trouble trouble : {Trouble::unreachable, Trouble::too_slow, Trouble::too_large, Trouble::other})
    rows.push_back({fmt::format("trouble {}", static_cast<int>(trouble)), {.trouble = trouble}, failed});
}

Rows hostile_responses() {
  Rows rows;
  add_bodies(rows);
  add_identities(rows);
  add_headers(rows);
  add_codings(rows);
  add_statuses(rows);
  return rows;
}

class HostileResponses : public testing::Test {
 protected:
  HostileResponses()
      : store_(store::open_store((folder_.path() / "store").string(), StoreAccess::write).value()) {
    options_.fetch = web_.options();
    options_.fetch.tries = 2;
    options_.fetch.connections = 1;
    options_.fetch.delay = std::chrono::milliseconds(0);
    options_.clock = [this] { return now_; };
  }

  void heal(const std::string& collection = {}) {
    web_.put(
        site_ + "/robots.txt",
        {.body = fmt::format("User-agent: *\nSitemap: {0}/sitemap.xml\nSitemap: {0}/more.xml\n", site_)});
    web_.put(site_ + "/sitemap.xml", {.body = sitemap("/a", collection)});
    web_.put(site_ + "/more.xml", {.body = sitemap("/b", {})});
    for (const std::string path : {"/", "/a", "/b"}) web_.put_html(site_ + path, good_page("Page " + path));
  }
  std::string sitemap(const std::string& path, const std::string& collection) const {
    return fmt::format(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
        "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">{}<url><loc>{}{}</loc></url></urlset>",
        collection, site_, path);
  }

  PullReport pull() {
    now_.seconds += 8 * 86'400;
    auto report = pull_site(*store_, *base::Url::parse(site_), folder_.path() / "files" / host_, options_);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PullReport{};
  }

  void expect_stored(const Paths& paths) {
    std::set<std::string> found;
    store::PageFilter filter;
    filter.site = site_;
    ASSERT_TRUE(store_->each_page(filter, [&](const store::StoredPage& page) -> base::Result<bool> {
      found.emplace(page.url.substr(site_.size()));
      return true;
    }));
    for (const std::string& path : paths) EXPECT_TRUE(found.contains(path)) << path << " is not stored";
  }

  static void expect_fitting_code(const PullReport& report) {
    static const std::set<FailureCode> kUnfitting = {FailureCode::internal, FailureCode::store_error,
                                                     FailureCode::damaged_store, FailureCode::disk_full,
                                                     FailureCode::cancelled};
    EXPECT_EQ(report.ok, !report.failure) << report.failure.message;
    EXPECT_FALSE(kUnfitting.contains(report.failure.code)) << report.failure.message;
  }

  /// Pulls a site for each response, which is that of `path`, and judges the report. Then the site is healed.
  template <class Judge>
  void try_all(const std::string& path, const Judge& judge, const std::string& collection = {}) {
    int number = 0;
    for (HostileResponse& row : hostile_responses()) {
      SCOPED_TRACE(fmt::format("{} as {}", row.name, path));
      host_ = fmt::format("site{}.example", ++number);
      site_ = "https://" + host_;
      heal(collection);
      web_.put(site_ + path, row.answer);
      const PullReport report = pull();
      expect_fitting_code(report);
      judge(row, report);
      heal();
      const PullReport healed = pull();
      EXPECT_TRUE(healed.ok) << healed.failure.message;
      expect_stored({"/", "/a", "/b"});
    }
  }

  test::TempDir folder_;
  test::ScriptedWeb web_;
  std::unique_ptr<store::PageStore> store_;
  std::string host_;
  std::string site_;
  Instant now_{1'800'000'000, 0};
  SitePullOptions options_;
};

TEST_F(HostileResponses, AsTheFrontPage) {
  try_all("/", [this](const HostileResponse& row, const PullReport& report) {
    EXPECT_EQ(report.failure.code, row.as_page) << report.failure.message;
    expect_stored({"/a", "/b"});
  });
}

TEST_F(HostileResponses, AsAPageOfASitemap) {
  try_all("/a", [this](const HostileResponse& row, const PullReport& report) {
    EXPECT_EQ(report.failure.code, row.as_page) << report.failure.message;
    expect_stored({"/", "/b"});
  });
}

// A robots.txt that cannot be read forbids everything for now; any other one names no sitemaps here.
TEST_F(HostileResponses, AsRobotsTxt) {
  try_all("/robots.txt", [this](const HostileResponse&, const PullReport& report) {
    if (report.failure) return expect_stored({});
    expect_stored({"/", "/a"});
  });
}

TEST_F(HostileResponses, AsASitemap) {
  try_all("/sitemap.xml", [this](const HostileResponse&, const PullReport& report) {
    if (report.failure.code != FailureCode::payment_required) expect_stored({"/", "/b"});
  });
}

TEST_F(HostileResponses, AsACollection) {
  const std::string collection =
      "<scp:version>0.1</scp:version><scp:collection section=\"all\" type=\"snapshot\" url=\"/all.scp\" "
      "generated=\"2026-01-15T00:00:00Z\"/>";
  const auto judge = [this](const HostileResponse&, const PullReport& report) {
    if (report.failure.code == FailureCode::payment_required) return expect_stored({});
    expect_stored({"/", "/a", "/b"});
  };
  try_all("/all.scp", judge, collection);
}

}  // namespace
}  // namespace sheaf::pull
