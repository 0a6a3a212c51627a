// Whole runs, on folders of pages.
#include "publish/published_site.h"
#include "sheaf/publish/catalog.h"
#include "support/collection_text.h"
#include "support/reading.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

TEST(Publish, FirstASnapshotThenADeltaThenNothing) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b/index.html", "Two");
  const PublishSectionReport first = site.run();
  EXPECT_EQ(first.added, 2U);
  ASSERT_EQ(first.written.size(), 2U);
  EXPECT_EQ(first.written[0].name.type, model::CollectionType::snapshot);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"a.html", "b/"}));

  site.write("a.html", "Another");
  site.remove("b/index.html");
  site.write("c.html", "Three");
  const PublishSectionReport second = site.run();
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
  const PublishSectionReport third = site.run();
  EXPECT_FALSE(third.has_changes());
  EXPECT_EQ(third.unchanged, 2U);
  EXPECT_TRUE(third.written.empty());
  EXPECT_EQ(site.files(), files);
  EXPECT_EQ(site.sitemap(), sitemap);
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, NoiseIsNotAChange) {
  PublishedSite site;
  site.write("a.html", "One", "<link rel=stylesheet href=style.1234.css>");
  site.run();
  site.write("a.html", "One", "<link rel=stylesheet href=style.9876.css><!-- built at noon -->");
  const PublishSectionReport again = site.run();
  EXPECT_FALSE(again.has_changes());
  // The next run need not even read it.
  EXPECT_FALSE(site.run().has_changes());
}

TEST(Publish, SnapshotsByScheduleHaveTheirDelta) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  auto reader = site.reader();
  reader.update();
  site.write("a.html", "Two");
  site.pass(24 * kHour);
  const PublishSectionReport report = site.run();
  ASSERT_EQ(report.written.size(), 4U);
  EXPECT_EQ(report.written[0].name.type, model::CollectionType::delta);
  EXPECT_EQ(report.written[2].name.type, model::CollectionType::snapshot);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot()) << "who was up to date needs no snapshot";
  auto newcomer = site.reader();
  newcomer.update();
  EXPECT_EQ(newcomer.faults(), std::vector<std::string>{});
  EXPECT_EQ(urls(newcomer), urls(reader));
  // Nothing changed: another snapshot would be downloaded for nothing.
  site.pass(24 * kHour);
  EXPECT_TRUE(site.run().written.empty());
}

TEST(Publish, ASnapshotOnRequest) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  PublishOptions options;
  options.snapshot = true;
  const PublishSectionReport report = site.run(options);
  ASSERT_EQ(report.written.size(), 4U);
  EXPECT_EQ(report.written[0].pages, 0U) << "an empty delta leads to it";
  EXPECT_EQ(report.written[2].name.type, model::CollectionType::snapshot);
}

