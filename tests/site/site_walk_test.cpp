#include "sheaf/site/site_walk.h"

#include "sheaf/site/site_robots.h"
#include "support/allocated_memory.h"
#include "support/sources.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>
#include <map>

namespace sheaf::site {
namespace {

using Strings = std::vector<std::string>;

base::Url url(std::string_view text) { return base::Url::parse(text).value(); }

std::string urlset(const Strings& pages, std::string_view scp = {}) {
  std::string text = R"(<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" )"
                     R"(xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">)";
  text += scp;
  for (const std::string& page : pages) text += "\n<url><loc>" + page + "</loc></url>";
  return text + "</urlset>";
}

std::string index(const Strings& children) {
  std::string text = R"(<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">)";
  for (const std::string& child : children)
    text += "\n<sitemap><loc>" + child + "</loc><lastmod>2026-01-02</lastmod></sitemap>";
  return text + "</sitemapindex>";
}

/// A site in memory, and everything the walk over it gave.
class Site final : public SiteWalkSink {
 public:
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> redirects;
  std::map<std::string, base::Error> broken;
  std::map<std::string, SitemapChoice> choices;
  SiteWalkLimits limits;
  std::size_t stop_after_urls = SIZE_MAX;
  std::function<void(std::size_t children)> on_each_child;  ///< called after each

  Strings opened, urls, findings, lastmods;
  SiteWalk walk;

  Site& go(std::string_view robots = {}, const std::vector<base::Url>& given = {}) {
    const RobotsTxt parsed = RobotsTxt::parse(robots);
    walk = walk_sitemaps(
        url("https://e.com/some/page"), robots.empty() ? nullptr : &parsed, given,
        [this](const base::Url& address) { return open(address); }, limits, *this);
    return *this;
  }

  Reading on_url(const SitemapUrl& entry) override {
    urls.emplace_back(entry.loc);
    return urls.size() >= stop_after_urls ? Reading::stop : Reading::go_on;
  }
  Reading on_child(const ChildSitemap& /*entry*/) override {
    if (on_each_child) on_each_child(++children_);
    return Reading::go_on;
  }
  SitemapChoice on_sitemap(const base::Url& sitemap, const std::optional<Instant>& lastmod) override {
    lastmods.push_back(lastmod ? format_time(*lastmod) : "-");
    const auto found = choices.find(std::string(sitemap.href()));
    return found == choices.end() ? SitemapChoice::read : found->second;
  }
  void on_walk_finding(const WalkFinding& finding) override {
    findings.push_back(std::string(to_string(finding.problem)) + " " + finding.str());
  }
  [[nodiscard]] bool found(std::string_view words) const {
    return std::ranges::any_of(findings,
                               [&](const std::string& each) { return each.find(words) != each.npos; });
  }

 private:
  std::size_t children_ = 0;

  base::Result<OpenedSitemap> open(const base::Url& address) {
    const std::string asked(address.href());
    opened.push_back(asked);
    if (const auto failure = broken.find(asked); failure != broken.end())
      return std::unexpected(failure->second);
    const auto redirect = redirects.find(asked);
    const std::string name = redirect == redirects.end() ? asked : redirect->second;
    const auto file = files.find(name);
    if (file == files.end()) return base::fail(base::Errc::not_found, "404 Not Found");
    return OpenedSitemap{base::buffer_source(file->second, name), url(name)};
  }
};

