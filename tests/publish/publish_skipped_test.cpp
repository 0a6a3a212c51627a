// Which pages of a folder are published.
#include "publish/published_site.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::publish {
namespace {

TEST(Publish, WhatIsLeftOutAndWhy) {
  PublishedSite site;
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
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.pages, 2U);
  for (const SkipReason reason :
       {SkipReason::noindex, SkipReason::future, SkipReason::redirect, SkipReason::error_page,
        SkipReason::duplicate, SkipReason::canonical_elsewhere, SkipReason::robots_disallowed,
        SkipReason::no_content})
    EXPECT_EQ(skipped(report, reason), 1U) << to_string(reason);
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(urls(reader), (std::vector<std::string>{"good.html", "posts/404.html"}));
  // Known reasons are reported again without reading.
  EXPECT_EQ(skipped(site.run(), SkipReason::noindex), 1U);
}

TEST(Publish, APageGoesWhenItsEndHasComeAlthoughItsBytesAreTheSame) {
  PublishedSite site;
  site.write("a.html", "Good");
  const std::string end = format_time({1'800'000'000 + 3 * kHour, 0});
  site.write("b.html", "For a while", "<meta name=robots content='unavailable_after: " + end + "'>");
  EXPECT_EQ(site.run().pages, 2U);
  site.pass(kDay);
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(skipped(report, SkipReason::expired), 1U);
  EXPECT_EQ(skipped(site.run(), SkipReason::expired), 1U);
}

TEST(Publish, AFolderThatIsGuardedLaterLosesItsPages) {
  PublishedSite site;
  for (const char* name : {"a.html", "b.html", "c.html", "members/d.html"}) site.write(name, name);
  EXPECT_EQ(site.run().pages, 4U);
  site.put("members/.htaccess", "Require valid-user\n");
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(skipped(report, SkipReason::guarded), 1U);
  site.remove("members/.htaccess");
  EXPECT_EQ(site.run().added, 1U);
}

TEST(Publish, NumbersAreErrorPagesOnlyAtTheRoot) {
  PublishedSite site;
  for (const char* name : {"404.html", "500.html", "50x/index.html", "errors/403.html", "de/404.html"})
    site.write(name, "Not here");
  for (const char* name :
       {"index.html", "399.html", "posts/400.html", "tv/400.html", "de/500.html", "de/tv/404.html"})
    site.write(name, "A page by that number");
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.pages, 6U);
  EXPECT_EQ(skipped(report, SkipReason::error_page), 5U);
}

/// Rewrites a file until it ends, as a build does: empty, half, whole.
class Rewriting {
 public:
  Rewriting(const std::filesystem::path& file, std::string text)
      : thread_([file, text = std::move(text)](const std::stop_token& stop) {
          while (!stop.stop_requested())
            for (const std::size_t size : {text.size() / 2, text.size()})
              std::ofstream(file, std::ios::binary) << text.substr(0, size);
        }) {}

 private:
  std::jthread thread_;
};

/// Publishes while a file is being written. Returns what is wrong; empty if the published page stays.
std::string publish_while_writing() {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two");
  site.run();
  auto reader = site.reader();
  reader.update();
  const std::string text = test::read_file(site.public_folder() / "a.html");
  site.write("b.html", "Three");
  {
    const Rewriting build(site.public_folder() / "a.html",
                          text + "<p>There is one more sentence in this version.</p>");
    const auto report = site.publish();
    if (!report) return report.error().message;
    const PublishSectionReport& section = report->sections.front();
    if (section.changed != 1 || section.removed != 0) return "the page was changed or removed";
    if (report->notes.size() != 1 ||
        !report->notes.front().ends_with(
            "a.html changes while it is read: its page stays as it was published"))
      return "there is no note";
    PublishOptions options;
    options.snapshot = true;
    const auto snapshot = site.publish(options);
    if (snapshot || snapshot.error().code != base::Errc::in_use) return "a snapshot needs the page";
  }
  reader.update();
  if (reader.pages().size() != 2 || !reader.faults().empty()) return "the page is not what was published";
  return {};
}

TEST(Publish, AFileThatIsBeingWrittenKeepsItsPublishedPage) {
  // If the machine is so busy that the file is not written for a while, it is not being written.
  std::string wrong;
  for (int tries = 0; tries < 5; ++tries)
    if (wrong = publish_while_writing(); wrong.empty()) return;
  FAIL() << wrong;
}

TEST(Publish, ACredentialInAUrlIsNotPublished) {
  PublishedSite site;
  site.write("a.html", "One");
  site.write("b.html", "Two", "<link rel=canonical href=https://user:secret@example.com/b.html>");
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.pages, 1U);
  EXPECT_EQ(skipped(report, SkipReason::no_address), 1U);
}

