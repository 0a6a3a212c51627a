// The sitemap that publish changes, leaves alone or makes.
#include "publish/published_site.h"
#include "sheaf/publish/recipes/init.h"
#include "sheaf/publish/release.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

const std::string kForeignSitemap =
    "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    "  <url><loc>https://example.com/a.html</loc></url>\n</urlset>\n";

void use_separate(PublishConfig& config) { config.sitemap_mode = SitemapMode::separate; }

test::SiteReader separate_reader(const PublishedSite& site) {
  return {site.public_folder() / "sitemap-scp.xml", site.collections(), "site"};
}

TEST(PublishSitemapMode, SeparateLeavesTheSitemapAsItIs) {
  PublishedSite site;
  site.on_config(use_separate);
  site.put("sitemap.xml", kForeignSitemap);
  for (const std::string text : {"One", "Two", "Three"}) {
    site.write("a.html", text);
    site.run();
    EXPECT_EQ(site.sitemap(), kForeignSitemap);
  }
  auto reader = separate_reader(site);
  reader.update();
  EXPECT_EQ(urls(reader), std::vector<std::string>{"a.html"});
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

// Not even a sitemap that could not be changed matters.
TEST(PublishSitemapMode, SeparateWorksBesideASitemapThatCannotBeChanged) {
  PublishedSite site;
  site.on_config(use_separate);
  site.put("sitemap.xml", "this is not XML");
  site.write("a.html", "One");
  site.run();
  EXPECT_EQ(site.sitemap(), "this is not XML");
  EXPECT_TRUE(fs::exists(site.public_folder() / "sitemap-scp.xml"));
}

TEST(PublishSitemapMode, ARunWithoutNewsWritesNothing) {
  PublishedSite site;
  site.on_config(use_separate);
  site.write("a.html", "One");
  site.run();
  const auto report = site.publish();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->sitemap_changed);
}

TEST(PublishSitemapMode, ElementsOfTheOtherModeAreRemoved) {
  PublishedSite site;
  site.put("sitemap.xml", kForeignSitemap);
  site.write("a.html", "One");
  site.run();
  ASSERT_TRUE(site.sitemap().contains("scp:collection"));
  site.on_config(use_separate);
  site.write("a.html", "Two");
  site.run();
  EXPECT_FALSE(site.sitemap().contains("scp:"));
  EXPECT_TRUE(site.sitemap().contains("<url><loc>https://example.com/a.html</loc></url>"));
}

TEST(PublishSitemapMode, TheLineForRobotsNamesTheRightSitemap) {
  PublishedSite site;
  site.write("a.html", "One");
  const auto line_of = [&] {
    const auto report = site.publish();
    return report && !report->steps.empty() ? report->steps.back() : "";
  };
  EXPECT_TRUE(line_of().ends_with("Sitemap: https://example.com/sitemap.xml"));
  site.on_config(use_separate);
  EXPECT_TRUE(line_of().ends_with("Sitemap: https://example.com/sitemap-scp.xml"));
}

TEST(PublishRobots, TheLineIsAddedOnce) {
  PublishedSite site;
  site.on_config(use_separate);
  site.write("a.html", "One");
  site.put("robots.txt", "User-agent: *\nDisallow: /private/");
  PublishOptions options;
  options.write_robots = true;
  const auto first = site.publish(options);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->robots_changed);
  EXPECT_TRUE(first->notes.empty()) << first->notes.front();
  const std::string expected =
      "User-agent: *\nDisallow: /private/\n\nSitemap: https://example.com/sitemap-scp.xml\n";
  EXPECT_EQ(test::read_file(site.public_folder() / "robots.txt"), expected);
  const auto second = site.publish(options);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->robots_changed);
  EXPECT_EQ(test::read_file(site.public_folder() / "robots.txt"), expected);
}

