// The template that publish learns from a folder: what it removes, and that it stays as it is.
#include "publish/published_site.h"
#include "sheaf/quality/quality_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

/// A page whose menu looks like content if only one page is known.
std::string page_with(int number, const std::string& menu) {
  const std::string n = std::to_string(number);
  return "<!doctype html><html lang=en><title>Walk " + n + "</title><body><div><h1>Walk " + n + "</h1>" +
         menu + "<p>The walk number " + n + " leads along the river for " + n +
         " kilometres, past the old mill and up to the chapel, from which one sees all of the valley.</p>"
         "<p>Take the bus with the number " +
         n + " to the bridge, then follow the signs with a yellow arrow until you reach gate " + n +
         ", which is open until the evening.</p></div></body></html>";
}

const std::string kMenu =
    "<p><a href=/walks>All our walks on one page</a></p><p>We describe these walks to the best of our "
    "knowledge, "
    "but nobody can promise that a path is open.</p>";
const std::string kOtherMenu =
    "<p><a href=/new>The new overview of everything</a></p><p>Since this year every walk is described by two "
    "people, who have both been there on foot.</p>";
constexpr std::string_view kNotice = "nobody can promise";

/// Writes collections that a test can read.
class PlainSite : public PublishedSite {
 public:
  PlainSite() {
    on_config([](PublishConfig& config) { config.codecs = {Codec::plain}; });
  }
};

std::string name_of(int number) { return "walk-" + std::to_string(number) + ".html"; }

void write_pages(PublishedSite& site, int first, int end, const std::string& menu = kMenu) {
  for (int i = first; i < end; ++i) site.put(name_of(i), page_with(i, menu));
}

/// All pages as a reader has them, as the lines of the collections.
std::map<std::string, std::string> pages_of(const PublishedSite& site) {
  const auto time_of = [](const std::string& name) { return name.substr(name.rfind('-')); };
  std::vector<std::string> files = site.files();
  std::ranges::sort(files, {}, time_of);
  constexpr std::string_view kBegin = "{\"url\":\"";
  std::map<std::string, std::string> pages;
  for (const std::string& file : files) {
    std::istringstream lines(test::read_file(site.collections() / file));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(kBegin))
        pages[line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size())] = line;
  }
  return pages;
}

std::size_t pages_with(const PublishedSite& site, std::string_view text) {
  std::size_t count = 0;
  for (const auto& [url, page] : pages_of(site)) count += page.find(text) != std::string::npos ? 1 : 0;
  return count;
}

TEST(PublishTemplate, WhatRecursIsNotPublished) {
  PlainSite site;
  write_pages(site, 0, 20);
  EXPECT_EQ(site.run().pages, 20U);
  EXPECT_EQ(pages_with(site, kNotice), 0U);
  EXPECT_EQ(pages_with(site, "All our walks"), 0U);
  EXPECT_EQ(pages_with(site, "follow the signs"), 20U);
}

TEST(PublishTemplate, AShortSiteKeepsEverything) {
  PlainSite site;
  write_pages(site, 0, 9);
  site.run();
  EXPECT_EQ(pages_with(site, kNotice), 9U);
}

TEST(PublishTemplate, OnePageMoreChangesNoOther) {
  for (const int pages : {9, 12, 30, 255, 256}) {
    PlainSite site;
    write_pages(site, 0, pages);
    site.run();
    site.put("extra.html", page_with(1000, kOtherMenu));
    const PublishSectionReport delta = site.run();
    EXPECT_EQ(delta.added, 1U) << pages;
    EXPECT_EQ(delta.changed, 0U) << pages;
    site.put("more.html", page_with(1001, kOtherMenu));
    site.pass(40 * kDay);
    const PublishSectionReport snapshot = site.run();
    EXPECT_EQ(snapshot.added, 1U) << pages;
    EXPECT_EQ(snapshot.changed, 0U) << pages << ": every page was extracted anew, with the same template";
  }
}