TEST(Publish, ThePromiseOfASnapshotIsRenewed) {
  PublishedSite site;
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

TEST(Publish, APageThatReturnsHasALaterTime) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  auto reader = site.reader();
  reader.update();
  const Instant before = reader.pages().at("https://example.com/b.html").modified;
  site.remove("b.html");
  site.run();
  reader.update();
  site.write("b.html", "Two");
  EXPECT_EQ(site.run().added, 1U);
  reader.update();
  EXPECT_GT(reader.pages().at("https://example.com/b.html").modified, before);
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, ItemsThatNoSourceHasAreForgotten) {
  PublishedSite site;
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

TEST(Publish, ADryRunSaysWhatItsCollectionSaves) {
  PublishedSite site;
  const auto size_of = [&site](const char* name) {
    return std::filesystem::file_size(site.public_folder() / name);
  };
  for (const char* name : {"a.html", "b.html", "c.html"}) site.write(name, name);
  PublishOptions dry;
  dry.dry_run = true;
  const auto first = site.run(dry).saving;
  ASSERT_TRUE(first);
  EXPECT_EQ(first->html_bytes, size_of("a.html") + size_of("b.html") + size_of("c.html"));
  const auto written = site.run();
  EXPECT_FALSE(written.saving);
  EXPECT_LT(first->compressed_bytes, written.written.front().bytes) << "without the metadata line";
  EXPECT_GT(first->compressed_bytes * 3, written.written.front().bytes);
  EXPECT_FALSE(site.run(dry).saving) << "nothing would be written";
  site.write("b.html", "Another text");
  const auto second = site.run(dry).saving;
  ASSERT_TRUE(second);
  EXPECT_EQ(second->html_bytes, size_of("b.html"));
  EXPECT_LT(second->compressed_bytes, first->compressed_bytes);
  // The HTML of this page is not known.
  site.put(
      "pages.jsonl",
      R"({"url":"https://example.com/d","title":"D","description":"D","modified":"2026-12-01T00:00:00Z",)"
      R"("language":"en","content":[{"type":"text","text":"D"}]})");
  site.on_config([&site](PublishConfig& config) {
    auto& sources = config.sections.front().sources;
    sources.push_back(sources.front());
    sources.back().kind = SourceKind::jsonl;
    sources.back().file = (site.public_folder() / "pages.jsonl").string();
  });
  const auto mixed = site.run(dry);
  EXPECT_EQ(mixed.added, 1U);
  EXPECT_FALSE(mixed.saving);
}

TEST(Publish, AShrinkIsHeldBack) {
  PublishedSite site;
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

TEST(Publish, ASiteIsNotEmptied) {
  PublishedSite site;
  for (int i = 0; i < 4; ++i) site.write("p" + std::to_string(i) + ".html", "Page " + std::to_string(i));
  site.run();
  const std::string sitemap = site.sitemap();
  const auto refusal = [&](const PublishOptions& options) {
    const auto report = site.publish(options);
    EXPECT_FALSE(report);
    if (report) return std::string();
    EXPECT_EQ(report.error().code, base::Errc::refused);
    EXPECT_EQ(site.sitemap(), sitemap);
    return report.error().message;
  };
  // The build failed, but left an error page.
  for (int i = 0; i < 4; ++i) site.remove("p" + std::to_string(i) + ".html");
  site.write("404.html", "Not found");
  EXPECT_EQ(
      refusal({}),
      "section site would lose 4 of its 4 pages (is the site built?); to confirm this, use --allow-shrink");
  site.remove("404.html");
  PublishOptions dry;
  dry.dry_run = true;
  for (const PublishOptions& options : {PublishOptions(), dry})
    EXPECT_TRUE(
        refusal(options).ends_with("had pages in an earlier run and has none now: is the site built? To "
                                   "confirm this, use --allow-shrink"))
        << refusal(options);
  PublishOptions options;
  options.shrink = format::Shrink::allow;
  EXPECT_EQ(site.run(options).removed, 4U);
  EXPECT_EQ(site.run().pages, 0U) << "it was confirmed";
}

TEST(Publish, ASourceThatIsEmptyNowIsAnError) {
  PublishedSite site;
  for (int i = 0; i < 4; ++i) site.write("p" + std::to_string(i) + ".html", "Page " + std::to_string(i));
  site.write("docs/a.html", "Docs");
  site.on_config([](PublishConfig& config) {
    auto& sources = config.sections.front().sources;
    sources.push_back(sources.front());
    sources[0].exclude.emplace_back("docs");
    sources[1].folder /= "docs";
    sources[1].path = "docs/";
  });
  site.run();
  site.remove("docs/a.html");
  const auto report = site.publish();
  ASSERT_FALSE(report) << "one of five pages is gone, but it was all of its source";
  EXPECT_EQ(report.error().code, base::Errc::refused);
  EXPECT_NE(report.error().message.find("docs had pages in an earlier run"), std::string::npos)
      << report.error().message;
}

TEST(Publish, ARunThatSkipsEveryPageFails) {
  PublishedSite site;
  site.write("a.html", "One", "<meta name=robots content=noindex>");
  site.write("b.html", "Two", "<meta name=robots content=noindex>");
  const auto report = site.publish();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, base::Errc::refused);
  EXPECT_EQ(report.error().message,
            "there is nothing to publish, because every page was skipped: 2 noindex (a.html)");
  EXPECT_FALSE(fs::exists(site.public_folder() / "sitemap.xml"));
}

TEST(Publish, ASectionThatIsRenamedTellsClientsSo) {
  PublishedSite site;
  std::string section = "blog";
  site.on_config([&](PublishConfig& config) { config.sections.front().name = section; });
  for (int i = 0; i < 6; ++i) site.write("p" + std::to_string(i) + ".html", "Page " + std::to_string(i));
  site.run();
  test::SiteReader blog(site.public_folder() / "sitemap.xml", site.collections(), "blog");
  blog.update();
  EXPECT_EQ(blog.pages().size(), 6U);
  section = "news";
  site.pass(kDay);
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->sections.size(), 2U);
  EXPECT_EQ(report->sections[1].section, "blog");
  EXPECT_EQ(report->sections[1].removed, 6U);
  blog.update();
  EXPECT_EQ(blog.pages().size(), 0U);
  test::SiteReader news(site.public_folder() / "sitemap.xml", site.collections(), "news");
  news.update();
  EXPECT_EQ(news.pages().size(), 6U);
  // It stays listed as long as deltas are kept, and costs nothing.
  site.pass(29 * kDay);
  EXPECT_EQ(site.publish()->sections.size(), 1U);
  EXPECT_NE(site.sitemap().find("section=\"blog\""), std::string::npos);
  blog.update();
  EXPECT_EQ(blog.faults(), std::vector<std::string>{});
  site.pass(2 * kDay);
  ASSERT_TRUE(site.publish());
  EXPECT_EQ(site.sitemap().find("blog"), std::string::npos);
  for (const std::string& file : site.files()) EXPECT_TRUE(file.starts_with("news-")) << file;
  // It may come back.
  section = "blog";
  site.run();
  blog.update();
  EXPECT_EQ(blog.pages().size(), 6U);
  EXPECT_EQ(blog.faults(), std::vector<std::string>{});
}