TEST(PublishRobots, AMissingFileIsMadeAndADryRunWritesNothing) {
  PublishedSite site;
  site.write("a.html", "One");
  PublishOptions options;
  options.write_robots = true;
  options.dry_run = true;
  ASSERT_TRUE(site.publish(options));
  EXPECT_FALSE(fs::exists(site.public_folder() / "robots.txt"));
  options.dry_run = false;
  ASSERT_TRUE(site.publish(options));
  EXPECT_EQ(test::read_file(site.public_folder() / "robots.txt"),
            "Sitemap: https://example.com/sitemap.xml\n");
}

TEST(PublishRobots, AFileThatIsTooLongIsNotChanged) {
  PublishedSite site;
  site.write("a.html", "One");
  const std::string text(site::kRobotsBytes + 10, '#');
  site.put("robots.txt", text);
  PublishOptions options;
  options.write_robots = true;
  const auto report = site.publish(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, base::Errc::refused);
  EXPECT_EQ(test::read_file(site.public_folder() / "robots.txt"), text);
}

TEST(PublishOwnSitemap, ASiteWithoutASitemapGetsOneWithItsPages) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b&c.html", "Two");
  site.run();
  EXPECT_TRUE(site.sitemap().contains("<url><loc>https://example.com/a.html</loc><lastmod>"));
  EXPECT_TRUE(site.sitemap().contains("<url><loc>https://example.com/b&amp;c.html</loc><lastmod>"));
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "b&c.html"}));
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(PublishOwnSitemap, ItFollowsThePages) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  site.remove("a.html");
  site.write("c.html", "Three");
  site.run();
  EXPECT_FALSE(site.sitemap().contains("<loc>https://example.com/a.html</loc>"));
  EXPECT_TRUE(site.sitemap().contains("<loc>https://example.com/b.html</loc>"));
  EXPECT_TRUE(site.sitemap().contains("<loc>https://example.com/c.html</loc>"));
  const std::string before = site.sitemap();
  const auto report = site.publish();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->sitemap_changed);
  EXPECT_EQ(site.sitemap(), before);
}

TEST(PublishOwnSitemap, InSeparateModeItHasPagesOnly) {
  PublishedSite site;
  site.on_config(use_separate);
  site.write("a.html", "One");
  site.run();
  EXPECT_TRUE(site.sitemap().contains("<loc>https://example.com/a.html</loc>"));
  EXPECT_FALSE(site.sitemap().contains("scp:"));
}

