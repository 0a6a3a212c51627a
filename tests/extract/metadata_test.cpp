#include "sheaf/extract/metadata/metadata.h"

#include "sheaf/base/url.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <sheaf/arena.h>
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr Instant kNow{1'767'225'600, 0};  // 2026-01-01T00:00:00Z

/// A page and what was read from it; everything lives as long as this.
class ReadPage {
 public:
  explicit ReadPage(std::string html, std::string_view url = "https://www.example.com/news/story.html",
                    std::string_view robots_header = {})
      : html_(std::move(html)), url_(base::Url::parse(url)) {
    html::parse(html_, {}, document_);
    MetadataOptions options;
    options.url = url_ ? &*url_ : nullptr;
    options.robots_header = robots_header;
    options.now = kNow;
    PageOutline outline;
    outline.build(document_);
    metadata_ = read_metadata(document_, outline, options, arena_);
  }
  const Metadata* operator->() const { return &metadata_; }

 private:
  std::string html_;
  std::optional<base::Url> url_;
  html::Document document_;
  Arena arena_;
  Metadata metadata_;
};

std::string shown(const OptionalText& text) { return text ? std::string(*text) : "none"; }
std::string shown(const std::optional<Instant>& time) { return time ? format_time(*time) : "none"; }

struct FieldCase {
  std::string_view html;
  std::string_view want;
  std::string_view url = "https://www.example.com/news/story.html";
};

TEST(SheafOnlyMetadataTitle, BestOfItsSources) {
  constexpr FieldCase kCases[] = {
      {"<title>Story</title>", "Story"},
      {"<title> A\n  long &amp; winding \t story </title>", "A long & winding story"},
      {"<title>Tom &amp;amp; Jerry</title>", "Tom & Jerry"},
      {"<meta property=og:title content='AT&amp;T and ?a=1&amp;copy=2'>", "AT&T and ?a=1&copy=2"},
      {"<title>The &lt;table&gt; element</title>", "The <table> element"},
      {"<meta property=og:title content='Open'><title>Doc</title>", "Open"},
      {"<meta name=twitter:title content='Card'>", "Card"},
      {"<meta name=DC.title content='Dublin'>", "Dublin"},
      {"<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"Data\"}</script>", "Data"},
      {"<h1>Shown</h1>", "Shown"},
      {"<title>Story | Example</title>", "Story"},
      {"<title>Example - Story</title>", "Story"},
      {"<title>Story \u2013 The Example Times</title>", "Story"},
      {"<title>Story \u00BB News \u00BB Example.com</title>", "Story \u00BB News"},
      {"<title>Story | The Gazette</title><meta property=og:site_name content='The Gazette'>", "Story"},
      {"<title>The Gazette: Story</title><meta property=og:site_name content='The Gazette'>", "Story"},
      {"<title>Well-being - a guide</title>", "Well-being - a guide"},
      {"<title>Story - Unknown Name</title>", "Story - Unknown Name"},
      {"<title>Story - Unknown Name</title><body><h1>Story</h1>", "Story"},
      {"<title>Unknown: Story</title><body><h1>Story</h1>", "Story"},
      {"<title>Story - Unknown Name</title><body><h1>Unknown Club</h1><h2>Story</h2>", "Story"},
      {"<title>Example</title><body><h1>Example</h1><h1>Story</h1>", "Story"},
      {"<title>Example</title>", "Example"},
      {"<meta property=og:title content='A storm hits'><body><h1>Weather: a storm hits</h1>", "A storm hits"},
      {"<meta property=og:title content='Short storm'><body><h1>The storm nobody saw coming</h1>",
       "The storm nobody saw coming"},
      {"<meta property=og:title content='Storm'><body><h1>Menu</h1>", "Storm"},
      {"<title></title><meta property=og:title content=' '>", "none"},
      {"<title>Story |</title>", "Story"},
      {"<body><svg><title>Icon</title></svg>", "none"},
      {"<title>Soft\u00ADhyphen\u200B and\u00A0space</title>", "Softhyphen and space"},
      {"<meta property=og:title content='Bold &lt;b&gt;move&lt;/b&gt;'>", "Bold move"},
      {"<template><h1>Hidden</h1></template>", "none"},
      {"", "none"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->title), each.want) << each.html;
}

TEST(SheafOnlyMetadataTitle, NotTheHeadingOfTheSitesHeader) {
  constexpr FieldCase kCases[] = {
      {"<title>Story - My Diary</title><body><header><h1><a href=/>My Diary</a></h1></header>text", "Story"},
      {"<title>My Diary: Story</title><body><h1><a href=../index.html>My Diary</a></h1>text", "Story"},
      {"<title>Story - My Diary</title><body><div id=header><h1>My Diary</h1></div><h2>Story</h2>", "Story"},
      {"<title>Story - My Diary</title><body><header><h1>My Diary</h1></header><h1>Story</h1>", "Story"},
      {"<title>Story - My Diary</title><body><header><h1>My Diary</h1></header>text", "Story"},
      {"<body><header><h1><a href=/>My Diary</a></h1></header><main><h1>Story</h1>", "Story"},
      {"<body><header><h1><a href=/>My Diary</a></h1></header><main><h2>Story</h2>", "none"},
      // Headings of pages that only look like it.
      {"<title>Story</title><body><header><h1>Story</h1></header>", "Story"},
      {"<title>News - Story</title><body><article><header><h1>Story</h1></header>", "Story"},
      {"<title>Story - News</title><body><h1><a href=story.html>Story</a></h1>", "Story"},
      {"<title>Story - News</title><body><h1><a href=/news/>News</a> Story</h1>", "News Story"},
      {"<title>Home - My Diary</title><body><header><h1><a href=/>My Diary</a></h1></header>", "My Diary",
       "https://www.example.com/"},
      {"<title>Home - My Diary</title><body><header><h1>My Diary</h1></header>", "My Diary",
       "https://www.example.com/index.html"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->title), each.want) << each.html;
}

TEST(SheafOnlyMetadataDescription, BestOfItsSources) {
  constexpr FieldCase kCases[] = {
      {"<meta name=description content='Plain'><meta property=og:description content='Open'>", "Plain"},
      {"<meta property=og:description content='Open'><meta name=description content=''>", "Open"},
      {"<meta name=twitter:description content='Card'>", "Card"},
      {"<meta name='DC.Description' content='Dublin'>", "Dublin"},
      {"<META NAME=DESCRIPTION CONTENT='Loud'>", "Loud"},
      {"<script type='application/ld+json'>{\"@type\":\"Article\",\"description\":\"Data\"}</script>",
       "Data"},
      {"<body><div itemscope itemtype='https://schema.org/Article'><p itemprop=description>Item</p></div>",
       "Item"},
      {"<meta name=description content='a&amp;quot;b  c'>", "a\"b c"},
      {"<p>No description</p>", "none"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->description), each.want) << each.html;
}

TEST(SheafOnlyMetadataAuthor, BestOfItsSources) {
  constexpr FieldCase kCases[] = {
      {"<script type='application/ld+json'>{\"@type\":\"Article\",\"author\":[{\"name\":\"Jane Doe\"},\"John "
       "Roe\"]}</script><meta name=author content='Max Poe'>",
       "Jane Doe, John Roe"},
      {"<meta name=author content='Max Poe'>", "Max Poe"},
      {"<meta property=article:author content='https://facebook.com/max'>", "none"},
      {"<meta property=article:author content='Max Poe'>", "Max Poe"},
      {"<meta name=DC.creator content='Max Poe'>", "Max Poe"},
      {"<meta name=parsely-author content='Max Poe'>", "Max Poe"},
      {"<meta name=sailthru.author content='Max Poe'>", "Max Poe"},
      {"<meta name=citation_author content='Max Poe'><meta name=citation_author content='Jane Doe'>",
       "Max Poe, Jane Doe"},
      {"<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Max Poe'>",
       "Max Poe"},
      {"<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='Five Minutes'>",
       "none"},
      {"<body><span itemprop=author>Max Poe</span>", "Max Poe"},
      {"<body><div itemprop=author itemscope itemtype='http://schema.org/Person'>Meet <b itemprop=name>Max "
       "Poe</b></div>",
       "Max Poe"},
      {"<body><div itemscope itemtype='http://schema.org/Comment'><span itemprop=author>Troll</span></div>",
       "none"},
      {"<body><span property='schema:author'>Max Poe</span>", "Max Poe"},
      {"<body><a rel='author nofollow' href=/max>Max Poe</a>", "Max Poe"},
      {"<body><h1>T</h1><p class=byline>By Max Poe, March 3, 2021</p>", "Max Poe"},
      {"<body><h1>T</h1><span class='post-author__name'>Max Poe</span>", "Max Poe"},
      {"<body><h1>T</h1><div class=author-bio>Max Poe Lives Here</div>", "none"},
      {"<body><h1>T</h1><p>Von Max Poe</p>", "Max Poe"},
      {"<body><h1>T</h1><p>Ein Artikel von <b>Max Poe</b></p>", "Max Poe"},
      {"<body><h1>T</h1><p>By the sea we sat down</p>", "none"},
      {"<body><h1>T</h1><div id=comments><p class=author>Troll</p></div>", "none"},
      {"<body><h1>T</h1><div class=sidebar><p class=author>Guest Poe</p></div><p>The text of the page, which "
       "is "
       "longer than what stands beside it.</p>",
       "none"},
      {"<body><div class=page-with-sidebar><h2>T</h2><p class=author>Max Poe</p></div>", "Max Poe"},
      {"<body><div class=layout-sidebar><h1>T</h1><p class=author>Max Poe</p></div>", "Max Poe"},
      {"<meta name=author content='Example'><body><p class=author>Max Poe</p>", "Max Poe"},
      {"<meta name=author content='Example'>", "Example"},
      {"<meta name=author content='example.com'>", "none"},
      {"<meta name=author content='admin'>", "none"},
      {"<meta name=author content='max@example.com'>", "none"},
      {"<p>Nobody</p>", "none"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->author), each.want) << each.html;
}

TEST(SheafOnlyMetadataDate, PublishedBestOfItsSources) {
  constexpr std::string_view kDated = "https://example.com/2021/03/15/story";
  constexpr FieldCase kCases[] = {
      {"<script type='application/ld+json'>{\"@type\":\"Article\",\"datePublished\":\"2021-03-01\"}</script>"
       "<meta property=article:published_time content=2021-03-02>",
       "2021-03-01T00:00:00Z"},
      {"<meta property=article:published_time content='2021-03-02T10:00:00+01:00'><time datetime=2021-03-09>",
       "2021-03-02T09:00:00Z"},
      {"<meta name=DC.date.issued content=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<meta name=parsely-pub-date content=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<meta itemprop=datePublished content=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<body><time itemprop=datePublished datetime=2021-03-02>yesterday</time>", "2021-03-02T00:00:00Z"},
      {"<body><div itemscope itemtype=http://schema.org/Comment><time itemprop=datePublished "
       "datetime=2021-03-02></div>",
       "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><time datetime=2021-03-02>2 March</time>", "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><time>2 March 2021</time>", "2021-03-02T00:00:00Z"},
      {"<body><time datetime=2021-01-01></time><div><p><i><b></b></i></p></div><h1>T</h1><time "
       "datetime=2021-03-02></time>",
       "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><aside><time datetime=2021-03-02></time></aside>", "none"},
      {"<body><h1>T</h1><article><footer><time datetime=2021-03-02></time></footer></article>",
       "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><div class=comments><time datetime=2021-03-02></time></div>", "none"},
      {"<body><h1>T</h1><p class=entry-date>2. M&auml;rz 2021</p>", "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><span class=updated title='2021-03-02T10:00:00Z'></span>", "2021-03-02T10:00:00Z"},
      {"<meta name=date content=2021-03-09><body><h1>T</h1><time datetime=2021-03-02></time>",
       "2021-03-02T00:00:00Z"},
      {"<meta name=date content=2021-03-09>", "2021-03-09T00:00:00Z"},
      {"<title>T</title>", "2021-03-15T00:00:00Z", kDated},
      {"<body><h1>T</h1><time datetime=2020-01-01></time>", "2021-03-15T00:00:00Z", kDated},
      {"<meta property=article:published_time content=2021-03-14>", "2021-03-14T00:00:00Z", kDated},
      {"<body><h1>T</h1><p>15 mars 2021</p>", "2021-03-15T00:00:00Z"},
      {"<body><p>15.03.2021</p><h1>T</h1>", "2021-03-15T00:00:00Z"},
      {"<body><h1>T</h1><p>On 15 March 2021 the mayor of the town opened the new bridge to everybody.</p>",
       "none"},
      {"<body><h1>T</h1><p>(15 March 2021) The mayor of the town opened the new bridge to everybody there "
       "is.</p>",
       "2021-03-15T00:00:00Z"},
      {"<body><h1>T</h1><p><a href=/b>15 March 2021</a></p>", "none"},
      {"<body><h1>The day of 15 March 2021</h1>", "none"},
      // Lists of other pages contain the dates of those pages.
      {"<body><article><h1>T</h1></article><div class=widget><ul><li><a href=/a>A</a><span "
       "class=post-date>May 3, "
       "2024</span></li></ul></div>",
       "none"},
      {"<body><h1>T</h1><ul><li><a href=/a>A</a> <time datetime=2024-05-03></time></li></ul>", "none"},
      {"<body><main><h1>T</h1></main><div><h4><a href=/a>A</a></h4><time datetime=2024-05-03></time></div>",
       "none"},
      {"<body><h1>T</h1><a href=/a>A <time datetime=2024-05-03>May 3</time></a>", "none"},
      {"<body><h1>T</h1><ul class=meta><li>by <b>J. Miller</b></li><li><time "
       "datetime=2024-05-03></time></li></ul>",
       "2024-05-03T00:00:00Z"},
      {"<body><p>Text</p><p>Published on 15 March 2021</p>", "2021-03-15T00:00:00Z"},
      {"<body><p>15.03.2021</p><p>16.03.2021</p>", "none"},
      {"<script type='application/ld+json'>{\"@type\":\"VideoObject\",\"uploadDate\":\"2020-03-01\"}</script>"
       "<meta property=article:published_time content=2021-03-02>",
       "2021-03-02T00:00:00Z"},
      {"<script "
       "type='application/ld+json'>{\"@type\":\"VideoObject\",\"uploadDate\":\"2020-03-01\"}</script>",
       "2020-03-01T00:00:00Z"},
      {"<body><p>14.03.2021</p><p>16.03.2021</p><p>(15 March 2021) The mayor of the town opened the new "
       "bridge to "
       "everybody there is, and said that it would have been done sooner if only the rain had stopped.</p>",
       "2021-03-15T00:00:00Z"},
      {"<script type=application/json>{\"review\": {\"publishedDate\" : \"2021-03-02T10:00:00Z\"}}</script>",
       "2021-03-02T10:00:00Z"},
      {"<script type=application/json>{\"datePublished\":\"2021-03-02\"}</script>"
       "<script type=application/json>{\"datePublished\":\"2021-03-03\"}</script>",
       "none"},
      {"<script type=application/json>{\"datePublished\":20210302,\"publishedAt\":\"soon\"}</script>",
       "none"},
      {"<script>var published = '15.03.2021';</script><style>/* 15.03.2021 */</style>", "none"},
      {"<html lang=en-US><body><h1>T</h1><p>03/04/2021</p>", "2021-03-04T00:00:00Z"},
      {"<html lang=en-GB><body><h1>T</h1><p>03/04/2021</p>", "2021-04-03T00:00:00Z"},
      {"<body><h1>T</h1><p>03/04/2021</p>", "none"},
      {"<body><h1>T</h1><p>&copy; 2021 Example</p>", "none"},
      {"<body><h1>T</h1><p>An example:<pre>15.03.2021</pre><p><code>16.03.2021</code>", "none"},
      {"<meta property=article:published_time content=1985-03-02>", "none"},
      {"<meta property=article:published_time content=2026-01-02T00:00:00Z>", "2026-01-02T00:00:00Z"},
      {"<meta property=article:published_time content=2026-01-02T00:00:01Z>", "none"},
      {"<meta property=article:published_time content=2021-02-31>", "none"},
      {"<meta property=article:published_time content=soon>", "none"},
      {"<meta property=article:published_time content=0000-00-00><meta name=pubdate content=2021-03-02>",
       "2021-03-02T00:00:00Z"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->published), each.want) << each.html;
}

TEST(SheafOnlyMetadataDate, Modified) {
  constexpr FieldCase kCases[] = {
      {"<script type='application/ld+json'>{\"@type\":\"Article\",\"dateModified\":\"2021-03-01\"}</script>",
       "2021-03-01T00:00:00Z"},
      {"<meta property=article:modified_time content=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<meta property=og:updated_time content=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<meta http-equiv=last-modified content='Tue, 02 Mar 2021 10:00:00 GMT'>", "2021-03-02T10:00:00Z"},
      {"<body><time itemprop=dateModified datetime=2021-03-02>", "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><time class=published datetime=2021-03-01></time><time class=updated "
       "datetime=2021-03-02></time>",
       "2021-03-02T00:00:00Z"},
      {"<body><h1>T</h1><p>Updated: 2 March 2021</p><p>1 March 2021</p>", "2021-03-02T00:00:00Z"},
      {"<meta property=article:published_time content=2021-03-05><meta property=article:modified_time "
       "content=2021-03-02>",
       "none"},
      {"<title>T</title>", "none"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->modified), each.want) << each.html;
}

TEST(SheafOnlyMetadataLanguage, NormalTags) {
  constexpr FieldCase kCases[] = {
      {"<html lang=en>", "en"},
      {"<html lang='EN_us'>", "en-US"},
      {"<html lang=zh-hant-tw>", "zh-Hant-TW"},
      {"<html xml:lang=de-AT>", "de-AT"},
      {"<html lang=''><meta http-equiv=Content-Language content=fr>", "fr"},
      {"<html lang=english><meta property=og:locale content=pt_BR>", "pt-BR"},
      {"<meta http-equiv=content-language content='de, en'><meta property=og:locale content=de_DE>", "de-DE"},
      {"<meta property=og:locale content=en_US.UTF-8>", "en-US"},
      {"<meta name=DC.language content=it>", "it"},
      {"<script type='application/ld+json'>{\"@type\":\"Article\",\"inLanguage\":\"nl-NL\"}</script>",
       "nl-NL"},
      {"<body><meta itemprop=inLanguage content=pl>", "pl"},
      {"<html lang=utf-8><meta property=og:locale content=fr_FR>", "fr-FR"},
      {"<html lang='<script>'>", "none"},
      {"<title>T</title>", "none"},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->language), each.want) << each.html;
}

