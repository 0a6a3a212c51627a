// A live site as a source, against a scripted server; live_site.py does the same with nginx.
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/sources/live_copies.h"
#include "sheaf/publish/sources/site_listing.h"
#include "sheaf/publish/sources/source.h"
#include "support/raw_server.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace sheaf::publish {
namespace {

using test::RawConnection;
using test::RawServer;

/// The pages of the site, and the requests it received.
class LiveSite : public testing::Test {
 protected:
  struct File {
    std::string body;
    std::string headers = {};
    std::string status = "200 OK";
    std::string entity_tag = {};  ///< compared with If-None-Match
  };

  LiveSite() : database_(database::Database::open(folder_ / "live").value()) {
    options_.base = url(server_.url("/"));
  }

  static base::Url url(std::string_view text) { return base::Url::parse(text).value(); }

  void put(const std::string& path, File file) {
    const std::scoped_lock lock(mutex_);
    files_[path] = std::move(file);
  }
  void put_page(const std::string& path, const std::string& text, const std::string& entity_tag) {
    put(path, {.body = "<p>" + text, .headers = "Content-Type: text/html\r\n", .entity_tag = entity_tag});
  }
  void put_sitemap(const std::vector<std::string>& paths) {
    std::string text;
    for (const std::string& path : paths) text += server_.url(path) + "\n";
    put("/sitemap.xml", {.body = text});
  }

  struct Read {
    base::Result<void> result;
    std::map<std::string, SourceItem> items;  ///< by path
    std::vector<std::string> notes;
    std::vector<std::string> asked;  ///< paths of the pages requested this time
  };

  Read read(std::uint64_t copies_limit = 1'000'000, std::size_t stop_after = SIZE_MAX) {
    const std::size_t before = server_.requests().size();
    LiveCopies copies = LiveCopies::open(database_, "the source", copies_limit).value();
    SiteSourceOptions options{.base = options_.base, .below = options_.base};
    options.include = include_;
    options.fetch.delay = std::chrono::milliseconds(0);
    options.fetch.connections = 1;
    options.fetch.allow_private = true;
    SiteListings listings;
    const auto source = site_source(options, copies, listings);
    Read read;
    read.result = source->read([&](SourceItem item) {
      const std::string path(url(item.name).path());
      read.items[path] = std::move(item);
      return read.items.size() < stop_after;
    });
    read.notes = source->notes();
    const auto requests = server_.requests();
    for (std::size_t i = before; i < requests.size(); ++i)
      if (const std::string path = test::path_of(requests[i]);
          path != "/robots.txt" && path != "/sitemap.xml")
        read.asked.push_back(path);
    return read;
  }

  void answer(const std::string& request, const RawConnection& connection) {
    const std::scoped_lock lock(mutex_);
    const auto found = files_.find(test::path_of(request));
    File file = found != files_.end() ? found->second : File{.body = "gone", .status = "404 Not Found"};
    if (!file.entity_tag.empty() &&
        request.find("If-None-Match: " + file.entity_tag + "\r\n") != std::string::npos) {
      file.status = "304 Not Modified";
      file.body.clear();
    }
    if (!file.entity_tag.empty()) file.headers += "ETag: " + file.entity_tag + "\r\n";
    connection.write("HTTP/1.1 " + file.status + "\r\nConnection: close\r\n" + file.headers +
                     "Content-Length: " + std::to_string(file.body.size()) + "\r\n\r\n" + file.body);
  }

