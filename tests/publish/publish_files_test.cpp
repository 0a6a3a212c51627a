// Files and sitemap over many runs.
#include "publish/published_site.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

TEST(Publish, OldFilesGoAndOthersStay) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.put("scp/notes.txt", "mine");
  site.put("scp/other-snapshot-20200101T000000Z.scp.zst", "not ours, though it looks so");
  for (int day = 0; day < 40; ++day) {
    site.write("a.html", "Text of day " + std::to_string(day));
    site.pass(24 * kHour);
    site.run();
  }
  const auto files = site.files();
  const auto count = [&files](std::string_view part) {
    return std::ranges::count_if(
        files, [part](const std::string& name) { return name.find(part) != std::string::npos; });
  };
  EXPECT_EQ(count("site-snapshot-"), 4);  // two, in two codecs
  EXPECT_GE(count("site-delta-"), 2 * 28);
  EXPECT_LE(count("site-delta-"), 2 * 30);
  EXPECT_EQ(count("notes.txt"), 1);
  EXPECT_EQ(count("other-snapshot"), 1);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, TheSitemapOfThePublisherStays) {
  PublishedSite site;
  site.write("a.html", "One");
  const std::string before =
      "<?xml version=\"1.0\"?>\n<!-- mine -->\n<urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
      "  <url><loc>https://example.com/a.html</loc></url>\n</urlset>\n";
  site.put("sitemap.xml", before);
  site.run();
  EXPECT_NE(site.sitemap().find("<!-- mine -->"), std::string::npos);
  EXPECT_NE(site.sitemap().find("  <url><loc>https://example.com/a.html</loc></url>\n"), std::string::npos);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), std::vector<std::string>{"a.html"});
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, AnIndexListsAFileOfOurs) {
  PublishedSite site;
  site.write("a.html", "One");
  site.put("sitemap.xml",
           "<?xml version=\"1.0\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
           "  <sitemap><loc>https://example.com/posts.xml</loc></sitemap>\n</sitemapindex>\n");
  site.run();
  EXPECT_NE(site.sitemap().find("https://example.com/sitemap-scp.xml"), std::string::npos);
  test::SiteReader reader(site.public_folder() / "sitemap-scp.xml", site.collections(), "site");
  reader.update();
  EXPECT_EQ(urls(reader), std::vector<std::string>{"a.html"});
  const std::string index = site.sitemap();
  site.run();
  EXPECT_EQ(site.sitemap(), index);
}

TEST(Publish, ASitemapThatCannotBeChangedIsReported) {
  PublishedSite site;
  site.write("a.html", "One");
  site.put("sitemap.xml", "<urlset><url>");
  const auto report = site.publish();
  ASSERT_FALSE(report);
  // After the repair it continues.
  site.remove("sitemap.xml");
  const auto next = site.publish();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_TRUE(next->resumed);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

bool has_snapshot(const PublishSectionReport& report) {
  return std::ranges::any_of(report.written, [](const PublishedFile& file) {
    return file.name.type == model::CollectionType::snapshot;
  });
}

TEST(Publish, CollectionsOutsideTheSiteGetAdviceOnServingThem) {
  PublishedSite site;
  site.write("a.html", "One");
  const auto inside = site.publish();
  site.forget();
  auto config = config_for_folder(site.public_folder(), "https://example.com",
                                  site.public_folder().parent_path() / "elsewhere", "site");
  ASSERT_TRUE(config);
  PublishOptions options;
  options.now = {1'800'000'000, 0};
  const auto outside = publish::publish(*config, options);
  ASSERT_TRUE(inside && outside);
  const auto tells = [](const PublishReport& report) {
    return std::ranges::any_of(report.steps, [](const std::string& step) {
      return step.find(" as https://example.com/elsewhere/") != std::string::npos;
    });
  };
  EXPECT_FALSE(tells(*inside));
  EXPECT_TRUE(tells(*outside));
}

/// Every file that the sitemap names is there.
void expect_all_there(const PublishedSite& site) {
  const std::string sitemap = site.sitemap();
  std::size_t named = 0;
  for (std::size_t at = sitemap.find("url=\""); at != std::string::npos;
       at = sitemap.find("url=\"", at + 1)) {
    const std::string url = sitemap.substr(at + 5, sitemap.find('"', at + 5) - at - 5);
    EXPECT_TRUE(fs::exists(site.collections() / url.substr(url.rfind('/') + 1))) << url;
    ++named;
  }
  EXPECT_GT(named, 0U);
}

// Generators that clean their output folder delete the collections.
TEST(Publish, DeletedCollectionsArePutBack) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.write("a.html", "Two");
  site.run();
  const auto before = site.files();
  ASSERT_EQ(before.size(), 4U);
  fs::remove_all(site.collections());
  PublishOptions dry;
  dry.dry_run = true;
  ASSERT_TRUE(site.publish(dry));
  EXPECT_FALSE(fs::exists(site.collections() / before.front())) << "a dry run changes nothing";
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->restored, 4U);
  EXPECT_TRUE(report->sections.front().written.empty());
  EXPECT_EQ(site.files(), before);
  fs::remove_all(site.collections());
  site.write("a.html", "Three");
  EXPECT_FALSE(has_snapshot(site.run())) << "a delta is enough";
  EXPECT_EQ(site.files().size(), 6U);
  expect_all_there(site);
}

