// Whole runs, on folders of pages.
#include "publish/site_reader.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/publisher.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kHour = 3600;

/// A site in a temporary folder, its clock in our hands.
class Site {
 public:
  Site() { fs::create_directories(public_folder()); }

  [[nodiscard]] fs::path public_folder() const { return dir_ / "public"; }
  [[nodiscard]] fs::path collections() const { return public_folder() / "scp"; }

  void write(const std::string& name, std::string_view text, std::string_view head = "") {
    put(name,
        std::string("<!doctype html><html lang=en><title>") + name + "</title>" + std::string(head) +
            "<main><h1>" + name + "</h1><p>" + std::string(text) +
            " is what this page says, in a sentence that is long enough to be taken for one.</p></main>");
  }
  void put(const std::string& name, std::string_view bytes) {
    fs::create_directories((public_folder() / name).parent_path());
    dir_.write("public/" + name, bytes);
  }
  void remove(const std::string& name) { fs::remove(public_folder() / name); }

  base::Result<PublishReport> publish(PublishOptions options = {}) {
    now_ += kHour;
    options.now = {now_, 0};
    options.threads = 2;
    auto config = config_for_folder(public_folder(), "https://example.com", collections(), "site");
    if (change_) change_(*config);
    return publish::publish(*config, options);
  }
  /// A run that has to succeed.
  SectionReport run(PublishOptions options = {}) {
    const auto report = publish(std::move(options));
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->sections.front() : SectionReport();
  }

  void on_config(std::function<void(PublishConfig&)> change) { change_ = std::move(change); }
  void pass(std::int64_t seconds) { now_ += seconds; }
  void forget() { fs::remove_all(dir_ / "public.sheaf"); }
  [[nodiscard]] fs::path state() const { return dir_ / "public.sheaf"; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(collections())) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] std::string sitemap() const { return test::read_file(public_folder() / "sitemap.xml"); }
  [[nodiscard]] test::SiteReader reader() const {
    return {public_folder() / "sitemap.xml", collections(), "site"};
  }

 private:
  test::TempDir dir_;
  std::int64_t now_ = 1'800'000'000;
  std::function<void(PublishConfig&)> change_;
};

std::vector<std::string> urls(const test::SiteReader& reader) {
  std::vector<std::string> found;
  for (const auto& [url, page] : reader.pages())
    found.push_back(url.substr(std::string("https://example.com/").size()));
  return found;
}

std::uint64_t left_out(const SectionReport& report, LeftOut reason) {
  const auto found = std::ranges::find(report.left_out, reason, &SectionReport::Omission::reason);
  return found == report.left_out.end() ? 0 : found->count;
}

TEST(Publish, FirstASnapshotThenADeltaThenNothing) {
  Site site;
  site.write("a.html", "One");
  site.write("b/index.html", "Two");
  const SectionReport first = site.run();
  EXPECT_EQ(first.added, 2U);
  ASSERT_EQ(first.written.size(), 2U);
  EXPECT_EQ(first.written[0].name.type, model::CollectionType::snapshot);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "b/"}));

  site.write("a.html", "Another");
  site.remove("b/index.html");
  site.write("c.html", "Three");
  const SectionReport second = site.run();
  EXPECT_EQ(second.added, 1U);
  EXPECT_EQ(second.changed, 1U);
  EXPECT_EQ(second.removed, 1U);
  ASSERT_EQ(second.written.size(), 2U);
  EXPECT_EQ(second.written[0].name.type, model::CollectionType::delta);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot());
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "c.html"}));
  EXPECT_TRUE(reader.pages().at("https://example.com/a.html").text.starts_with("Another"));

  const std::string sitemap = site.sitemap();
  const auto files = site.files();
  const SectionReport third = site.run();
  EXPECT_FALSE(third.has_changes());
  EXPECT_EQ(third.unchanged, 2U);
  EXPECT_TRUE(third.written.empty());
  EXPECT_EQ(site.files(), files);
  EXPECT_EQ(site.sitemap(), sitemap);
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, NoiseIsNoChange) {
  Site site;
  site.write("a.html", "One", "<link rel=stylesheet href=style.1234.css>");
  site.run();
  site.write("a.html", "One", "<link rel=stylesheet href=style.9876.css><!-- built at noon -->");
  const SectionReport again = site.run();
  EXPECT_FALSE(again.has_changes());
  // The next run need not even read it.
  EXPECT_FALSE(site.run().has_changes());
}