// Its lastmod is what publish itself found out. Read back as a source of times, it would hide that a file is
// new.
TEST(PublishOwnSitemap, ItIsNotASourceOfTimes) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.pass(5 * kHour);
  site.write("a.html", "Two");
  site.pass(2 * kHour);
  site.run();
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(format_time(reader.pages().begin()->second.modified), format_time({1'800'000'000 + 6 * kHour, 0}))
      << "the time of the file";
}

TEST(PublishOwnSitemap, ManyPagesGoToSeveralFiles) {
  test::TempDir dir;
  auto config = config_for_folder(dir.path(), "https://example.com", dir / "scp", "site");
  ASSERT_TRUE(config);
  const auto target = folder_target(*config);
  const EachPage pages = [](const auto& use) -> base::Result<void> {
    for (int i = 0; i < 5; ++i)
      SHEAF_TRY(use(fmt::format("https://example.com/{}", i), "2026-01-01T00:00:00Z"));
    return {};
  };
  site::Advertised advertised;
  advertised.version = "0.1";
  const auto changed = list_pages(*target, *config, advertised, pages, ElementsThere::outdated, {.urls = 2});
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_TRUE(*changed);
  const std::string index = test::read_file(dir / "sitemap.xml");
  for (const std::string_view name :
       {"sitemap-pages-1.xml", "sitemap-pages-2.xml", "sitemap-pages-3.xml", "sitemap-scp.xml"})
    EXPECT_TRUE(index.contains(fmt::format("<loc>https://example.com/{}</loc>", name)) &&
                fs::exists(dir / name))
        << name;
  EXPECT_TRUE(test::read_file(dir / "sitemap-pages-3.xml").contains("<loc>https://example.com/4</loc>"));
  const auto again = list_pages(*target, *config, advertised, pages, ElementsThere::current, {.urls = 2});
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
}

// Elements and pages in one upload, in both modes.
TEST(PublishOwnSitemap, ARunUploadsItOnce) {
  for (const bool separate : {false, true}) {
    PublishedSite site;
    const test::TempDir dir;
    dir.write("log", "");
    site.on_config([&](PublishConfig& config) {
      config.delivery.to = objects::CommandSettings{
          {"sh", "-c", "echo \"$1\" >> \"$0\"", (dir / "log").string(), "{name}"}, {}};
      if (separate) use_separate(config);
    });
    for (const std::string text : {"One", "Two", "Three"}) {
      site.write("a.html", text);
      dir.write("log", "");
      site.run();
      const std::string log = test::read_file(dir / "log");
      const std::size_t first = log.find("sitemap.xml\n");
      EXPECT_NE(first, std::string::npos) << log;
      EXPECT_EQ(log.find("sitemap.xml\n", first + 1), std::string::npos) << log;
      EXPECT_EQ(log.contains("sitemap-scp.xml"), separate) << log;
    }
    EXPECT_TRUE(site.sitemap().contains("<loc>https://example.com/a.html</loc>"));
    EXPECT_EQ(site.sitemap().contains("scp:collection"), !separate);
  }
}

TEST(PublishSitemapOrder, TheNewestCollectionsComeFirst) {
  PublishedSite site;
  for (const std::string text : {"One", "Two", "Three"}) {
    site.write("a.html", text);
    site.run();
  }
  const std::string sitemap = site.sitemap();
  std::vector<std::string> times;
  for (std::size_t at = sitemap.find("<scp:delta"); at != std::string::npos;
       at = sitemap.find("<scp:delta", at + 1)) {
    const std::size_t value = sitemap.find("generated=\"", at) + 11;
    times.push_back(sitemap.substr(value, sitemap.find('"', value) - value));
  }
  ASSERT_EQ(times.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(times, std::greater<>()));
  EXPECT_LT(sitemap.find("<scp:collection"), sitemap.find("<scp:delta"));
}

TEST(PublishSitemapMode, TheSettingIsChecked) {
  const std::string start = "base = \"https://example.com\"\nout = \"scp\"\n";
  const std::string end =
      "\n[[section]]\nname = \"a\"\n[[section.source]]\ntype = \"html\"\nfolder = \"public\"\n";
  const auto separate = parse_config(start + "sitemap_mode = \"separate\"" + end, "sheaf.toml");
  ASSERT_TRUE(separate) << separate.error().message;
  EXPECT_EQ(separate->sitemap_mode, SitemapMode::separate);
  const auto plain = parse_config(start + "sitemap_mode = \"inline\"" + end, "sheaf.toml");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->sitemap_mode, SitemapMode::inline_elements);
  const auto wrong = parse_config(start + "sitemap_mode = \"beside\"" + end, "sheaf.toml");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "sheaf.toml:3: `sitemap_mode` must be \"inline\" or \"separate\"");
}

TEST(PublishSitemapMode, InitChoosesByWhatIsThere) {
  test::TempDir dir;
  dir.write("index.html", "<title>Home</title>");
  const auto without = inspect_project(dir.path());
  ASSERT_TRUE(without);
  EXPECT_TRUE(draft_config(*without).contains("\nsitemap_mode = \"inline\""));
  dir.write("sitemap.xml", kForeignSitemap);
  const auto with = inspect_project(dir.path());
  ASSERT_TRUE(with);
  EXPECT_TRUE(draft_config(*with).contains("\nsitemap_mode = \"separate\""));
}

}  // namespace
}  // namespace sheaf::publish