TEST(Publish, WwwIsTheSameSite) {
  for (const bool is_www : {false, true}) {
    const std::string other = is_www ? "https://example.com" : "https://www.example.com";
    PublishedSite site;
    site.write("a.html", "One");
    site.write("b.html", "Two", "<link rel=canonical href=" + other + "/b.html>");
    site.put("pages.jsonl", R"({"url":")" + other +
                                R"(/c","title":"1","description":"d","modified":"2026-01-01T00:00:00Z",)"
                                R"("language":"en","content":[{"type":"text","text":"One"}]})"
                                "\n" +
                                R"({"url":")" + other +
                                R"(:8443/d","title":"1","description":"d","modified":"2026-01-01T00:00:00Z",)"
                                R"("language":"en","content":[{"type":"text","text":"One"}]})"
                                "\n");
    site.on_config([&](PublishConfig& config) {
      config.base = base::Url::parse(is_www ? "https://www.example.com/" : "https://example.com/");
      SourceConfig source;
      source.kind = SourceKind::jsonl;
      source.file = (site.public_folder() / "pages.jsonl").string();
      config.sections.front().sources.push_back(source);
    });
    const PublishSectionReport report = site.run();
    EXPECT_EQ(report.pages, 3U);
    EXPECT_EQ(skipped(report, SkipReason::no_address), 1U) << "another port is another site";
    EXPECT_EQ(site.run().unchanged, 3U);
  }
}

TEST(Publish, AFractionOfASecondIsKept) {
  PublishedSite site;
  site.write("a.html", "One",
             R"(<meta property="article:modified_time" content="2026-01-02T03:04:05.678+01:00">)");
  site.run();
  auto reader = site.reader();
  reader.update();
  EXPECT_EQ(format_time(reader.pages().at("https://example.com/a.html").modified),
            "2026-01-02T02:04:05.678Z");
}

TEST(Publish, RobotsTxtThatChangesTakesPagesAway) {
  PublishedSite site;
  site.write("private/page.html", "Private");
  site.write("good.html", "Good");
  EXPECT_EQ(site.run().pages, 2U);
  site.put("robots.txt", "User-agent: *\nDisallow: /private/\n");
  const PublishSectionReport report = site.run();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(skipped(report, SkipReason::robots_disallowed), 1U);
}

TEST(Publish, AScheduledPageIsPublishedWhenDue) {
  PublishedSite site;
  site.write("good.html", "Good");
  site.write("soon.html", "Soon", "<meta property=article:published_time content=2027-01-15T12:00:00Z>");
  EXPECT_EQ(skipped(site.run(), SkipReason::future), 1U);
  site.pass(60 * 24 * kHour);
  EXPECT_EQ(site.run().added, 1U);
}

TEST(Publish, TheCanonicalUrlCounts) {
  PublishedSite site;
  site.write("about.html", "About", "<link rel=canonical href=https://www.example.com/about/>");
  site.on_config([](PublishConfig& config) { config.base = *base::Url::parse("https://www.example.com/"); });
  site.run();
  auto reader = site.reader();
  reader.update();
  EXPECT_TRUE(reader.pages().contains("https://www.example.com/about/"));
}

TEST(Publish, ErrorPagesOfEachLanguageAreLeftOut) {
  PublishedSite site;
  site.write("good.html", "Good");
  for (const char* name : {"de/404.html", "pt-br/404/index.html"}) site.write(name, "Not here");
  for (const char* name : {"d2/404.html", "blog/404.html"}) site.write(name, "A page by that number");
  const PublishSectionReport report = site.run();
  EXPECT_EQ(skipped(report, SkipReason::error_page), 2U);
  EXPECT_EQ(report.pages, 3U);
}

TEST(Publish, SelectorsOfTheUserSayWhatIsContent) {
  PublishedSite site;
  site.put(
      "a.html",
      "<!doctype html><html lang=en><title>A</title><body><nav id=x>Short.<p class=ad>Buy!</p></nav>"
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

TEST(Publish, InlineStructureAndLinksAreTheUsersChoice) {
  PublishedSite site;
  site.put(
      "a.html",
      "<!doctype html><html lang=en><title>A</title><main><p>A paragraph of <b>some</b> length, which is the "
      "content of the page.</p><p><a href=/b>Next of all</a></p></main>");
  site.run();
  site.on_config([](PublishConfig& config) {
    config.sections.front().sources.front().links = "none";
    config.sections.front().sources.front().inline_structure = true;
  });
  EXPECT_EQ(site.run().changed, 1U) << "the same bytes mean another page now";
}

TEST(Publish, TheReasonForAnEmptySiteIsReported) {
  PublishedSite site;
  const auto note_of = [&] {
    const auto report = site.publish();
    return report && !report->steps.empty() ? report->steps.front() : std::string();
  };
  EXPECT_NE(note_of().find("is the site built?"), std::string::npos);
  site.write("a.html", "One", "<link rel=canonical href=https://other.example/a.html>");
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is the base right?"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::publish