TEST(SheafOnlyMetadataCanonical, BelievedOrNot) {
  constexpr FieldCase kCases[] = {
      {"<link rel=canonical href=https://example.com/story>", "https://example.com/story"},
      {"<link rel='CANONICAL' href='/story?a=1#part'>", "https://www.example.com/story?a=1"},
      {"<base href=https://cdn.example.com/x/><link rel=canonical href=story>",
       "https://cdn.example.com/x/story"},
      {"<meta property=og:url content=https://example.com/og>", "https://example.com/og"},
      {"<link rel=canonical href=https://other.example/story>", "https://other.example/story"},
      {"<link rel=canonical href=https://other.example/>", "none"},
      {"<link rel=canonical href=/>", "none"},
      {"<link rel=canonical href=/>", "https://www.example.com/", "https://www.example.com/index.html"},
      {"<link rel=canonical href=http://localhost:3000/story>", "none"},
      {"<link rel=canonical href='javascript:alert(1)'><meta property=og:url content=/og>",
       "https://www.example.com/og"},
      {"<link rel=canonical href=''>", "none"},
      {"<link rel=canonical href='http://'>", "none"},
      {"<link rel=canonical href=/relative>", "none", ""},
      {"<link rel=canonical href=https://example.com/a>", "https://example.com/a", ""},
  };
  for (const FieldCase& each : kCases)
    EXPECT_EQ(shown(ReadPage(std::string(each.html), each.url)->canonical), each.want) << each.html;
}

