#include "sheaf/publish/sources/listed_times.h"

#include "publish/site_reader.h"
#include "sheaf/publish/publisher.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

namespace sheaf::publish {
namespace {

const base::Url kSitemap = *base::Url::parse("https://example.com/docs/sitemap.xml");

std::string urlset(const std::string& entries) {
  return "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" + entries + "</urlset>";
}
std::string entry(const std::string& loc, const std::string& lastmod) {
  return "<url><loc>" + loc + "</loc><lastmod>" + lastmod + "</lastmod></url>";
}

TEST(ListedTimes, OfASitemap) {
  const test::TempDir dir;
  dir.write("sitemap.xml", urlset(entry("https://example.com/docs/a/", "2024-03-01") +
                                  entry("https://example.com/docs/b%C3%A4", "2024-03-01T10:00:00+02:00") +
                                  entry("https://example.com/docs/c/", "soon") +
                                  "<url><loc>https://example.com/docs/d/</loc></url>"));
  const ListedTimes times = ListedTimes::read(dir / "sitemap.xml", kSitemap);
  EXPECT_EQ(times.at("https://example.com/docs/a/"), Instant(1'709'251'200, 0));
  EXPECT_EQ(times.at("https://example.com/docs/b%C3%A4"), Instant(1'709'280'000, 0));
  for (const char* unknown : {"https://example.com/docs/c/", "https://example.com/docs/d/",
                              "https://example.com/docs/a", "", "https://example.com/docs/e/"})
    EXPECT_EQ(times.at(unknown), std::nullopt) << unknown;
}

TEST(ListedTimes, OfTheSitemapsBesideAnIndex) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir / "docs/en");
  const auto child = [](const std::string& loc) { return "<sitemap><loc>" + loc + "</loc></sitemap>"; };
  dir.write("docs/sitemap.xml", "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" +
                                    child("https://example.com/docs/en/sitemap.xml") +
                                    child("https://example.com/docs/missing.xml") +
                                    child("https://example.com/docs/%2E%2E%2Foutside.xml") +
                                    child("https://example.com/outside.xml") +
                                    child("https://elsewhere.example/docs/other.xml") + "</sitemapindex>");
  dir.write("docs/en/sitemap.xml", urlset(entry("https://example.com/docs/en/", "2024-03-01")));
  dir.write("docs/other.xml", urlset(entry("https://example.com/docs/other/", "2024-03-01")));
  dir.write("outside.xml", urlset(entry("https://example.com/docs/outside/", "2024-03-01")));
  const ListedTimes times = ListedTimes::read(dir / "docs/sitemap.xml", kSitemap);
  EXPECT_TRUE(times.at("https://example.com/docs/en/"));
  EXPECT_FALSE(times.at("https://example.com/docs/other/"));
  EXPECT_FALSE(times.at("https://example.com/docs/outside/"));
}

TEST(ListedTimes, OfNoSitemapOrABrokenOne) {
  const test::TempDir dir;
  EXPECT_FALSE(ListedTimes::read(dir / "sitemap.xml", kSitemap).at("https://example.com/docs/a/"));
  dir.write("sitemap.xml", urlset(entry("https://example.com/docs/a/", "2024-03-01")).substr(0, 160));
  EXPECT_FALSE(ListedTimes::read(dir / "sitemap.xml", kSitemap).at("https://example.com/docs/b/"));
}

TEST(ListedTimes, AreThoseOfPagesThatNameNone) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir / "public");
  const auto page = [&](const std::string& name, const std::string& head) {
    dir.write("public/" + name,
              "<!doctype html><html lang=en><title>A page</title>" + head +
                  "<main><p>What this page says is a sentence that is long enough.</p></main>");
  };
  page("dated.html", "<meta property=article:modified_time content=2023-05-06T07:08:09Z>");
  page("listed.html", "");
  page("neither.html", "");
  std::filesystem::last_write_time(
      dir / "public/neither.html",
      std::chrono::file_clock::from_sys(std::chrono::sys_seconds(std::chrono::seconds(1'600'000'000))));
  dir.write("public/sitemap.xml", urlset(entry("https://example.com/dated.html", "2024-03-01") +
                                         entry("https://example.com/listed.html", "2024-03-01")));
  const auto config = config_for_folder(dir / "public", "https://example.com", dir / "public/scp", "site");
  ASSERT_TRUE(config);
  PublishOptions options;
  options.now = {1'800'000'000, 0};
  ASSERT_TRUE(publish(*config, options));
  test::SiteReader reader(dir / "public/sitemap.xml", dir / "public/scp", "site");
  reader.update();
  EXPECT_TRUE(reader.faults().empty());
  EXPECT_EQ(format_time(reader.pages().at("https://example.com/dated.html").modified),
            "2023-05-06T07:08:09Z");
  EXPECT_EQ(format_time(reader.pages().at("https://example.com/listed.html").modified),
            "2024-03-01T00:00:00Z");
  EXPECT_EQ(reader.pages().at("https://example.com/neither.html").modified.seconds, 1'600'000'000);
}

}  // namespace
}  // namespace sheaf::publish