TEST(Publish, SnapshotsByScheduleHaveTheirDelta) {
  Site site;
  site.write("a.html", "One");
  site.run();
  auto reader = site.reader();
  reader.update();
  site.write("a.html", "Two");
  site.pass(24 * kHour);
  const SectionReport report = site.run();
  ASSERT_EQ(report.written.size(), 4U);
  EXPECT_EQ(report.written[0].name.type, model::CollectionType::delta);
  EXPECT_EQ(report.written[2].name.type, model::CollectionType::snapshot);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot()) << "who was up to date needs no snapshot";
  auto newcomer = site.reader();
  newcomer.update();
  EXPECT_EQ(newcomer.faults(), std::vector<std::string>{});
  EXPECT_EQ(urls(newcomer), urls(reader));
  // Nothing changed since: another would only be downloaded for nothing.
  site.pass(24 * kHour);
  EXPECT_TRUE(site.run().written.empty());
}

TEST(Publish, ASnapshotOnRequest) {
  Site site;
  site.write("a.html", "One");
  site.run();
  PublishOptions options;
  options.snapshot = true;
  const SectionReport report = site.run(options);
  ASSERT_EQ(report.written.size(), 4U);
  EXPECT_EQ(report.written[0].pages, 0U) << "an empty delta leads to it";
  EXPECT_EQ(report.written[2].name.type, model::CollectionType::snapshot);
}

TEST(Publish, ThePromiseOfASnapshotIsRenewed) {
  Site site;
  site.write("a.html", "One");
  site.run();
  const std::string before = site.sitemap();
  site.pass(40 * kHour);
  site.run();
  EXPECT_NE(site.sitemap(), before);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, WhatIsLeftOutAndWhy) {
  Site site;
  site.write("good.html", "Good");
  site.write("noindex.html", "Secret", "<meta name=robots content=noindex>");
  site.write("future.html", "Soon", "<meta property=article:published_time content=2099-01-01>");
  site.put("moved.html",
           "<!doctype html><title>Moved</title><meta http-equiv=refresh content='0; url=/good.html'>");
  site.write("404.html", "Not here");
  site.write("posts/404.html", "A post by that number");
  site.write("copy.html", "Copy", "<link rel=canonical href=/good.html>");
  site.write("guest.html", "Guest", "<link rel=canonical href=https://example.org/original>");
  site.write("private/page.html", "Private");
  site.put("empty.html", "");
  site.put("robots.txt", "User-agent: *\nDisallow: /private/\nSitemap: https://example.com/sitemap.xml\n");
  const SectionReport report = site.run();
  EXPECT_EQ(report.pages, 2U);
  for (const LeftOut reason :
       {LeftOut::noindex, LeftOut::future, LeftOut::redirect, LeftOut::error_page, LeftOut::duplicate,
        LeftOut::canonical_elsewhere, LeftOut::robots_disallowed, LeftOut::no_content})
    EXPECT_EQ(left_out(report, reason), 1U) << to_string(reason);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"good.html", "posts/404.html"}));
  // Known reasons are known again, without reading.
  EXPECT_EQ(left_out(site.run(), LeftOut::noindex), 1U);
}

TEST(Publish, RobotsTxtThatChangesTakesPagesAway) {
  Site site;
  site.write("private/page.html", "Private");
  site.write("good.html", "Good");
  EXPECT_EQ(site.run().pages, 2U);
  site.put("robots.txt", "User-agent: *\nDisallow: /private/\n");
  const SectionReport report = site.run();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(left_out(report, LeftOut::robots_disallowed), 1U);
}