TEST(SheafOnlyMetadataRobots, DirectivesForAllAgents) {
  struct RobotsCase {
    std::string_view html;
    std::string_view header;
    std::string_view want;
  };
  constexpr RobotsCase kCases[] = {
      {"<meta name=robots content='NOINDEX, nofollow'>", "", "noindex|nofollow"},
      {"<meta name=robots content=noindex><meta name=ROBOTS content='noindex,noarchive'>", "",
       "noindex|noarchive"},
      {"<meta name=robots content='noindex nofollow'>", "", "noindex|nofollow"},
      {"<meta name=robots content=none>", "", "noindex|nofollow"},
      {"<meta name=googlebot content=noindex>", "", "none"},
      {"", "noindex", "noindex"},
      {"", "googlebot: noindex, nofollow", "none"},
      {"", "noindex, googlebot: nofollow", "noindex"},
      {"", "*: noindex", "noindex"},
      {"", "max-snippet: 20", "max-snippet: 20"},
      {"", "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex",
       "unavailable_after: 25 Jun 2030 15:00:00 PST|noindex"},
      {"", "Unavailable_After: Friday, 25 Jun 2030 15:00:00 GMT",
       "unavailable_after: Friday, 25 Jun 2030 15:00:00 GMT"},
      {"<meta name=robots content=' , ,'>", " ,", "none"},
      {"", "", "none"},
  };
  for (const RobotsCase& each : kCases) {
    const ReadPage page{std::string(each.html), "https://www.example.com/", each.header};
    std::string all;
    if (page->robots)
      for (const std::string_view directive : *page->robots) {
        if (!all.empty()) all += "|";
        all += directive;
      }
    else
      all = "none";
    EXPECT_EQ(all, each.want) << each.html << each.header;
  }
}