TEST(Publish, ASectionIsDroppedOnlyIfItsPagesAreElsewhere) {
  PublishedSite site;
  site.write("blog/a.html", "One");
  site.write("docs/b.html", "Two");
  bool has_docs = true;
  site.on_config([&](PublishConfig& config) {
    SectionConfig docs = config.sections.front();
    config.sections.front().sources.front().include = {"blog/**"};
    docs.name = "docs";
    docs.sources.front().include = {"docs/**"};
    if (has_docs) config.sections.push_back(docs);
  });
  site.run();
  has_docs = false;
  const auto report = site.publish();
  ASSERT_FALSE(report);
  EXPECT_EQ(
      report.error().message,
      "section docs is not configured any more, and 1 of its 1 pages are in no other section; to confirm "
      "this, use --allow-shrink");
  PublishOptions options;
  options.shrink = format::Shrink::allow;
  ASSERT_TRUE(site.publish(options));
  test::SiteReader docs(site.public_folder() / "sitemap.xml", site.collections(), "docs");
  docs.update();
  EXPECT_EQ(docs.pages().size(), 0U);
  EXPECT_TRUE(site.publish());
}

TEST(Publish, ADryRunWritesNothing) {
  PublishedSite site;
  site.write("a.html", "One");
  PublishOptions options;
  options.dry_run = true;
  const PublishSectionReport first = site.run(options);
  EXPECT_EQ(first.added, 1U);
  EXPECT_FALSE(fs::exists(site.public_folder() / "sitemap.xml"));
  EXPECT_FALSE(fs::exists(site.collections()));
  EXPECT_FALSE(fs::exists(site.state()));
  site.run();
  const auto files = site.files();
  site.write("a.html", "Two");
  const PublishSectionReport second = site.run(options);
  EXPECT_EQ(second.changed, 1U);
  EXPECT_EQ(second.changed_urls, std::vector<std::string>{"https://example.com/a.html"});
  EXPECT_EQ(site.files(), files);
  EXPECT_EQ(site.run().changed, 1U) << "the dry run must not have been remembered";
}

TEST(Publish, ADryRunNeedsNoSpace) {
  PublishedSite site;
  std::string words;
  for (int i = 0; i < 40'000; ++i) words += std::to_string(i * 7919) + " ";
  for (int i = 0; i < 8; ++i) site.write("p" + std::to_string(i) + ".html", words);
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  setenv("TMPDIR", (site.public_folder() / "no" / "such").c_str(), 1);
  PublishOptions options;
  options.dry_run = true;
  for (const bool published : {false, true}) {
    if (published) site.run();
    options.snapshot = published;
    const auto report = site.publish(options);
    EXPECT_TRUE(report) << report.error().message;
    if (report) EXPECT_EQ(report->sections.front().pages, 8U);
  }
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", saved.c_str(), 1);
}

TEST(Publish, APageThatCompressesTooWellDoesNotStopItsSection) {
  PublishedSite site;
  site.write("a.html", "One");
  std::string words = "<!doctype html><html lang=en><title>Words</title><main><h1>Words</h1><p>";
  while (words.size() < 2'500'000) words += "word ";
  site.put("words.html", words + "</p></main>");
  EXPECT_EQ(site.run().pages, 2U);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.pages().size(), 2U);
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(Publish, ALostCatalogIsMadeAgainFromWhatIsPublished) {
  PublishedSite site;
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
  const PublishSectionReport next = site.run();
  EXPECT_EQ(next.changed, 1U);
  ASSERT_FALSE(next.written.empty());
  EXPECT_EQ(next.written[0].name.type, model::CollectionType::delta);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot());
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  EXPECT_TRUE(reader.pages().at("https://example.com/c.html").text.starts_with("Four"));
}