std::string gzip(const std::string& text) {
  std::string out(text.size() + 200, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(SiteWalk, RobotsNamesTheSitemapsAndTheirOrder) {
  Site site;
  site.files = {{"https://e.com/b.xml", urlset({"https://e.com/2"})},
                {"https://e.com/a.xml", urlset({"https://e.com/1", "/relative"})},
                {"https://e.com/sitemap.xml", urlset({"https://e.com/never"})}};
  site.go(
      "Sitemap: https://e.com/b.xml\nSitemap: /a.xml\nSitemap: https://e.com/b.xml#again\nSitemap: "
      "mailto:x\n");
  EXPECT_EQ(site.urls, (Strings{"https://e.com/2", "https://e.com/1", "https://e.com/relative"}));
  EXPECT_EQ(site.opened, (Strings{"https://e.com/b.xml", "https://e.com/a.xml"}));
  EXPECT_TRUE(site.walk.complete);
  EXPECT_EQ(site.walk.sitemaps, 2U);
  EXPECT_EQ(site.walk.urls, 3U);
  EXPECT_TRUE(site.found("invalid-url https://e.com/robots.txt: the Sitemap line \"mailto:x\""))
      << site.findings[0];
}

TEST(SiteWalk, TheUsualPlacesOneAfterTheOther) {
  const std::string text = urlset({"https://e.com/1"});
  for (const std::string place : {"/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz"}) {
    Site site;
    site.files = {{"https://e.com" + place, place.ends_with("gz") ? gzip(text) : text}};
    site.go("User-agent: *\nDisallow:\n");
    EXPECT_EQ(site.urls, Strings{"https://e.com/1"}) << place;
    EXPECT_TRUE(site.walk.complete);
    EXPECT_TRUE(site.findings.empty());
  }
  Site none;
  none.go();
  EXPECT_EQ(none.opened.size(), 3U);
  EXPECT_FALSE(none.walk.complete);
  EXPECT_TRUE(none.found("no-sitemap"));
}

TEST(SiteWalk, MissingSitemapsFromRobotsFallBackToTheDefaultOnes) {
  Site site;
  site.files = {{"https://e.com/sitemap.xml", urlset({"https://e.com/1"})}};
  site.go("Sitemap: https://e.com/old.xml\n");
  EXPECT_EQ(site.urls, Strings{"https://e.com/1"});
  EXPECT_TRUE(site.walk.complete);
  EXPECT_TRUE(site.found("missing https://e.com/old.xml: 404"));
}

TEST(SiteWalk, AnUnreachableSitemapIsNotReplacedByAGuess) {
  for (const std::string robots : {"Sitemap: https://e.com/sitemap.xml\n", "User-agent: *\n"}) {
    Site site;
    site.files = {{"https://e.com/sitemap_index.xml", urlset({"https://e.com/other"})}};
    site.broken = {{"https://e.com/sitemap.xml", {base::Errc::io, "timed out"}}};
    site.go(robots);
    EXPECT_TRUE(site.urls.empty());
    EXPECT_FALSE(site.walk.complete);
    EXPECT_TRUE(site.found("unreachable https://e.com/sitemap.xml: timed out"));
  }
}

TEST(SiteWalk, NestedIndexesCirclesAndRepeatedChildren) {
  Site site;
  site.files = {{"https://e.com/sitemap.xml",
                 index({"https://e.com/a.xml", "https://e.com/i.xml", "https://e.com/a.xml"})},
                {"https://e.com/i.xml",
                 index({"https://e.com/sitemap.xml", "https://e.com/i.xml", "https://e.com/b.xml.gz"})},
                {"https://e.com/a.xml", urlset({"https://e.com/1"})},
                {"https://e.com/b.xml.gz", gzip(urlset({"https://e.com/2"}))}};
  site.go();
  EXPECT_EQ(site.urls, (Strings{"https://e.com/1", "https://e.com/2"}));
  EXPECT_EQ(site.walk.sitemaps, 4U);
  EXPECT_TRUE(site.walk.complete);
  EXPECT_EQ(site.lastmods,
            (Strings{"-", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"}));
}

TEST(SiteWalk, TwoUrlsOfOneFileAreReadOnce) {
  Site site;
  site.files = {{"https://e.com/sitemap.xml",
                 index({"https://e.com/old.xml", "https://e.com/new.xml", "https://e.com/older.xml"})},
                {"https://e.com/new.xml", urlset({"https://e.com/1", "2"})}};
  site.redirects = {{"https://e.com/old.xml", "https://e.com/new.xml"},
                    {"https://e.com/older.xml", "https://e.com/new.xml"}};
  site.go();
  EXPECT_EQ(site.urls, (Strings{"https://e.com/1", "https://e.com/2"}));
}

TEST(SiteWalk, ChildrenOnOtherHosts) {
  Site site;
  const Strings children = {"https://www.e.com/w.xml", "https://cdn.example/c.xml",
                            "https://stranger.example/s.xml"};
  site.files = {{"https://e.com/index.xml", index(children)},
                {"https://cdn.example/map.xml",
                 index({"https://cdn.example/d.xml", "https://stranger.example/t.xml"})}};
  for (const std::string& child : children) site.files[child] = urlset({child + "/page"});
  site.files["https://cdn.example/d.xml"] = urlset({"https://e.com/d"});
  site.go("Sitemap: https://e.com/index.xml\nSitemap: https://cdn.example/map.xml\n");
  EXPECT_EQ(site.urls,
            (Strings{"https://www.e.com/w.xml/page", "https://cdn.example/c.xml/page", "https://e.com/d"}));
  EXPECT_TRUE(site.found("elsewhere https://e.com/index.xml:4: the sitemap https://stranger.example/s.xml"))
      << site.findings.at(0);
  EXPECT_EQ(site.findings.size(), 2U);
  EXPECT_TRUE(site.walk.complete);
}

TEST(SiteWalk, SitemapsOverHttpOfASiteThatHasHttps) {
  Site site;
  site.files = {{"http://e.com/a.xml", urlset({"https://e.com/a"})},
                {"https://e.com/sitemap.xml", index({"http://e.com/b.xml", "https://e.com/c.xml"})},
                {"http://e.com/b.xml", urlset({"https://e.com/b"})},
                {"http://e.com/c.xml", urlset({"https://e.com/c"})}};
  site.redirects = {{"https://e.com/c.xml", "http://e.com/c.xml"}};
  Site allowing = site;
  site.go("Sitemap: http://e.com/a.xml\n");
  EXPECT_EQ(site.urls, Strings{});
  EXPECT_EQ(site.opened, (Strings{"https://e.com/sitemap.xml", "https://e.com/c.xml"}))
      << "the usual place is still looked at";
  EXPECT_TRUE(site.found("insecure http://e.com/a.xml: http://e.com/a.xml is served over http"));
  EXPECT_TRUE(site.found("insecure http://e.com/b.xml"));
  EXPECT_TRUE(site.found("insecure https://e.com/c.xml: http://e.com/c.xml is served over http"))
      << "a redirect leads there";
  EXPECT_FALSE(site.walk.complete);
  site.opened.clear();
  site.go({}, {url("http://e.com/a.xml")});
  EXPECT_EQ(site.opened, Strings{}) << "whichever file lists it";
  allowing.limits.allow_http = true;
  allowing.go("Sitemap: http://e.com/a.xml\nSitemap: https://e.com/sitemap.xml\n");
  EXPECT_EQ(allowing.urls, (Strings{"https://e.com/a", "https://e.com/b", "https://e.com/c"}));
  EXPECT_TRUE(allowing.walk.complete);
}

TEST(SiteWalk, DepthNumberAndEntriesAreBounded) {
  Site deep;
  for (int i = 0; i < 20; ++i)
    deep.files["https://e.com/" + std::to_string(i) + ".xml"] =
        index({"https://e.com/" + std::to_string(i + 1) + ".xml"});
  deep.go("Sitemap: https://e.com/0.xml\n");
  EXPECT_EQ(deep.opened.size(), 5U);
  EXPECT_TRUE(deep.found("too-deep https://e.com/4.xml:2:"));
  EXPECT_FALSE(deep.walk.complete);

  Site wide;
  Strings children;
  for (int i = 0; i < 100; ++i) children.push_back("https://e.com/c" + std::to_string(i) + ".xml");
  wide.files["https://e.com/sitemap.xml"] = index(children);
  for (const std::string& child : children) wide.files[child] = urlset({child + "/1", child + "/2"});
  wide.limits.sitemaps = 10;
  wide.go("Sitemap: https://e.com/sitemap.xml\n");
  EXPECT_EQ(wide.opened.size(), 10U);
  EXPECT_EQ(wide.findings.size(), 1U);
  EXPECT_TRUE(wide.found("too-many https://e.com/c9.xml"));
  EXPECT_FALSE(wide.walk.complete);

  wide.limits = {};
  wide.limits.urls = 5;
  wide.findings.clear();
  wide.urls.clear();
  wide.go("Sitemap: https://e.com/sitemap.xml\n");
  EXPECT_EQ(wide.urls.size(), 5U);
  EXPECT_EQ(wide.walk.urls, 5U);
  EXPECT_TRUE(wide.found("too-many https://e.com/c2.xml:3:"));
  EXPECT_FALSE(wide.walk.complete);
}

TEST(SiteWalk, ChildrenBeyondTheLimitAreNotKeptInMemory) {
  Site site;
  Strings children;
  for (int i = 0; i < 100'000; ++i)
    children.push_back("https://e.com/" + std::to_string(i) + std::string(100, 'c') + ".xml");
  site.files["https://e.com/sitemap.xml"] = index(children);
  site.limits.sitemaps = 10;
  const std::size_t before = test::allocated_bytes();
  std::size_t after = 0;
  site.on_each_child = [&](std::size_t read) {
    if (read == children.size()) after = test::allocated_bytes();
  };
  site.go("Sitemap: https://e.com/sitemap.xml\n");
  EXPECT_LT(after, before + (std::size_t{4} << 20U));
  EXPECT_EQ(site.opened.size(), 10U);
}

TEST(SiteWalk, CollectionsWithLongSitemapUrlsAreBounded) {
  Site site;
  std::string robots;
  for (const char letter : {'a', 'b'}) {
    std::string offers;
    for (int i = 0; i < 10'000; ++i)
      offers += std::string("<scp:collection section=\"") + letter + "\" type=\"snapshot\" url=\"/" +
                std::to_string(i) + "\" generated=\"2026-01-01T00:00:00Z\"/>";
    const std::string name = "https://e.com/" + std::string(4'000, letter);
    site.files[name] = urlset({}, offers);
    robots += "Sitemap: " + name + "\n";
  }
  site.go(robots);
  EXPECT_GT(site.walk.advertised.collections.size(), 10'000U);
  EXPECT_LT(site.walk.advertised.collections.size(), 20'000U);
}

TEST(SiteWalk, SitemapsAreOpenedOnlyAsLongAsTheyListPages) {
  Strings children;
  for (int i = 0; i < 50; ++i) children.push_back("https://e.com/c" + std::to_string(i) + ".xml");
  for (const std::size_t pages : {0U, 1U, 4U}) {
    Site site;
    site.files["https://e.com/sitemap.xml"] = index(children);
    for (const std::string& child : children) {
      Strings listed;
      for (std::size_t i = 0; i < pages; ++i) listed.push_back(child + "/" + std::to_string(i));
      site.files[child] = urlset(listed);
    }
    site.limits.free_sitemaps = 9;
    site.go("Sitemap: https://e.com/sitemap.xml\n");
    EXPECT_EQ(site.opened.size(), pages == 0 ? 9U : pages == 1 ? 11U : 51U);
    EXPECT_EQ(site.walk.complete, pages == 4);
    EXPECT_EQ(site.found("too-many"), pages != 4);
  }
}

TEST(SiteWalk, WhatRobotsTxtDisallowsIsNotOpened) {
  Site site;
  site.files = {{"https://e.com/sitemap.xml", index({"https://e.com/a.xml", "https://e.com/b.xml"})},
                {"https://e.com/b.xml", urlset({"https://e.com/1"})}};
  site.choices = {{"https://e.com/a.xml", SitemapChoice::forbid}};
  site.go("Sitemap: https://e.com/sitemap.xml\n");
  EXPECT_EQ(site.opened, (Strings{"https://e.com/sitemap.xml", "https://e.com/b.xml"}));
  EXPECT_EQ(site.urls, Strings{"https://e.com/1"});
  EXPECT_TRUE(site.found("disallowed https://e.com/a.xml"));
  EXPECT_FALSE(site.walk.complete);

  Site usual;
  usual.files = {{"https://e.com/sitemap_index.xml", urlset({"https://e.com/1"})}};
  usual.choices = {{"https://e.com/sitemap.xml", SitemapChoice::forbid}};
  usual.go();
  EXPECT_EQ(usual.opened, Strings{"https://e.com/sitemap_index.xml"});
  EXPECT_TRUE(usual.walk.complete);
}

TEST(SiteWalk, FaultsInAFileAreReportedWithTheirLineAndTheRestIsRead) {
  Site site;
  const std::string whole = urlset({"https://e.com/1", "https://e.com/2"});
  site.files = {{"https://e.com/sitemap.xml", index({"https://e.com/cut.xml", "https://e.com/gone.xml",
                                                     "https://e.com/page.xml", "https://e.com/good.xml"})},
                {"https://e.com/cut.xml", whole.substr(0, whole.size() - 10)},
                {"https://e.com/page.xml", "<html><body>Not found</body></html>"},
                {"https://e.com/good.xml", urlset({"https://e.com/3", "ftp://e.com/4"})}};
  site.go();
  EXPECT_EQ(site.urls, (Strings{"https://e.com/1", "https://e.com/2", "https://e.com/3"}));
  EXPECT_TRUE(site.found("in-file https://e.com/cut.xml:3: the file ends in the middle"))
      << site.findings.at(0);
  EXPECT_TRUE(site.found("missing https://e.com/gone.xml"));
  EXPECT_TRUE(site.found("in-file https://e.com/page.xml:1:"));
  EXPECT_TRUE(site.found("in-file https://e.com/good.xml:3:"));
  EXPECT_FALSE(site.walk.complete);
}

TEST(SiteWalk, AFileThatFailsInTheMiddle) {
  class Failing final : public SiteWalkSink {};
  Failing sink;
  const SiteWalk walk = walk_sitemaps(
      url("https://e.com/"), nullptr, {url("https://e.com/a.xml"), url("https://e.com/b.xml")},
      [](const base::Url& address) -> base::Result<OpenedSitemap> {
        const std::string text = urlset(Strings(1000, "https://e.com/1"));
        const bool fails = address.path() == "/a.xml";
        return OpenedSitemap{
            test::scripted(text, {.piece = 100,
                                  .size = {},
                                  .fail_after = fails ? std::optional<std::size_t>(500) : std::nullopt}),
            address};
      },
      {}, sink);
  EXPECT_EQ(walk.sitemaps, 2U);
  EXPECT_GE(walk.urls, 1000U);
  EXPECT_EQ(walk.findings, 1U);
  EXPECT_FALSE(walk.complete);
}

TEST(SiteWalk, FurtherFindingsAreCounted) {
  Site site;
  Strings children;
  for (int i = 0; i < 50; ++i) children.push_back("https://e.com/" + std::to_string(i));
  site.files = {{"https://e.com/sitemap.xml", index(children)}};
  site.limits.findings = 7;
  site.go();
  EXPECT_EQ(site.findings.size(), 7U);
  EXPECT_EQ(site.walk.findings, 50U);
}

TEST(SiteWalk, TheCallerMaySkipAndStop) {
  Site site;
  site.files = {{"https://e.com/sitemap.xml",
                 index({"https://e.com/a.xml", "https://e.com/b.xml", "https://e.com/c.xml"})},
                {"https://e.com/b.xml", urlset({"https://e.com/1"})}};
  site.choices = {{"https://e.com/a.xml", SitemapChoice::skip}, {"https://e.com/c.xml", SitemapChoice::stop}};
  site.go();
  EXPECT_EQ(site.opened, (Strings{"https://e.com/sitemap.xml", "https://e.com/b.xml"}));
  EXPECT_EQ(site.walk.skipped, 1U);
  EXPECT_TRUE(site.walk.stopped);
  EXPECT_FALSE(site.walk.complete);

  Site early;
  early.files = {{"https://e.com/sitemap.xml", urlset(Strings(10, "https://e.com/1"))}};
  early.stop_after_urls = 3;
  early.go();
  EXPECT_EQ(early.urls.size(), 3U);
  EXPECT_TRUE(early.walk.stopped);
}

TEST(SiteWalk, WhatAllSitemapsAdvertiseIsMerged) {
  const auto section = [](std::string name) {
    return "<scp:section name=\"" + name + "\" updateFreq=\"daily\"/>";
  };
  const auto collection = [](std::string name, std::string file) {
    return "<scp:collection section=\"" + name + "\" type=\"snapshot\" url=\"https://e.com/" + file +
           "\" generated=\"2026-01-01T00:00:00Z\" expires=\"2027-01-01T00:00:00Z\" pages=\"1\" size=\"1\"/>";
  };
  Site site;
  site.files = {
      {"https://e.com/sitemap.xml", index({"https://e.com/a.xml", "https://e.com/b.xml"})},
      {"https://e.com/a.xml",
       urlset({}, "<scp:version>0.1</scp:version><scp:compression>zstd,gzip</scp:compression>" +
                      section("blog") + collection("blog", "b.scp.zst"))},
      {"https://e.com/b.xml",
       urlset({}, "<scp:version>0.2</scp:version><scp:compression>gzip</scp:compression>" + section("blog") +
                      section("docs") + collection("blog", "b.scp.zst") + collection("docs", "d.scp.zst"))}};
  site.go();
  const Advertised& advertised = site.walk.advertised;
  EXPECT_EQ(advertised.version, "0.1");
  EXPECT_EQ(advertised.compression, (Strings{"zstd", "gzip"}));
  ASSERT_EQ(advertised.sections.size(), 2U);
  EXPECT_EQ(advertised.sections[1].name, "docs");
  ASSERT_EQ(advertised.collections.size(), 2U);
  EXPECT_EQ(advertised.collections[1].url, "https://e.com/d.scp.zst");
}

TEST(SiteWalk, OfTwoEntriesForAFileTheNewerOneCounts) {
  const auto entry = [](std::string_view day) {
    return fmt::format(
        "<scp:collection section=\"blog\" type=\"snapshot\" url=\"https://e.com/b.scp\" "
        "generated=\"2026-01-{}T00:00:00Z\"/>",
        day);
  };
  Site site;
  site.files = {{"https://e.com/sitemap.xml",
                 index({"https://e.com/a.xml", "https://e.com/b.xml", "https://e.com/c.xml"})},
                {"https://e.com/a.xml", urlset({}, entry("01"))},
                {"https://e.com/b.xml", urlset({}, entry("03"))},
                {"https://e.com/c.xml", urlset({}, entry("02"))}};
  site.go();
  ASSERT_EQ(site.walk.advertised.collections.size(), 1U);
  const AdvertisedCollection& collection = site.walk.advertised.collections.front();
  EXPECT_EQ(collection.generated, parse_time("2026-01-03T00:00:00Z")->instant);
  EXPECT_EQ(collection.sitemaps.front(), "https://e.com/b.xml");
}

TEST(SiteRobots, AnswersByRfc9309) {
  const RobotsTxt before = RobotsTxt::parse("User-agent: *\nDisallow: /old\n");
  const auto allows = [](const SiteRobots& robots, std::string_view path) {
    return robots.robots.rules_for("sheaf").judge_path(path).allowed;
  };
  const std::string body = "User-agent: *\nDisallow: /x\n";
  EXPECT_FALSE(allows(judge_robots_response(200, body), "/x"));
  EXPECT_TRUE(allows(judge_robots_response(200, body), "/y"));
  for (const int status : {301, 302, 400, 401, 403, 404, 410, 451}) {
    EXPECT_TRUE(allows(judge_robots_response(status, body), "/x")) << status;
    EXPECT_EQ(judge_robots_response(status, body).access, RobotsAccess::everything) << status;
  }
  for (const int status : {0, 304, 429, 500, 503}) {
    EXPECT_FALSE(allows(judge_robots_response(status, body), "/anything")) << status;
    EXPECT_EQ(judge_robots_response(status, body).access, RobotsAccess::nothing) << status;
    EXPECT_FALSE(allows(judge_robots_response(status, body, &before), "/old")) << status;
    EXPECT_TRUE(allows(judge_robots_response(status, body, &before), "/anything")) << status;
  }
  EXPECT_EQ(robots_url(url("https://e.com:8080/a/b?c#d")).href(), "https://e.com:8080/robots.txt");
}

}  // namespace
}  // namespace sheaf::site
