// Feeds as sources: entries that have left the feed stay, deleted ones go.
#include "publish/published_site.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sheaf::publish {
namespace {

std::string entry(int n, std::string_view text) {
  return fmt::format(
      "<item><title>Entry {0}</title><link>https://example.com/{0}</link><pubDate>Mon, {1:02} Feb 2026 "
      "00:00:00 GMT</pubDate>"
      "<description>&lt;p&gt;{2} of entry {0}, in a sentence that is long enough to be "
      "one.&lt;/p&gt;</description></item>",
      n, n, text);
}

class PublishFeed : public testing::Test {
 protected:
  PublishFeed() {
    site_.on_config([this](PublishConfig& config) {
      SourceConfig source;
      source.kind = SourceKind::feed;
      source.feed = (site_.public_folder() / "feed.xml").string();
      config.sections.front().sources = {source};
    });
  }
  void write_feed(std::string_view items) {
    site_.put("feed.xml",
              fmt::format("<rss version='2.0'><channel><language>en</language>{}</channel></rss>", items));
  }
  PublishedSite site_;
};

TEST_F(PublishFeed, EntriesStayWhenTheyLeaveTheFeed) {
  write_feed(entry(3, "Text") + entry(2, "Text") + entry(1, "Text"));
  EXPECT_EQ(site_.run().pages, 3U);
  write_feed(entry(4, "Text") + entry(3, "Changed") + entry(2, "Text"));
  const auto report = site_.run();
  EXPECT_EQ(report.pages, 4U);
  EXPECT_EQ(report.added, 1U);
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.removed, 0U);
}

TEST_F(PublishFeed, AnEntryThatIsMissingAmongNewerAndOlderOnesIsGone) {
  write_feed(entry(4, "Text") + entry(3, "Text") + entry(2, "Text") + entry(1, "Text"));
  site_.run();
  write_feed(entry(4, "Text") + entry(2, "Text"));
  const auto report = site_.run();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.pages, 3U);
}

TEST_F(PublishFeed, ABrokenFeedChangesNothing) {
  write_feed(entry(1, "Text"));
  site_.run();
  site_.put("feed.xml", "<html>down for maintenance</html>");
  const auto report = site_.publish();
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.error().message.contains("not a feed")) << report.error().message;
  write_feed(entry(1, "Text"));
  EXPECT_EQ(site_.run().unchanged, 1U);
}

}  // namespace
}  // namespace sheaf::publish
