#include "sheaf/feeds/feed.h"

#include <gtest/gtest.h>

namespace sheaf::feeds {
namespace {

TEST(Feeds, RssHasContentDatesAndAuthors) {
  const auto feed = parse_feed(
      "<?xml version='1.0'?><rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/' "
      "xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>T</title><link>https://a.example/</link>"
      "<language>de</language><item><title>A &amp;amp; B</title><link> https://a.example/1 </link>"
      "<pubDate>Mon, 06 Sep 2021 00:01:00 "
      "+0000</pubDate><dc:creator>Anna</dc:creator><description>short</description>"
      "<content:encoded><![CDATA[<p>Long</p>]]></content:encoded></item>"
      "<item><guid>https://a.example/2</guid><description>only</description></item></channel></rss>");
  ASSERT_TRUE(feed) << feed.error().message;
  EXPECT_EQ(feed->kind, SyndicationFormat::rss);
  EXPECT_EQ(feed->language, "de");
  ASSERT_EQ(feed->entries.size(), 2U);
  const SyndicatedEntry& first = feed->entries[0];
  EXPECT_EQ(first.url, "https://a.example/1");
  EXPECT_EQ(first.title, "A &amp; B");
  EXPECT_EQ(first.html, "<p>Long</p>");
  EXPECT_EQ(first.author, "Anna");
  EXPECT_EQ(first.published, "Mon, 06 Sep 2021 00:01:00 +0000");
  EXPECT_EQ(feed->entries[1].url, "https://a.example/2");
  EXPECT_EQ(feed->entries[1].html, "");
}

TEST(Feeds, ElementsOfExtensionsDoNotReplaceThoseOfRss) {
  const auto feed = parse_feed(
      "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' "
      "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>Site</title>"
      "<link>https://a.example/</link><itunes:title>Show</itunes:title><media:link>https://m.example/</"
      "media:link>"
      "<item><title>Entry</title><link>https://a.example/1</link><description>Summary</description>"
      "<author>Ann</author><media:title>Picture</media:title><media:description>A picture</media:description>"
      "<itunes:author>Show</itunes:author></item></channel></rss>");
  ASSERT_TRUE(feed) << feed.error().message;
  EXPECT_EQ(feed->title, "Site");
  EXPECT_EQ(feed->site_url, "https://a.example/");
  ASSERT_EQ(feed->entries.size(), 1U);
  EXPECT_EQ(feed->entries[0].title, "Entry");
  EXPECT_EQ(feed->entries[0].summary, "Summary");
  EXPECT_EQ(feed->entries[0].author, "Ann");
}

TEST(Feeds, AtomHasTypesLinksAndTombstones) {
  const auto feed = parse_feed(
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:at='http://purl.org/atompub/tombstones/1.0' "
      "xml:lang='fr'>"
      "<title>T</title><at:deleted-entry ref='https://a.example/3' when='2026-01-01T00:00:00Z'/>"
      "<entry><title>a &lt; b</title><link rel='edit' href='/no'/><link "
      "href='/1'/><updated>2026-01-02T00:00:00Z</updated>"
      "<author><name>B</name></author><content type='xhtml'><div "
      "xmlns='http://www.w3.org/1999/xhtml'><p>T<b>x</b></p></div></content></entry>"
      "<entry xml:lang='en'><title type='html'>&lt;i&gt;x&lt;/i&gt;</title><link rel='alternate' "
      "href='/2'/><content type='html'>&lt;p&gt;y&lt;/p&gt;</content></entry></feed>");
  ASSERT_TRUE(feed) << feed.error().message;
  ASSERT_EQ(feed->entries.size(), 2U);
  EXPECT_EQ(feed->entries[0].url, "/1");
  EXPECT_EQ(feed->entries[0].title, "a &lt; b");
  EXPECT_TRUE(feed->entries[0].html.contains("<p>T<b>x</b></p>")) << feed->entries[0].html;
  EXPECT_EQ(feed->entries[0].language, "fr");
  EXPECT_EQ(feed->entries[1].html, "<p>y</p>");
  EXPECT_EQ(feed->entries[1].language, "en");
  EXPECT_EQ(feed->deleted, std::vector<std::string>{"https://a.example/3"});
}

TEST(Feeds, TheSiteOfAnAtomFeedIsItsFirstAlternateLink) {
  const auto site_of = [](const std::string& links) {
    const auto feed = parse_feed("<feed xmlns='http://www.w3.org/2005/Atom'>" + links + "</feed>");
    return feed ? feed->site_url : feed.error().message;
  };
  EXPECT_EQ(site_of("<link rel='self' href='https://a.example/feed'/><link href='https://a.example/'/>"
                    "<link rel='hub' href='https://hub.example/'/><link rel='next' href='/feed?page=2'/>"
                    "<link rel='license' href='https://license.example/'/>"),
            "https://a.example/");
  EXPECT_EQ(site_of("<link rel='hub' href='https://hub.example/'/>"
                    "<link rel='alternate' href='https://a.example/'/>"
                    "<link rel='alternate' hreflang='fr' href='https://a.example/fr/'/>"),
            "https://a.example/");
  EXPECT_EQ(site_of("<link rel='hub' href='https://hub.example/'/>"), "");
}

TEST(Feeds, JsonFeedOfBothVersions) {
  const auto feed = parse_feed(
      R"({"version":"https://jsonfeed.org/version/1","author":{"name":"C"},"home_page_url":"https://a.example/","items":[
    {"id":"1","url":"/1","content_text":"a < b\n\nc","date_published":"2026-01-02T00:00:00Z"},{"id":"https://a.example/2","content_html":"<p>x</p>","authors":[{"name":"D"}]},7]})");
  ASSERT_TRUE(feed) << feed.error().message;
  ASSERT_EQ(feed->entries.size(), 2U);
  EXPECT_EQ(feed->entries[0].html, "<p>a &lt; b</p><p>c</p>");
  EXPECT_EQ(feed->entries[0].author, "C");
  EXPECT_EQ(feed->entries[1].url, "https://a.example/2");
  EXPECT_EQ(feed->entries[1].author, "D");
}

TEST(Feeds, WhatIsNotAFeedIsRefused) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "empty"},
           {"  \n", "empty"},
           {"{}", "not a JSON Feed"},
           {"{\"version\":", "not valid JSON"},
           {R"({"version":"https://jsonfeed.org/version/1"})", "no list `items`"},
           {"<html><body></body></html>", "its first element is <html>"},
           {"plain text", "XML"},
           {"<!DOCTYPE rss [<!ENTITY a "
            "'aaaa'>]><rss><channel><item><title>&a;</title></item></channel></rss>",
            "entities"}}) {
    const auto feed = parse_feed(text);
    ASSERT_FALSE(feed) << text;
    EXPECT_TRUE(feed.error().message.contains(message)) << text << ": " << feed.error().message;
  }
}

TEST(Feeds, LimitsHold) {
  std::string text = "<rss><channel>";
  for (int i = 0; i < 30; ++i) text += "<item><title>x</title></item>";
  const auto feed = parse_feed(text + "</channel></rss>", {.bytes = 4096, .entries = 10});
  ASSERT_TRUE(feed);
  EXPECT_EQ(feed->entries.size(), 10U);
  EXPECT_TRUE(feed->is_truncated);
  EXPECT_FALSE(parse_feed(text, {.bytes = 100}));
}

}  // namespace
}  // namespace sheaf::feeds