TEST(PublishTemplate, TheSamePagesGiveTheSameWithoutAState) {
  PlainSite site;
  write_pages(site, 0, 300);
  site.run();
  const auto before = pages_of(site);
  site.forget();
  const PublishSectionReport again = site.run();
  EXPECT_EQ(again.changed, 0U);
  EXPECT_EQ(again.unchanged, 300U);
  EXPECT_EQ(pages_of(site), before);
}

TEST(PublishTemplate, ANewLayoutIsLearnedWithTheNextSnapshot) {
  PlainSite site;
  write_pages(site, 0, 20);
  site.run();
  write_pages(site, 0, 20, kOtherMenu);
  site.run();
  EXPECT_EQ(pages_with(site, "described by two people"), 20U) << "the template is that of the old layout";
  site.pass(40 * kDay);
  EXPECT_EQ(site.run().changed, 20U);
  EXPECT_EQ(pages_with(site, "described by two people"), 0U);
  site.pass(40 * kDay);
  EXPECT_EQ(site.run().changed, 0U);
}

TEST(PublishTemplate, IsLearnedAnewOnRequest) {
  PlainSite site;
  write_pages(site, 0, 20);
  site.run();
  write_pages(site, 0, 20, kOtherMenu);
  PublishOptions relearn;
  relearn.relearn = true;
  EXPECT_EQ(site.run(relearn).changed, 0U) << "without its template each page is what it was";
  EXPECT_EQ(pages_with(site, "described by two people"), 0U);
}

TEST(PublishTemplate, ASiteThatDoublesIsLearnedFromAgain) {
  PlainSite site;
  write_pages(site, 0, 8);
  site.run();
  write_pages(site, 8, 16);
  EXPECT_EQ(site.run().changed, 0U) << "no snapshot is written";
  EXPECT_EQ(pages_with(site, kNotice), 16U);
  site.pass(40 * kDay);
  EXPECT_EQ(site.run().changed, 16U);
  EXPECT_EQ(pages_with(site, kNotice), 0U);
}

TEST(PublishTemplate, ADryRunKeepsNothing) {
  PlainSite site;
  write_pages(site, 0, 9);
  site.run();
  write_pages(site, 9, 20);
  PublishOptions dry;
  dry.dry_run = true;
  dry.relearn = true;
  EXPECT_EQ(site.run(dry).changed, 9U);
  EXPECT_EQ(site.run().changed, 0U);
  EXPECT_EQ(pages_with(site, kNotice), 20U);
}

TEST(PublishTemplate, AUsersSelectorNeedsNone) {
  PlainSite site;
  site.on_config([](PublishConfig& config) {
    config.sections[0].sources[0].select = "div";
    config.codecs = {Codec::plain};
  });
  write_pages(site, 0, 20);
  site.run();
  EXPECT_EQ(pages_with(site, kNotice), 20U);
}

TEST(PublishQuality, EveryPageIsReported) {
  PlainSite site;
  write_pages(site, 0, 9);
  site.write("secret.html", "Secret", "<meta name=robots content=noindex>");
  site.run();
  quality::QualityReport report;
  site.run({}, {.quality = &report});
  const auto unread = report.finish();
  ASSERT_TRUE(unread);
  EXPECT_EQ(unread->pages, 0U);
  EXPECT_EQ(unread->unread, 9U);
  EXPECT_EQ(unread->skipped, 1U) << "known without reading";
  quality::QualityReport whole;
  EXPECT_EQ(site.run({}, {.quality = &whole, .read_all = true}).changed, 0U);
  const auto read = whole.finish();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pages, 9U);
  EXPECT_EQ(read->unread, 0U);
  EXPECT_EQ(read->skipped, 1U);
}

TEST(PublishQuality, SectionAllIsNotCountedTwice) {
  PlainSite site;
  site.on_config([](PublishConfig& config) { config.all = site::UpdateFreq::daily; });
  write_pages(site, 0, 9);
  quality::QualityReport report;
  site.run({}, {.quality = &report});
  const auto summary = report.finish();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->pages, 9U);
  EXPECT_EQ(summary->duplicate_titles, 0U);
}

}  // namespace
}  // namespace sheaf::publish
