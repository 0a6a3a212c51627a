#include "published_site.h"

#include <map>
#include <string>
#include <vector>

// Wrong clocks and lost times.
namespace sheaf::publish {
namespace {

constexpr std::int64_t kFourYears = 4 * 365 * kDay;

Instant modified_of(const PublishedSite& site, const std::string& name) {
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  return reader.pages().at("https://example.com/" + name).modified;
}

bool has_note(const PublishReport& report, std::string_view text) {
  return std::ranges::any_of(report.notes,
                             [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(PublishClock, OneRunInTheFutureDoesNotSilenceTheSite) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  site.pass(kFourYears);
  site.write("a.html", "From the future");
  site.run();
  const std::vector<std::string> misdated = site.files();
  site.pass(-kFourYears);
  const Instant before = modified_of(site, "b.html");
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(has_note(*report, "lies in the future"));
  EXPECT_TRUE(has_note(*report, "1 page of section site had `modified` more than a month in the future"));
  const PublishSectionReport& section = report->sections.front();
  ASSERT_FALSE(section.written.empty());
  for (const PublishedFile& file : section.written) {
    EXPECT_EQ(file.name.type, model::CollectionType::snapshot);
    EXPECT_LT(file.name.generated.seconds, 1'800'000'000 + 10 * kHour);
  }
  EXPECT_EQ(section.changed, 1U) << "a.html gets a time of its own; b.html keeps its";
  for (const std::string& name : site.files())
    EXPECT_LT(parse_collection_name(name)->generated.seconds, 1'800'000'000 + 10 * kHour) << name;
  EXPECT_LT(modified_of(site, "a.html").seconds, 1'800'000'000 + 10 * kHour);
  EXPECT_EQ(modified_of(site, "b.html"), before);
  // From here on everything is unchanged.
  auto reader = site.reader();
  reader.update();
  site.write("a.html", "Later");
  const auto next = site.publish();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_FALSE(has_note(*next, "future"));
  EXPECT_EQ(next->sections.front().written.front().name.type, model::CollectionType::delta);
  reader.update();
  EXPECT_FALSE(reader.used_snapshot());
  EXPECT_TRUE(reader.pages().at("https://example.com/a.html").text.starts_with("Later"));
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
}

TEST(PublishClock, AFutureIsRepairedWithoutACatalogToo) {
  PublishedSite site;
  site.write("a.html", "One");
  site.pass(kFourYears);
  site.run();
  site.pass(-kFourYears);
  site.forget();
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->recovered);
  EXPECT_TRUE(has_note(*report, "lies in the future"));
  EXPECT_LT(modified_of(site, "a.html").seconds, 1'800'000'000 + 10 * kHour);
}

TEST(PublishClock, ADryRunSaysSoAndChangesNothing) {
  PublishedSite site;
  site.write("a.html", "One");
  site.pass(kFourYears);
  site.run();
  site.pass(-kFourYears);
  const std::vector<std::string> files = site.files();
  PublishOptions options;
  options.dry_run = true;
  const auto report = site.publish(options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(has_note(*report, "lies in the future"));
  EXPECT_EQ(site.files(), files);
}

TEST(PublishClock, AClockThatBeginsIn1970IsRefused) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  const std::vector<std::string> files = site.files();
  site.pass(-1'800'000'000);
  for (const bool dry_run : {false, true}) {
    PublishOptions options;
    options.dry_run = dry_run;
    const auto report = site.publish(options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, base::Errc::refused);
    EXPECT_TRUE(report.error().message.starts_with("the clock says 1970-01-01T")) << report.error().message;
  }
  EXPECT_EQ(site.files(), files);
}

TEST(PublishClock, AClockSetBackALittleChangesNothing) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.pass(-20 * kHour);
  site.write("a.html", "Two");
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(has_note(*report, "future"));
  EXPECT_EQ(report->sections.front().written.front().name.type, model::CollectionType::delta);
}

/// It is unknown whether the clock was wrong then or is wrong now. If it is wrong now, clients have the pages
/// with their times, and must find the same times after the clock is corrected.
TEST(PublishClock, AClockThatIsPutBackByDaysKeepsTheTimesOfPages) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  site.pass(10 * kDay);
  site.write("a.html", "Three");
  site.run();
  auto reader = site.reader();
  reader.update();
  const Instant before = modified_of(site, "a.html");
  site.pass(-5 * kDay);
  const auto report = site.publish();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(has_note(*report, "lies in the future"));
  EXPECT_FALSE(has_note(*report, "gets a new one"));
  EXPECT_EQ(report->sections.front().written.front().name.type, model::CollectionType::snapshot);
  EXPECT_EQ(report->sections.front().changed, 0U);
  EXPECT_EQ(modified_of(site, "a.html"), before);
  site.pass(6 * kDay);
  site.write("b.html", "Four");
  EXPECT_EQ(site.run().changed, 1U);
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  EXPECT_EQ(reader.pages().at("https://example.com/a.html").modified, before);
  EXPECT_TRUE(reader.pages().at("https://example.com/b.html").text.starts_with("Four"));
}

TEST(PublishClock, APageThatChangesWhileTheClockIsBackIsLaterThanBefore) {
  PublishedSite site;
  site.write("a.html", "One");
  site.pass(10 * kDay);
  site.write("a.html", "Two");
  site.run();
  const Instant before = modified_of(site, "a.html");
  site.pass(-5 * kDay);
  site.write("a.html", "Three");
  EXPECT_EQ(site.run().changed, 1U);
  EXPECT_GT(modified_of(site, "a.html"), before);
}

/// The restored page states an older time than the one that clients know.
TEST(PublishClock, ALostCatalogKeepsTheTimeOfAPageThatReturns) {
  for (const bool snapshot_between : {false, true}) {
    PublishedSite site;
    const std::string old = R"(<meta property="article:modified_time" content="2020-01-01T00:00:00Z">)";
    site.write("a.html", "One");
    site.write("b.html", "Two", old);
    site.run();
    site.write("b.html", "Changed", old);  // readers know it as of this run
    site.run();
    const Instant known = modified_of(site, "b.html");
    EXPECT_GT(known.seconds, 1'700'000'000);
    site.remove("b.html");
    PublishOptions options;
    options.snapshot = snapshot_between;
    site.run(options);
    site.forget();
    site.write("b.html", "Two", old);
    EXPECT_EQ(site.run().added, 1U);
    EXPECT_GT(modified_of(site, "b.html"), known) << snapshot_between;
  }
}

TEST(PublishJsonLines, WhatExportAddedIsNotPublished) {
  PublishedSite site;
  site.put(
      "pages.jsonl",
      R"({"url":"https://example.com/1","title":"1","description":"d","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"One"}],"mine":1,"sheaf":{"site":"https://example.com","section":"all","fetched":"2026-01-02T00:00:00Z"}})"
      "\n");
  site.on_config([&site](PublishConfig& config) {
    SourceConfig source;
    source.kind = SourceKind::jsonl;
    source.file = (site.public_folder() / "pages.jsonl").string();
    config.sections.front().sources = {source};
    config.codecs = {format::Codec::plain};
  });
  EXPECT_EQ(site.run().pages, 1U);
  const std::string text = test::read_file(site.collections() / site.files().front());
  EXPECT_NE(text.find("\"mine\":1"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"sheaf\""), std::string::npos) << text;
}

/// Sections `blog` and `news` with the folders of these names, and `all`.
void use_sections(PublishedSite& site) {
  site.on_config([](PublishConfig& config) {
    SectionConfig blog = config.sections.front();
    config.sections.clear();
    for (const std::string name : {"blog", "news"}) {
      blog.name = name;
      blog.sources.front().kind = SourceKind::jsonl;
      blog.sources.front().file = (blog.sources.front().folder / (name + ".jsonl")).string();
      config.sections.push_back(blog);
    }
    config.all = site::UpdateFreq::daily;
  });
}

std::string page_line(std::string_view name, std::string_view modified, std::string_view text) {
  return R"({"url":"https://example.com/)" + std::string(name) +
         R"(","title":"T","description":"d","modified":")" + std::string(modified) +
         R"(","language":"en","content":[{"type":"text","text":")" + std::string(text) + "\"}]}\n";
}

/// `modified` of a page by section, as clients see it.
std::map<std::string, std::string> times_of(const PublishedSite& site, const std::string& page) {
  std::map<std::string, std::string> times;
  for (const std::string section : {"blog", "news", "all"}) {
    test::SiteReader reader(site.public_folder() / "sitemap.xml", site.collections(), section);
    reader.update();
    EXPECT_EQ(reader.faults(), std::vector<std::string>{});
    const auto found = reader.pages().find("https://example.com/" + page);
    if (found != reader.pages().end()) times[section] = format_time(found->second.modified);
  }
  return times;
}

TEST(PublishClock, APageThatMovesToAnotherSectionKeepsItsClock) {
  using Times = std::map<std::string, std::string>;
  PublishedSite site;
  use_sections(site);
  const std::string may = "2026-05-01T00:00:00Z";
  const std::string march = "2026-03-01T00:00:00Z";
  const std::string other = page_line("1", march, "One");
  site.put("blog.jsonl", other + page_line("page", may, "Two"));
  site.put("news.jsonl", page_line("2", march, "Three"));
  site.run();
  EXPECT_EQ(times_of(site, "page"), (Times{{"blog", may}, {"all", may}}));
  // The same content has the same time, even if its new source states an earlier one.
  site.put("blog.jsonl", other);
  site.put("news.jsonl", page_line("2", march, "Three") + page_line("page", march, "Two"));
  site.run();
  EXPECT_EQ(times_of(site, "page"), (Times{{"news", may}, {"all", may}}));
  // Other content has a later one.
  site.put("blog.jsonl", other + page_line("page", march, "Four"));
  site.put("news.jsonl", page_line("2", march, "Three"));
  site.run();
  const Times later = times_of(site, "page");
  ASSERT_EQ(later.size(), 2U);
  EXPECT_GT(later.at("blog"), may);
  EXPECT_EQ(later.at("blog"), later.at("all"));
}

}  // namespace
}  // namespace sheaf::publish