TEST(Publish, APageThatWasToComeComes) {
  Site site;
  site.write("good.html", "Good");
  site.write("soon.html", "Soon", "<meta property=article:published_time content=2027-01-15T12:00:00Z>");
  EXPECT_EQ(left_out(site.run(), LeftOut::future), 1U);
  site.pass(60 * 24 * kHour);
  EXPECT_EQ(site.run().added, 1U);
}

TEST(Publish, TheCanonicalAddressCounts) {
  Site site;
  site.write("about.html", "About", "<link rel=canonical href=https://www.example.com/about/>");
  site.on_config([](PublishConfig& config) { config.base = *base::Url::parse("https://www.example.com/"); });
  site.run();
  auto reader = site.reader();
  reader.update();
  EXPECT_TRUE(reader.pages().contains("https://www.example.com/about/"));
}

TEST(Publish, APageThatGoesAndComesBackIsLater) {
  Site site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  auto reader = site.reader();
  reader.update();
  const base::Instant before = reader.pages().at("https://example.com/b.html").modified;
  site.remove("b.html");
  site.run();
  reader.update();
  site.write("b.html", "Two");
  EXPECT_EQ(site.run().added, 1U);
  reader.update();
  EXPECT_GT(reader.pages().at("https://example.com/b.html").modified, before);
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, WhatNoSourceHasAnyMoreIsForgotten) {
  Site site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  const auto knows = [&site](std::string_view name) {
    const auto catalog = Catalog::open(site.state());
    const auto item = catalog->item("site", name);
    EXPECT_TRUE(item);
    return item && *item;
  };
  site.run();
  EXPECT_TRUE(knows("a.html"));
  EXPECT_TRUE(knows("b.html"));
  site.remove("b.html");
  PublishOptions dry;
  dry.dry_run = true;
  site.run(dry);
  EXPECT_TRUE(knows("b.html")) << "a dry run changes nothing";
  site.run();
  EXPECT_TRUE(knows("a.html"));
  EXPECT_FALSE(knows("b.html"));
  EXPECT_EQ(site.run().unchanged, 1U);
}

TEST(Publish, AShrinkIsHeldBack) {
  Site site;
  for (int i = 0; i < 30; ++i) site.write("p" + std::to_string(i) + ".html", "Page " + std::to_string(i));
  site.run();
  const auto files = site.files();
  const std::string sitemap = site.sitemap();
  for (int i = 0; i < 16; ++i) site.remove("p" + std::to_string(i) + ".html");
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_NE(refused.error().message.find("would lose 16 of its 30 pages"), std::string::npos);
  EXPECT_EQ(site.files(), files);
  EXPECT_EQ(site.sitemap(), sitemap);
  PublishOptions options;
  options.shrink = format::Shrink::allow;
  EXPECT_EQ(site.run(options).removed, 16U);
}

TEST(Publish, ADryRunWritesNothing) {
  Site site;
  site.write("a.html", "One");
  PublishOptions options;
  options.dry_run = true;
  const SectionReport first = site.run(options);
  EXPECT_EQ(first.added, 1U);
  EXPECT_FALSE(fs::exists(site.public_folder() / "sitemap.xml"));
  EXPECT_FALSE(fs::exists(site.collections()));
  EXPECT_FALSE(fs::exists(site.state()));
  site.run();
  const auto files = site.files();
  site.write("a.html", "Two");
  const SectionReport second = site.run(options);
  EXPECT_EQ(second.changed, 1U);
  EXPECT_EQ(second.changed_urls, std::vector<std::string>{"https://example.com/a.html"});
  EXPECT_EQ(site.files(), files);
  EXPECT_EQ(site.run().changed, 1U) << "the dry run must not have been remembered";
}

TEST(Publish, OldFilesGoAndOthersStay) {
  Site site;
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

TEST(Publish, ALostCatalogIsMadeAgainFromWhatIsPublished) {
  Site site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  site.write("a.html", "Changed");
  site.remove("b.html");
  site.write("c.html", "Three");
  site.run();
  auto reader = site.reader();
  reader.update();
  const std::string sitemap = site.sitemap();
  site.forget();
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->recovered);
  EXPECT_FALSE(report->has_changes());
  EXPECT_EQ(site.sitemap(), sitemap);
  site.forget();
  site.write("c.html", "Four");
  const SectionReport next = site.run();
  EXPECT_EQ(next.changed, 1U);
  ASSERT_FALSE(next.written.empty());
  EXPECT_EQ(next.written[0].name.type, model::CollectionType::delta);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot());
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  EXPECT_TRUE(reader.pages().at("https://example.com/c.html").text.starts_with("Four"));
}