TEST(SheafOnlyMetadataRobots, NoindexIsFoundBehindManyOthers) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += "x" + std::to_string(i) + ",";
  const ReadPage page("<meta name=robots content='" + content + "noindex'>");
  ASSERT_TRUE(page->robots);
  EXPECT_EQ(page->robots->back(), "noindex");
  EXPECT_LE(page->robots->size(), 33U);
}

TEST(SheafOnlyMetadata, SiteNameSchemaAndMedia) {
  const ReadPage page(
      "<meta property=og:site_name content='The &amp;amp; Times'><script type='application/ld+json'>\n"
      "{\"@context\":\"https://schema.org\",\n\"@type\":\"VideoObject\",\"name\":\"V\"}</script>");
  EXPECT_EQ(page->site_name, "The & Times");
  EXPECT_EQ(page->schema, R"({"@context":"https://schema.org","@type":"VideoObject","name":"V"})");
  ASSERT_EQ(page->media.size(), 1U);
  EXPECT_EQ(page->media[0].name, "V");
}

TEST(SheafOnlyMetadata, MetaElementsCountAnywhere) {
  const ReadPage page(
      "<div>oops</div><meta property=og:title content='Late'><link rel=canonical href=/late>");
  EXPECT_EQ(page->title, "Late");
  EXPECT_EQ(page->canonical, "https://www.example.com/late");
}

TEST(SheafOnlyMetadataHostile, ALongTitleIsNone) {
  const std::string megabyte(1U << 20, 'x');
  EXPECT_EQ(ReadPage("<title>" + megabyte + "</title>")->title, std::nullopt);
  EXPECT_EQ(ReadPage("<title>" + megabyte + "</title><body><h1>Real</h1>")->title, "Real");
  EXPECT_EQ(ReadPage("<h1>" + megabyte + "</h1>")->title, std::nullopt);
  EXPECT_EQ(ReadPage("<meta property=og:title content='" + megabyte + "'>")->title, std::nullopt);
  EXPECT_EQ(ReadPage("<meta name=description content='" + megabyte + "'>")->description, std::nullopt);
  EXPECT_EQ(ReadPage("<meta name=author content='" + megabyte + "'>")->author, std::nullopt);
  EXPECT_EQ(ReadPage("<body><p class=byline>" + megabyte)->author, std::nullopt);
}

TEST(SheafOnlyMetadataHostile, ManyOfEverything) {
  std::string html = "<title>T</title>";
  for (int i = 0; i < 20'000; ++i)
    html +=
        "<meta name=author content=x><script type='application/ld+json'>{\"@type\":</script>"
        "<aside><!-- --></aside><h1></h1><time></time><a rel=author></a><p class='byline date comment'></p>"
        "<i itemprop='author datePublished'></i>";
  EXPECT_EQ(ReadPage(html)->title, "T");
}

TEST(SheafOnlyMetadataHostile, AValueInAMillionPartsIsNone) {
  std::string empty;
  for (int i = 0; i < 200'000; ++i) empty += "<i></i>";
  std::string nested;
  for (int i = 0; i < 60; ++i) nested += "<div class=author>";
  EXPECT_EQ(ReadPage("<h1>" + empty + "T</h1>")->title, std::nullopt);
  EXPECT_EQ(ReadPage(nested + empty + "Max Poe")->author, std::nullopt);
}

TEST(SheafOnlyMetadataHostile, DeepTrees) {
  std::string html = "<h1>T</h1>";
  for (int i = 0; i < 100'000; ++i) html += "<div class=sidebar itemscope>";
  html += "<i itemprop=author>Max Poe</i>";
  EXPECT_EQ(ReadPage(html)->title, "T");
}

TEST(SheafOnlyMetadataHostile, NothingAtAll) {
  for (const std::string_view html :
       {"", "<", "\xFF\xFE", "<html lang", "<meta><link><script type=application/ld+json>"}) {
    const ReadPage page{std::string(html), ""};
    EXPECT_EQ(page->title, std::nullopt);
    EXPECT_EQ(page->author, std::nullopt);
    EXPECT_EQ(page->published, std::nullopt);
    EXPECT_EQ(page->robots, std::nullopt);
    EXPECT_TRUE(page->media.empty());
  }
}

}  // namespace
}  // namespace sheaf::extract
