// Extraction, robots.txt and sitemaps through the public headers, as a user writes it.
#include <gtest/gtest.h>

#include <sheaf/extract.h>
#include <sheaf/markdown.h>
#include <sheaf/robots.h>
#include <sheaf/sitemap.h>

#include <string>
#include <vector>

namespace {

constexpr std::string_view kHtml =
    "<html lang=en><head><title>Hello</title></head><body><nav><a href=/>Home</a> <a href=/a>A</a></nav>"
    "<main><h1>Hello</h1><p>A first page, with a sentence in it that is long enough.</p>"
    "<p class=note>An aside that nobody needs, also long enough to count.</p></main></body></html>";

sheaf::ExtractionOptions hello_options() {
  sheaf::ExtractionOptions options;
  options.url = "https://shop.example/hello";
  options.content_type = "text/html; charset=utf-8";
  options.fallback_modified = sheaf::parse_time("2026-03-01T08:00:00Z")->instant;
  return options;
}

std::string text_of(const sheaf::Page& page) { return sheaf::page_markdown(page); }

TEST(PublicExtract, ContentAndMetadataOfHtml) {
  sheaf::PageExtractor extractor;
  const auto& extracted = extractor.extract_html(kHtml, hello_options());
  EXPECT_EQ(extracted.page.title, "Hello");
  EXPECT_EQ(extracted.page.language, "en");
  EXPECT_EQ(extracted.page.modified, "2026-03-01T08:00:00Z");
  EXPECT_FALSE(extracted.noindex);
  EXPECT_NE(text_of(extracted.page).find("A first page"), std::string::npos);
  EXPECT_EQ(text_of(extracted.page).find("Home"), std::string::npos);
  EXPECT_EQ(extractor.links(), (std::vector<std::string>{"https://shop.example/", "https://shop.example/a"}));
}

TEST(PublicExtract, SelectorsSayWhatIsContent) {
  sheaf::PageExtractor extractor;
  ASSERT_TRUE(extractor.select("main"));
  ASSERT_TRUE(extractor.leave_out(".note"));
  EXPECT_EQ(text_of(extractor.extract_html(kHtml, hello_options()).page).find("aside"), std::string::npos);
  ASSERT_TRUE(extractor.leave_out(""));
  EXPECT_NE(text_of(extractor.extract_html(kHtml, hello_options()).page).find("aside"), std::string::npos);
  const auto wrong = extractor.select("main[");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, sheaf::Errc::invalid_argument);
}

TEST(PublicExtract, NoindexIsReported) {
  sheaf::PageExtractor extractor;
  sheaf::ExtractionOptions options = hello_options();
  options.robots_header = "noindex";
  EXPECT_TRUE(extractor.extract_html(kHtml, options).noindex);
}

TEST(PublicExtract, MarkdownWithFrontMatter) {
  sheaf::PageExtractor extractor;
  const auto& extracted = extractor.extract_markdown(
      "---\ntitle: A post\ndate: 2026-02-01\ndraft: true\n---\n\nIts *text*.\n\n- one\n- two\n",
      hello_options());
  EXPECT_EQ(extracted.page.title, "A post");
  EXPECT_TRUE(extracted.draft);
  ASSERT_EQ(extracted.page.content.size(), 2U);
  EXPECT_EQ(sheaf::type_name(extracted.page.content[1]), "list");
}

TEST(PublicRobots, RulesOfOneCrawler) {
  const std::string text =
      "User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n\nUser-agent: FriendBot\nAllow: /\n"
      "Sitemap: https://shop.example/sitemap.xml\n";
  const sheaf::Robots stranger(text, "ExampleBot/1.0 (+https://bot.example)");
  EXPECT_TRUE(stranger.allows("https://shop.example/a"));
  EXPECT_FALSE(stranger.allows("https://shop.example/private/a"));
  EXPECT_EQ(stranger.rule_for("https://shop.example/private/a"), "Disallow: /private/");
  EXPECT_EQ(stranger.group(), "*");
  EXPECT_EQ(stranger.crawl_delay(), 2.0);
  EXPECT_FALSE(stranger.allows("not a URL"));
  const sheaf::Robots known(text, "friendbot");
  EXPECT_TRUE(known.allows("https://shop.example/private/a"));
  EXPECT_EQ(known.sitemaps(), std::vector<std::string>{"https://shop.example/sitemap.xml"});
}

sheaf::Advertised advertised_blog() {
  sheaf::Advertised advertised;
  advertised.version = "0.1";
  advertised.compression = {"zstd"};
  advertised.sections.push_back({"blog", sheaf::UpdateFreq::daily, sheaf::PageCount{12, false}});
  sheaf::AdvertisedCollection snapshot;
  snapshot.section = "blog";
  snapshot.url = "https://shop.example/blog.scp.zst";
  snapshot.generated = sheaf::parse_time("2026-03-01T00:00:00Z")->instant;
  snapshot.expires = sheaf::parse_time("2026-03-03T00:00:00Z")->instant;
  snapshot.pages = 12;
  snapshot.size = 4096;
  advertised.collections.push_back(snapshot);
  return advertised;
}

TEST(PublicSitemap, ElementsAreInsertedAndEveryOtherByteIsKept) {
  const std::string before =
      "<?xml version=\"1.0\"?>\n<!-- mine -->\n<urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
      "  <url><loc>https://shop.example/a</loc></url>\n</urlset>\n";
  const auto merged = sheaf::update_sitemap(before, advertised_blog());
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(merged->changed);
  EXPECT_EQ(merged->entries, 1U);
  const auto read = sheaf::read_advertised(merged->bytes);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->advertised.collections.size(), 1U);
  EXPECT_EQ(read->advertised.collections[0].url, "https://shop.example/blog.scp.zst");
  EXPECT_EQ(read->summary.urls, 1U);
  const auto removed = sheaf::update_sitemap(merged->bytes, {});
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->bytes, before);
}

TEST(PublicSitemap, SinkGetsEntriesWithAbsoluteUrls) {
  struct Urls final : sheaf::SitemapSink {
    sheaf::Reading on_url(const sheaf::SitemapUrl& entry) override {
      urls.emplace_back(entry.loc);
      return sheaf::Reading::go_on;
    }
    std::vector<std::string> urls;
  } sink;
  const auto summary = sheaf::read_sitemap(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>/a</loc></url></urlset>", sink,
      "https://shop.example/sitemap.xml");
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->complete);
  EXPECT_EQ(sink.urls, std::vector<std::string>{"https://shop.example/a"});
}

TEST(PublicSitemap, IndexListsASitemapOnce) {
  const std::string index =
      "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
      "  <sitemap><loc>https://shop.example/pages.xml</loc></sitemap>\n</sitemapindex>\n";
  const auto added = sheaf::add_to_sitemap_index(index, "https://shop.example/scp.xml");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->entries, 2U);
  EXPECT_FALSE(sheaf::add_to_sitemap_index(added->bytes, "https://shop.example/scp.xml")->changed);
}

TEST(PublicSitemap, ResolveUrl) {
  EXPECT_EQ(sheaf::resolve_url("../b c", "https://shop.example/docs/a"), "https://shop.example/b%20c");
  EXPECT_EQ(sheaf::resolve_url("HTTPS://Shop.Example"), "https://shop.example/");
  EXPECT_EQ(sheaf::resolve_url("mailto:a@b.example"), std::nullopt);
  EXPECT_EQ(sheaf::resolve_url("/a", "nonsense"), std::nullopt);
}

}  // namespace