TEST(Publish, OnlyPublishedCollectionsAreKept) {
  PublishedSite site;
  site.on_config([](PublishConfig& config) { config.retention.snapshots = 1; });
  PublishOptions options;
  options.snapshot = true;
  for (const std::string text : {"One", "Two", "Three"}) {
    site.write("a.html", text);
    site.run(options);
  }
  std::vector<std::string> kept;
  for (const auto& entry : fs::directory_iterator(site.state() / "collections"))
    kept.push_back(entry.path().filename());
  std::ranges::sort(kept);
  EXPECT_EQ(kept, site.files());
}

TEST(Publish, MissingCollectionsAreWrittenAgain) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  auto reader = site.reader();
  reader.update();
  const auto before = reader.pages();
  site.write("b.html", "Two and a half");
  site.run();
  fs::remove_all(site.collections());
  fs::remove_all(site.state() / "collections");
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->restored, 0U);
  EXPECT_EQ(report->sections.front().unchanged, 2U);
  EXPECT_TRUE(has_snapshot(report->sections.front()));
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes.front().find("4 collections of section site are missing"), std::string::npos)
      << report->notes.front();
  expect_all_there(site);
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "b.html"}));
  EXPECT_EQ(reader.pages().at("https://example.com/a.html").modified,
            before.at("https://example.com/a.html").modified)
      << "what has not changed keeps its time";
  EXPECT_TRUE(site.run().written.empty()) << "once is enough";
}

TEST(Publish, CollectionsSentElsewhereAreNotMissing) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  fs::remove_all(site.collections());
  site.on_config([](PublishConfig& config) { config.delivery.to = objects::CommandSettings{{"true"}, {}}; });
  PublishOptions dry;
  dry.dry_run = true;
  const auto report = site.publish(dry);
  ASSERT_TRUE(report) << report.error().message;
  for (const std::string& note : report->notes)
    EXPECT_EQ(note.find("missing from"), std::string::npos) << note;
}

TEST(Publish, ACollectionThatIsNotAsPublishedIsReplaced) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  for (int round = 0; round < 2; ++round) {
    site.write("a.html", "Text of round " + std::to_string(round));
    site.run();
  }
  const auto files = site.files();
  for (const std::string& name : files)
    if (name.find("delta") != std::string::npos) {
      fs::resize_file(site.collections() / name, 10);
      break;
    }
  EXPECT_TRUE(has_snapshot(site.run()));
  expect_all_there(site);
  auto reader = site.reader();
  reader.update();
  EXPECT_TRUE(reader.pages().at("https://example.com/a.html").text.starts_with("Text of round 1"));
}

TEST(Publish, FilesHaveTheTimeTheyWereGenerated) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.write("a.html", "Two");
  site.run();
  ASSERT_EQ(site.files().size(), 4U);
  for (const std::string& name : site.files()) {
    struct stat status{};
    ASSERT_EQ(stat((site.collections() / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mtim.tv_sec, parse_collection_name(name)->generated.seconds) << name;
  }
}

TEST(Publish, PlainCollectionsAreFollowedToo) {
  PublishedSite site;
  site.on_config([](PublishConfig& config) { config.codecs = {format::Codec::plain}; });
  site.write("a.html", "One");
  site.run();
  auto reader = site.reader();
  reader.update();
  site.write("a.html", "Two");
  const PublishSectionReport second = site.run();
  ASSERT_EQ(second.written.size(), 1U);
  EXPECT_TRUE(to_string(second.written[0].name).ends_with("Z.scp"));
  reader.update();
  EXPECT_FALSE(reader.used_snapshot());
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  EXPECT_FALSE(site.run().has_changes());
}

}  // namespace
}  // namespace sheaf::publish