TEST(Publish, TheWholeSiteAsASectionOfItsOwn) {
  Site site;
  site.write("blog/a.html", "One");
  site.write("docs/b.html", "Two");
  site.on_config([](PublishConfig& config) {
    SectionConfig docs = config.sections.front();
    config.sections.front().sources.front().include = {"blog/**"};
    docs.name = "docs";
    docs.sources.front().include = {"docs/**"};
    config.sections.push_back(docs);
    config.all = site::UpdateFreq::daily;
  });
  site.run();
  test::SiteReader all(site.public_folder() / "sitemap.xml", site.collections(), "all");
  all.update();
  EXPECT_EQ(urls(all), (std::vector<std::string>{"blog/a.html", "docs/b.html"}));
  site.write("docs/b.html", "Changed");
  site.run();
  all.update();
  EXPECT_FALSE(all.used_snapshot());
  EXPECT_TRUE(all.pages().at("https://example.com/docs/b.html").text.starts_with("Changed"));
  EXPECT_EQ(all.faults(), std::vector<std::string>{});
}

TEST(Publish, PagesAsJsonAndTwiceTheSame) {
  Site site;
  site.put(
      "pages.jsonl",
      R"({"url":"https://example.com/1","title":"1","description":"d","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"One"}]})"
      "\n"
      R"({"url":"https://example.com/1","title":"1","description":"d","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"Two"}]})"
      "\n"
      R"({"url":"https://elsewhere.example/","title":"1","description":"d","modified":"2026-01-01T00:00:00Z","language":"en","content":[]})"
      "\nnot json\n");
  site.on_config([&site](PublishConfig& config) {
    SourceConfig source;
    source.kind = SourceKind::jsonl;
    source.file = (site.public_folder() / "pages.jsonl").string();
    config.sections.front().sources = {source};
  });
  const SectionReport report = site.run();
  EXPECT_EQ(report.pages, 1U);
  EXPECT_EQ(left_out(report, LeftOut::duplicate), 1U);
  EXPECT_EQ(left_out(report, LeftOut::no_address), 1U);
  EXPECT_EQ(left_out(report, LeftOut::refused), 1U);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.pages().at("https://example.com/1").text, "One");
}

TEST(Publish, ASourceThatFailsPublishesNothing) {
  Site site;
  site.write("a.html", "One");
  site.run();
  const std::string sitemap = site.sitemap();
  site.on_config([](PublishConfig& config) {
    SourceConfig source;
    source.kind = SourceKind::jsonl;
    source.command = "exit 7";
    config.sections.front().sources.push_back(source);
  });
  const auto report = site.publish();
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("status 7"), std::string::npos) << report.error().message;
  EXPECT_EQ(site.sitemap(), sitemap);
  site.on_config({});
  EXPECT_FALSE(site.run().has_changes());
}