  std::mutex mutex_;
  std::map<std::string, File> files_;
  test::TempDir folder_;
  database::Database database_;
  RawServer server_{
      [this](const std::string& request, const RawConnection& connection) { answer(request, connection); }};
  struct {
    base::Url base = url("http://unset/");
  } options_;
  std::vector<std::string> include_;
};

using Strings = std::vector<std::string>;

TEST_F(LiveSite, UnchangedPagesAreNotSentAgain) {
  put_page("/a", "one", "\"1\"");
  put_page("/b", "two", "\"2\"");
  put_sitemap({"/a", "/b", "/a#again"});
  Read first = read();
  ASSERT_TRUE(first.result) << first.result.error().message;
  EXPECT_EQ(first.asked, (Strings{"/a", "/b"}));
  EXPECT_EQ(first.items.at("/a").bytes, "<p>one");
  EXPECT_EQ(first.items.at("/a").url, server_.url("/a"));
  put_page("/b", "two, changed", "\"3\"");
  Read second = read();
  ASSERT_TRUE(second.result);
  EXPECT_EQ(second.asked, (Strings{"/a", "/b"}));
  EXPECT_EQ(second.items.at("/a").bytes, "<p>one") << "from its copy";
  EXPECT_EQ(second.items.at("/b").bytes, "<p>two, changed");
}

TEST_F(LiveSite, HeadersOfANotModifiedCount) {
  put_page("/a", "one", "\"1\"");
  put_sitemap({"/a"});
  ASSERT_TRUE(read().result);
  const std::string html = "Content-Type: text/html\r\n";
  put("/a", {.body = "<p>one",
             .headers = html + "X-Robots-Tag: noindex\r\nX-Robots-Tag: bot: nofollow\r\n",
             .entity_tag = "\"1\""});
  EXPECT_EQ(read().items.at("/a").skip, SkipReason::noindex);
  EXPECT_EQ(read().items.at("/a").robots_header, "noindex, bot: nofollow") << "sent again, with its body";
  put_page("/a", "one", "\"2\"");
  EXPECT_EQ(read().items.at("/a").skip, SkipReason::none);
}

TEST_F(LiveSite, AUrlWithANewRedirectIsRequestedAgain) {
  put("/a", {.body = "", .headers = "Location: /b\r\n", .status = "302 Found"});
  put_page("/b", "the second", "\"same\"");
  put_page("/c", "the third", "\"same\"");
  put_sitemap({"/a"});
  Read first = read();
  EXPECT_EQ(first.items.at("/a").url, server_.url("/b"));
  put("/a", {.body = "", .headers = "Location: /c\r\n", .status = "302 Found"});
  Read second = read();
  ASSERT_TRUE(second.result);
  EXPECT_EQ(second.items.at("/a").url, server_.url("/c"));
  EXPECT_EQ(second.items.at("/a").bytes, "<p>the third");
}

TEST_F(LiveSite, UrlsWithoutAPage) {
  put("/paper", {.body = "%PDF", .headers = "Content-Type: application/pdf\r\n", .entity_tag = "\"1\""});
  put("/away", {.body = "", .headers = "Location: https://other.example/\r\n", .status = "301 Moved"});
  put("/xhtml", {.body = "<p>x", .headers = "Content-Type: application/xhtml+xml; charset=utf-8\r\n"});
  put("/untyped", {.body = "<p>u"});
  put_sitemap({"/paper", "/away", "/gone", "/xhtml", "/untyped"});
  for (int i = 0; i < 2; ++i) {
    Read got = read();
    ASSERT_TRUE(got.result) << got.result.error().message;
    EXPECT_EQ(got.items.at("/paper").skip, SkipReason::not_html);
    EXPECT_EQ(got.items.at("/paper").trouble, "application/pdf");
    EXPECT_EQ(got.items.at("/away").skip, SkipReason::redirect);
    EXPECT_EQ(got.items.at("/gone").skip, SkipReason::gone);
    EXPECT_EQ(got.items.at("/xhtml").bytes, "<p>x");
    EXPECT_EQ(got.items.at("/untyped").bytes, "<p>u");
    EXPECT_TRUE(got.notes.empty());
  }
}

TEST_F(LiveSite, PagesThatFailKeepTheirState) {
  put_page("/a", "one", "\"1\"");
  put_page("/b", "two", "\"2\"");
  put_sitemap({"/a", "/b", "/new", "/encoded"});
  put("/new", {.body = "no entry", .status = "403 Forbidden"});
  put("/encoded", {.body = "x", .headers = "Content-Type: text/html\r\nContent-Encoding: compress\r\n"});
  for (int i = 0; i < 2; ++i) {
    Read got = read();
    ASSERT_TRUE(got.result) << got.result.error().message;
    EXPECT_EQ(got.items.at("/a").bytes, "<p>one") << "run " << i;
    EXPECT_EQ(got.items.at("/new").skip, SkipReason::unreadable);
    EXPECT_NE(got.items.at("/encoded").trouble.find("compress"), std::string::npos);
    ASSERT_EQ(got.notes.size(), 1U);
    EXPECT_TRUE(got.notes[0].starts_with(i == 0 ? "2 of 4" : "3 of 4")) << got.notes[0];
    put("/a", {.body = "", .status = "403 Forbidden"});
  }
}

TEST_F(LiveSite, TooManyFailuresEndTheRunAndTheNextContinues) {
  Strings paths;
  for (int i = 0; i < 10; ++i) {
    paths.push_back("/" + std::to_string(i));
    put_page(paths.back(), "page", "\"" + std::to_string(i) + "\"");
  }
  for (const std::string path : {"/6", "/7", "/8", "/9"})
    put(path, {.body = "", .status = "401 Unauthorized"});
  put_sitemap(paths);
  Read failed = read();
  ASSERT_FALSE(failed.result);
  EXPECT_EQ(failed.result.error().code, base::Errc::io);
  EXPECT_NE(failed.result.error().message.find("more than 3 of the 10 pages"), std::string::npos)
      << failed.result.error().message;
  for (const std::string path : {"/6", "/7", "/8", "/9"}) put_page(path, "page", "\"x\"");
  Read again = read();
  ASSERT_TRUE(again.result) << again.result.error().message;
  EXPECT_EQ(again.asked, (Strings{"/6", "/7", "/8", "/9"}));
  EXPECT_EQ(again.items.size(), 10U);
  EXPECT_EQ(read().asked.size(), 10U) << "a new pass asks for all";
}

TEST_F(LiveSite, AnInterruptedReadContinuesWhereItStopped) {
  Strings paths;
  for (int i = 0; i < 80; ++i) {
    paths.push_back("/" + std::to_string(i));
    put_page(paths.back(), "page " + std::to_string(i), "\"" + std::to_string(i) + "\"");
  }
  put_sitemap(paths);
  const std::size_t asked = read(1'000'000, 40).asked.size();
  EXPECT_LT(asked, 80U);
  Read rest = read();
  ASSERT_TRUE(rest.result);
  EXPECT_EQ(rest.items.size(), 80U);
  EXPECT_LE(rest.asked.size() + asked, 81U) << "only the page that was under way is requested again";
}

TEST_F(LiveSite, CopiesAreBoundedAndForgottenWithTheirPages) {
  put_page("/a", std::string(600, 'a'), "\"1\"");
  put_page("/b", std::string(600, 'b'), "\"2\"");
  put_sitemap({"/a", "/b"});
  for (int i = 0; i < 2; ++i) {
    Read got = read(1000);
    ASSERT_TRUE(got.result);
    EXPECT_EQ(got.items.at("/a").bytes.size(), 603U);
    EXPECT_EQ(got.items.at("/b").bytes.size(), 603U) << "no room for its copy, but here it is";
  }
  const auto conditional = [&](const std::string& path) {
    const auto requests = server_.requests();
    return std::ranges::count_if(requests, [&](const std::string& request) {
      return test::path_of(request) == path && request.find("If-None-Match") != std::string::npos;
    });
  };
  EXPECT_EQ(conditional("/a"), 1);
  EXPECT_EQ(conditional("/b"), 0);
  put_sitemap({"/b"});
  // The first run deletes the copy of /a, the second stores one of /b, the third uses it.
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(read(1000).result);
  EXPECT_EQ(conditional("/b"), 1);
  LiveCopies copies = LiveCopies::open(database_, "the source", 1000).value();
  EXPECT_EQ(copies.find(server_.url("/a"))->fate, crawl::PageOutcome::unknown);
  EXPECT_EQ(copies.find(server_.url("/b"))->fate, crawl::PageOutcome::stored);
}

TEST_F(LiveSite, UnreadableRobotsAndSitemaps) {
  put_page("/a", "one", "\"1\"");
  put_sitemap({"/a"});
  put("/robots.txt", {.body = "", .headers = "Retry-After: 9999\r\n", .status = "429 Too Many"});
  Read got = read();
  ASSERT_FALSE(got.result);
  EXPECT_NE(got.result.error().message.find("robots.txt cannot be read"), std::string::npos);
  EXPECT_TRUE(got.asked.empty());
  put("/robots.txt", {.body = "User-agent: *\nDisallow: /\n"});
  got = read();
  ASSERT_TRUE(got.result);
  EXPECT_EQ(got.items.at("/a").skip, SkipReason::robots_disallowed);
  EXPECT_TRUE(got.asked.empty());
  put("/robots.txt", {.body = "", .status = "403 Forbidden"});
  EXPECT_EQ(read().asked, Strings{"/a"}) << "no robots.txt: no rules";
  put("/sitemap.xml", {.body = "<html>soft 404</html>"});
  EXPECT_FALSE(read().result);
  put("/sitemap.xml", {.body = "", .status = "404 Not Found"});
  got = read();
  ASSERT_FALSE(got.result);
  EXPECT_NE(got.result.error().message.find("no sitemap"), std::string::npos) << got.result.error().message;
}

TEST_F(LiveSite, OnlyWhatIsSelectedAndOfThisHost) {
  for (const std::string path : {"/docs/a", "/docs/b", "/blog/c"}) put_page(path, path, "\"1\"");
  put("/sitemap.xml",
      {.body = server_.url("/docs/a") + "\n" + server_.url("/blog/c") + "\nhttp://other.example/docs/x\n"});
  include_ = {"docs/**"};
  Read got = read();
  ASSERT_TRUE(got.result);
  EXPECT_EQ(got.asked, Strings{"/docs/a"});
  ASSERT_EQ(got.notes.size(), 1U);
  EXPECT_NE(got.notes[0].find("1 page of hosts other than"), std::string::npos) << got.notes[0];
}

TEST(LiveCopies, PassesAndSourcesApart) {
  const test::TempDir folder;
  database::Database database = database::Database::open(folder.path()).value();
  const Instant now{1'800'000'000, 5};
  const auto clock = [now] { return now; };
  LiveCopies one = LiveCopies::open(database, "one", 100, clock).value();
  LiveCopies two = LiveCopies::open(database, "two", 100, clock).value();
  const auto keep = [](LiveCopies& copies, const std::string& url) {
    crawl::PageUpdate update{.record = {.url = url, .fate = crawl::PageOutcome::stored},
                             .copy = crawl::CopyAction::replace};
    crawl::CrawledPage page;
    page.visit.body = "body";
    return copies.apply(update, page);
  };
  const auto knows = [](LiveCopies& copies, const std::string& url) {
    return copies.find(url)->fate != crawl::PageOutcome::unknown;
  };
  ASSERT_EQ(one.begin_pass(now), now);
  ASSERT_TRUE(keep(one, "u"));
  EXPECT_TRUE(knows(one, "u"));
  EXPECT_FALSE(knows(two, "u"));
  EXPECT_EQ(one.body("u"), "body");
  EXPECT_FALSE(two.body("u"));
  EXPECT_EQ(one.begin_pass({now.seconds + 3600, 0}), now) << "interrupted an hour ago";
  const Instant late{now.seconds + 7 * 3600, 0};
  EXPECT_EQ(one.begin_pass(late), late) << "too long ago";
  EXPECT_EQ(one.begin_pass(now), now) << "the clock went back";
  EXPECT_EQ(two.begin_pass(late), late);
  ASSERT_TRUE(one.end_pass(late));
  EXPECT_FALSE(knows(one, "u")) << "no sitemap named it since";
  ASSERT_TRUE(keep(two, "v"));
  ASSERT_TRUE(two.write_template("template"));
  EXPECT_EQ(two.read_template(), "template");
  EXPECT_EQ(one.read_template(), "");
  const std::string names[] = {"one"};
  ASSERT_TRUE(LiveCopies::drop_others(database, names));
  EXPECT_FALSE(knows(two, "v"));
  EXPECT_EQ(two.read_template(), "");
}

TEST(PublishConfigFile, LiveSites) {
  const std::string head =
      "base = \"https://e.com\"\nout = \"scp\"\n[[section]]\nname = \"docs\"\n[[section.source]]\ntype = "
      "\"site\"\n";
  const auto plain = parse_config(head, "s.toml");
  ASSERT_TRUE(plain) << plain.error().message;
  const LiveSiteConfig& defaults = plain->sections[0].sources[0].live;
  EXPECT_EQ(defaults.requests.connections, 2U);
  EXPECT_EQ(defaults.requests.delay, std::chrono::milliseconds(500));
  EXPECT_EQ(defaults.copies, std::uint64_t{10} << 30);
  const auto full = parse_config(head +
                                     "path = \"/docs\"\nsitemaps = [\"/map.xml\"]\nconnections = 4\ndelay = "
                                     "0.25\nuser_agent = \"bot/2\"\ncopies = 5\n",
                                 "s.toml");
  ASSERT_TRUE(full) << full.error().message;
  const SourceConfig& source = full->sections[0].sources[0];
  EXPECT_EQ(source.kind, SourceKind::site);
  EXPECT_EQ(source.path, "docs/");
  EXPECT_EQ(source.live.sitemaps, Strings{"/map.xml"});
  EXPECT_EQ(source.live.requests.connections, 4U);
  EXPECT_EQ(source.live.requests.delay, std::chrono::milliseconds(250));
  EXPECT_EQ(source.live.requests.user_agent, "bot/2");
  EXPECT_EQ(source.live.copies, 5U << 20U);
  for (const std::string wrong :
       {"delay = -1", "delay = \"1\"", "delay = 4000", "delay = nan", "connections = 0", "connections = 100",
        "user_agent = \"/1\"", "user_agent = \"bot/2\\r\\nX-Injected: y\"", "copies = -1", "sitemaps = 3"}) {
    const auto refused = parse_config(head + wrong + "\n", "s.toml");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_TRUE(refused.error().message.starts_with("s.toml:7: ")) << refused.error().message;
  }
}

}  // namespace
}  // namespace sheaf::publish