// A client does not accept a page whose `modified` is not later, so it keeps the previous version.
TEST(Publish, ARecoveredCatalogHasWhatClientsHave) {
  PublishedSite site;
  site.on_config([](PublishConfig& config) { config.codecs = {format::Codec::zstd}; });
  site.write("a.html", "One");
  site.run();
  const test::Reading first = test::read_text(test::read_file(site.collections() / site.files().front()));
  site.write("a.html", "Two");
  const PublishSectionReport changed = site.run();
  ASSERT_EQ(changed.written.size(), 1U);
  const fs::path file = site.collections() / to_string(changed.written.front().name);
  const test::Reading second = test::read_text(test::read_file(file));
  std::string line = second.raw.front();
  const auto modified_in = [](const std::string& page) {
    return page.substr(page.find(R"("modified":)"),
                       std::string_view(R"("modified":"2026-01-01T00:00:00Z")").size());
  };
  line.replace(line.find(R"("modified":)"), modified_in(line).size(), modified_in(first.raw.front()));
  test::HeadText head;
  head.section = "site";
  head.type = "delta";
  head.generated = second.head->generated;
  head.since = *second.head->since;
  std::ofstream(file, std::ios::binary)
      << test::compress(format::Codec::zstd, test::with_checksum(head.str() + "\n" + line + "\n"));

  site.forget();
  EXPECT_EQ(site.run().changed, 1U) << "clients still have the first version";
}

TEST(Publish, TheWholeSiteAsASectionOfItsOwn) {
  PublishedSite site;
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
  PublishedSite site;
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
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.pages, 1U);
  EXPECT_EQ(skipped(report, SkipReason::duplicate), 1U);
  EXPECT_EQ(skipped(report, SkipReason::no_address), 1U);
  EXPECT_EQ(skipped(report, SkipReason::refused), 1U);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.pages().at("https://example.com/1").text, "One");
}

/// The pages in the newest collection, as JSON.
std::string published_lines(const PublishedSite& site) {
  std::filesystem::path newest;
  for (const auto& entry : std::filesystem::directory_iterator(site.collections()))
    if (entry.path().extension() == ".gz" &&
        (newest.empty() || entry.last_write_time() >= std::filesystem::last_write_time(newest)))
      newest = entry.path();
  std::string lines;
  for (const std::string& line : test::read_text(test::read_file(newest)).raw) lines += line + "\n";
  return lines;
}

// Readings, "Older drafts": publish writes structured blocks only on request, because draft 3 dropped them.
TEST(SpecPublish, StructuredBlocksOnlyOnRequest) {
  PublishedSite site;
  site.put(
      "pages.jsonl",
      R"({"url":"https://example.com/1","title":"1","description":"d","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"structured","format":"json-ld","data":{}},{"type":"text","text":"One"}]})"
      "\n");
  bool wanted = false;
  site.on_config([&](PublishConfig& config) {
    SourceConfig source;
    source.kind = SourceKind::jsonl;
    source.file = (site.public_folder() / "pages.jsonl").string();
    source.structured = wanted;
    config.sections.front().sources = {source};
  });
  EXPECT_EQ(site.run().pages, 1U);
  EXPECT_FALSE(published_lines(site).contains("structured"));
  wanted = true;
  EXPECT_EQ(site.run().pages, 1U);
  EXPECT_TRUE(published_lines(site).contains(R"({"type":"structured","format":"json-ld","data":{}})"));
}

// HTML may have what pages of a collection may not: other robots directives, data URLs in JSON-LD.
TEST(SheafOnlyPublish, ExtractedPagesHaveOnlyWhatStrictReadersAccept) {
  PublishedSite site;
  site.write("a.html", "One",
             R"(<meta name=robots content="nofollow, max-image-preview:large">)"
             R"(<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article",)"
             R"("name":"a","image":"data:image/gif;base64,R0","url":"javascript:x"}</script>)");
  EXPECT_EQ(site.run().pages, 1U);
  const std::string lines = published_lines(site);
  EXPECT_TRUE(lines.contains(R"("schema":{"@context":"https://schema.org","@type":"Article","name":"a"})"))
      << lines;
  EXPECT_TRUE(lines.contains(R"("robots":["nofollow"])")) << lines;
}

TEST(Publish, ASourceThatFailsPublishesNothing) {
  PublishedSite site;
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

}  // namespace
}  // namespace sheaf::publish