TEST(Publish, TheSitemapOfThePublisherStays) {
  Site site;
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
  Site site;
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

TEST(Publish, ASitemapThatCannotBeChangedIsSaid) {
  Site site;
  site.write("a.html", "One");
  site.put("sitemap.xml", "<urlset><url>");
  const auto report = site.publish();
  ASSERT_FALSE(report);
  // Mended, it goes on where it was.
  site.remove("sitemap.xml");
  const auto next = site.publish();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_TRUE(next->resumed);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

bool has_snapshot(const SectionReport& report) {
  return std::ranges::any_of(report.written, [](const PublishedFile& file) {
    return file.name.type == model::CollectionType::snapshot;
  });
}

TEST(Publish, ErrorPagesOfEachLanguageAreLeftOut) {
  Site site;
  site.write("good.html", "Good");
  for (const char* name : {"de/404.html", "pt-br/404/index.html"}) site.write(name, "Not here");
  for (const char* name : {"d2/404.html", "blog/404.html"}) site.write(name, "A page by that number");
  const SectionReport report = site.run();
  EXPECT_EQ(left_out(report, LeftOut::error_page), 2U);
  EXPECT_EQ(report.pages, 3U);
}

TEST(Publish, CollectionsOutsideOfTheSiteAreToldWhereToBeServed) {
  Site site;
  site.write("a.html", "One");
  const auto inside = site.publish();
  site.forget();
  auto config = config_for_folder(site.public_folder(), "https://example.com",
                                  site.public_folder().parent_path() / "elsewhere", "site");
  ASSERT_TRUE(config);
  const auto outside = publish::publish(*config, {});
  ASSERT_TRUE(inside && outside);
  const auto tells = [](const PublishReport& report) {
    return std::ranges::any_of(report.notes, [](const std::string& note) {
      return note.find(" as https://example.com/elsewhere/") != std::string::npos;
    });
  };
  EXPECT_FALSE(tells(*inside));
  EXPECT_TRUE(tells(*outside));
}

/// Every file that the sitemap names is there.
void expect_all_there(const Site& site) {
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

// Generators that clean their output folder take the collections with them.
TEST(Publish, CollectionsThatAreGoneAreWrittenAnew) {
  Site site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  auto reader = site.reader();
  reader.update();
  const auto before = reader.pages();
  site.write("b.html", "Two and a half");
  site.run();
  fs::remove_all(site.collections());
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->sections.front().unchanged, 2U);
  EXPECT_TRUE(has_snapshot(report->sections.front()));
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes.front().find("4 collections of section site are gone"), std::string::npos)
      << report->notes.front();
  expect_all_there(site);
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "b.html"}));
  EXPECT_EQ(reader.pages().at("https://example.com/a.html").modified,
            before.at("https://example.com/a.html").modified)
      << "what has not changed keeps its time";
  EXPECT_TRUE(site.run().written.empty()) << "once is enough";
}

TEST(Publish, CollectionsThatAreSentElsewhereAreNotMissedHere) {
  Site site;
  site.write("a.html", "One");
  site.run();
  fs::remove_all(site.collections());
  site.on_config([](PublishConfig& config) { config.delivery.to = CommandDelivery{{"true"}, {}}; });
  PublishOptions dry;
  dry.dry_run = true;
  const auto report = site.publish(dry);
  ASSERT_TRUE(report) << report.error().message;
  for (const std::string& note : report->notes) EXPECT_EQ(note.find("gone from"), std::string::npos) << note;
}

TEST(Publish, ACollectionThatIsNotAsPublishedIsReplaced) {
  Site site;
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

TEST(Publish, SelectorsOfTheUserSayWhatIsContent) {
  Site site;
  site.put(
      "a.html",
      "<!doctype html><html lang=en><title>A</title><body><div id=x>Short.<p class=ad>Buy!</p></div>"
      "<main><p>A paragraph of some length, which would be taken for the content of the page.</p></main>");
  site.run();
  auto reader = site.reader();
  reader.update();
  EXPECT_TRUE(reader.pages().at("https://example.com/a.html").text.starts_with("A paragraph"));
  site.on_config([](PublishConfig& config) {
    config.sections.front().sources.front().select = "#x";
    config.sections.front().sources.front().leave_out = ".ad";
  });
  EXPECT_EQ(site.run().changed, 1U) << "the same bytes mean another page now";
  reader.update();
  EXPECT_EQ(reader.pages().at("https://example.com/a.html").text, "Short.");
}

TEST(Publish, WhyASiteIsEmptyIsSaid) {
  Site site;
  const auto note_of = [&] {
    const auto report = site.publish();
    return report && !report->notes.empty() ? report->notes.front() : std::string();
  };
  EXPECT_NE(note_of().find("is the site built?"), std::string::npos);
  site.write("a.html", "One", "<link rel=canonical href=https://other.example/a.html>");
  EXPECT_NE(note_of().find("is the base right?"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::publish
