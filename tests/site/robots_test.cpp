#include "sheaf/site/robots.h"

#include "support/repeat.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::site {
namespace {

struct Case {
  const char* why;
  std::string robots;
  std::string agent;
  std::string path;
  bool allowed;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const RobotsVerdict verdict = RobotsTxt::parse(c.robots).rules_for(c.agent).judge_path(c.path);
    EXPECT_EQ(verdict.allowed, c.allowed) << c.why << "\n" << c.robots << "\n" << c.agent << " " << c.path;
  }
}

/// One group for everyone with these rules.
std::string for_all(const std::string& rules) { return "User-agent: *\n" + rules; }

constexpr bool kYes = true;
constexpr bool kNo = false;

// RFC 9309, 2.2.1 "The User-Agent Line".
TEST(SpecRobots, Groups) {
  const std::string two =
      "user-agent: FooBot\ndisallow: /foo\n\nuser-agent: BarBot\ndisallow: /bar\n\nuser-agent: *\ndisallow: "
      "/all\n";
  const std::string joined = "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: c\nDisallow: /y\n";
  const std::string merged =
      "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: other\ndisallow: /\n\n"
      "user-agent: EXAMPLEBOT\ndisallow: /baz\n";
  check({
      {"own group", two, "FooBot", "/foo", kNo},
      {"own group only", two, "FooBot", "/bar", kYes},
      {"own group, not everyone's", two, "FooBot", "/all", kYes},
      {"second group", two, "BarBot", "/bar", kNo},
      {"everyone's", two, "QuxBot", "/all", kNo},
      {"everyone's only", two, "QuxBot", "/foo", kYes},
      {"no agent at all is everyone", two, "", "/all", kNo},
      {"case of the name", two, "foobot", "/foo", kNo},
      {"case of the name", two, "FOOBOT", "/foo", kNo},
      {"two names, first", joined, "a", "/x", kNo},
      {"two names, second", joined, "b", "/x", kNo},
      {"a group ends where the next begins", joined, "a", "/y", kYes},
      {"third", joined, "c", "/y", kNo},
      {"nobody's", joined, "d", "/x", kYes},
      {"groups of one name are merged", merged, "ExampleBot", "/foo", kNo},
      {"groups of one name are merged", merged, "ExampleBot", "/bar", kNo},
      {"groups of one name are merged", merged, "ExampleBot", "/baz", kNo},
      {"and only those", merged, "ExampleBot", "/qux", kYes},
      {"several groups for everyone are merged",
       "user-agent: *\ndisallow: /a\nuser-agent: x\ndisallow: /c\n"
       "user-agent: *\ndisallow: /b\n",
       "y", "/a", kNo},
      {"several groups for everyone are merged",
       "user-agent: *\ndisallow: /a\nuser-agent: x\ndisallow: /c\n"
       "user-agent: *\ndisallow: /b\n",
       "y", "/b", kNo},
      {"names without rules join the next group", "user-agent: a\n\nuser-agent: *\ndisallow: /\n", "a", "/x",
       kNo},
      {"a group with an empty rule allows everything",
       "user-agent: a\ndisallow:\n\nuser-agent: *\ndisallow: /\n", "a", "/x", kYes},
      {"last group without rules", "user-agent: *\ndisallow: /\nuser-agent: a\n", "a", "/x", kYes},
      {"a name among others and *", "user-agent: a\nuser-agent: *\ndisallow: /x\n", "b", "/x", kNo},
      {"rules before any group", "disallow: /\nuser-agent: b\nallow: /\n", "a", "/x", kYes},
      {"no rules at all", "", "a", "/x", kYes},
      {"part of a name is not the name", "user-agent: Foo\ndisallow: /\n", "FooBot", "/", kYes},
      {"nor is more than it", "user-agent: FooBot\ndisallow: /\n", "Foo", "/", kYes},
      {"a version on the line", "user-agent: FooBot/2.1\ndisallow: /\n", "FooBot", "/", kNo},
      {"a version of the crawler", "user-agent: FooBot\ndisallow: /\n", "FooBot/1.0 (+https://example.com)",
       "/", kNo},
      {"text after the name", "user-agent: FooBot Images\ndisallow: /\n", "FooBot", "/", kNo},
      {"hyphens and underscores", "user-agent: foo_bot-x\ndisallow: /\n", "foo_bot-x", "/", kNo},
      {"a longer name is another", "user-agent: foo-bot\ndisallow: /\n", "foo-bot-news", "/", kYes},
      {"digits", "user-agent: 360Spider\ndisallow: /\n", "360Spider", "/", kNo},
      {"digits", "user-agent: Bot2\ndisallow: /\n", "Bot3", "/", kYes},
      {"digits are not part of the RFC's names", "user-agent: Bot2\ndisallow: /\n", "Bot", "/", kNo},
      {"* with a word after it", "user-agent: * please\ndisallow: /\n", "a", "/", kNo},
      {"*x is not everyone", "user-agent: *x\ndisallow: /\n", "a", "/", kYes},
  });
}

// RFC 9309, 2.2.2 "The 'Allow' and 'Disallow' Lines".
TEST(SpecRobots, LongestMatch) {
  const std::string rfc =
      "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
  check({
      {"RFC 5.2", rfc, "foobot", "/example/page/disallowed.gif", kNo},
      {"RFC 5.2", rfc, "foobot", "/example/page/x.html", kYes},
      {"the longer allows", for_all("Disallow: /x/\nAllow: /x/page.html"), "a", "/x/page.html", kYes},
      {"order does not matter", for_all("Allow: /x/page.html\nDisallow: /x/"), "a", "/x/page.html", kYes},
      {"the longer refuses", for_all("Allow: /x\nDisallow: /x/page"), "a", "/x/page.html", kNo},
      {"Allow wins a tie", for_all("Disallow: /page\nAllow: /page"), "a", "/page", kYes},
      {"Allow wins a tie", for_all("Allow: /page\nDisallow: /page"), "a", "/page", kYes},
      {"everything", for_all("Disallow: /"), "a", "/x", kNo},
      {"all but", for_all("Disallow: /\nAllow: /p"), "a", "/page", kYes},
      {"all but", for_all("Disallow: /\nAllow: /p"), "a", "/x", kNo},
      {"empty Disallow", for_all("Disallow:"), "a", "/x", kYes},
      {"empty Allow", for_all("Allow:\nDisallow: /"), "a", "/x", kNo},
      {"empty path of a blank", for_all("Disallow:   \t"), "a", "/x", kYes},
      {"a prefix", for_all("Disallow: /fish"), "a", "/fish.html", kNo},
      {"a prefix", for_all("Disallow: /fish"), "a", "/fishheads/yummy.html", kNo},
      {"case of a path counts", for_all("Disallow: /fish"), "a", "/Fish.asp", kYes},
      {"not in the middle", for_all("Disallow: /fish"), "a", "/desert/fish", kYes},
      {"a folder", for_all("Disallow: /fish/"), "a", "/fish", kYes},
      {"a folder", for_all("Disallow: /fish/"), "a", "/fish/?id=1", kNo},
      {"the query counts", for_all("Disallow: /a?b"), "a", "/a?bc", kNo},
      {"the query counts", for_all("Disallow: /a?b"), "a", "/a?c", kYes},
      {"no slash in front matches nothing", for_all("Disallow: fish"), "a", "/fish", kYes},
      {"a whole address matches nothing", for_all("Disallow: https://example.com/fish"), "a", "/fish", kYes},
      {"robots.txt is always allowed", for_all("Disallow: /"), "a", "/robots.txt", kYes},
      {"robots.txt is always allowed", for_all("Disallow: /robots.txt"), "a", "/robots.txt", kYes},
      {"with a query too", for_all("Disallow: /"), "a", "/robots.txt?x=1", kYes},
      {"only that one", for_all("Disallow: /"), "a", "/robots.txt.bak", kNo},
  });
}

// RFC 9309, 2.2.2: what is compared, and the table of encoded paths there.
TEST(SpecRobots, Encoding) {
  check({
      {"query", for_all("Disallow: /\nAllow: /foo/bar?baz=quz"), "a", "/foo/bar?baz=quz", kYes},
      {"reserved in a query", for_all("Disallow: /foo/bar?baz=https://foo.bar"), "a",
       "/foo/bar?baz=https%3A%2F%2Ffoo.bar", kNo},
      {"reserved in a query", for_all("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar"), "a",
       "/foo/bar?baz=https://foo.bar", kNo},
      {"reserved in a query", for_all("Disallow: /foo/bar?baz=https%3a%2f%2ffoo.bar"), "a",
       "/foo/bar?baz=https%3A%2F%2Ffoo.bar", kNo},
      {"outside ASCII", for_all("Disallow: /foo/bar/\xe3\x83\x84"), "a", "/foo/bar/%E3%83%84", kNo},
      {"outside ASCII", for_all("Disallow: /foo/bar/%E3%83%84"), "a", "/foo/bar/\xe3\x83\x84", kNo},
      {"outside ASCII", for_all("Disallow: /foo/bar/%e3%83%84"), "a", "/foo/bar/%E3%83%84", kNo},
      {"outside ASCII", for_all("Disallow: /foo/bar/\xe3\x83\x84"), "a", "/foo/bar/%E3%83%85", kYes},
      {"unreserved", for_all("Disallow: /foo/bar/%62%61%7A"), "a", "/foo/bar/baz", kNo},
      {"unreserved", for_all("Disallow: /foo/bar/baz"), "a", "/foo/bar/%62%61%7A", kNo},
      {"unreserved", for_all("Disallow: /%7Ejoe/"), "a", "/~joe/index.html", kNo},
      {"unreserved", for_all("Disallow: /~joe/"), "a", "/%7ejoe/index.html", kNo},
      {"an escaped slash is no slash", for_all("Disallow: /a%2Fb.html"), "a", "/a/b.html", kYes},
      {"an escaped slash is no slash", for_all("Disallow: /a/b.html"), "a", "/a%2Fb.html", kYes},
      {"an escaped slash is itself", for_all("Disallow: /a%2fb.html"), "a", "/a%2Fb.html", kNo},
      {"an escaped question mark is none", for_all("Disallow: /a?b"), "a", "/a%3Fb", kYes},
      {"a space", for_all("Disallow: /a b"), "a", "/a%20b", kNo},
      {"a pipe", for_all("Disallow: /a|b"), "a", "/a%7Cb", kNo},
      {"a lone percent sign", for_all("Disallow: /100%"), "a", "/100%", kNo},
      {"a lone percent sign", for_all("Disallow: /100%"), "a", "/100%25/x", kNo},
      {"reserved in a path", for_all("Disallow: /a%2Bb"), "a", "/a+b", kNo},
      {"reserved in a path", for_all("Disallow: /a+b"), "a", "/a%2Bb", kNo},
      {"what divides a query stays", for_all("Disallow: /x?a=1%26b"), "a", "/x?a=1&b", kYes},
      {"Latin-1 bytes", for_all("Disallow: /caf\xe9"), "a", "/caf%E9", kNo},
  });
}

// RFC 9309, 2.2.3 "Special Characters".
TEST(SpecRobots, Wildcards) {
  check({
      {"RFC", for_all("Allow: /this/path/exactly$\nDisallow: /this"), "a", "/this/path/exactly", kYes},
      {"RFC", for_all("Allow: /this/path/exactly$\nDisallow: /this"), "a", "/this/path/exactly/not", kNo},
      {"RFC", for_all("Allow: /this/*/exactly\nDisallow: /this"), "a", "/this/x/y/exactly", kYes},
      {"RFC 5.1", for_all("Disallow: *.gif$\nDisallow: /example/\nAllow: /publications/"), "a", "/a/b.gif",
       kNo},
      {"RFC 5.1", for_all("Disallow: *.gif$\nDisallow: /example/\nAllow: /publications/"), "a", "/b.gif?x",
       kYes},
      {"RFC 5.1", for_all("Disallow: *.gif$\nDisallow: /example/\nAllow: /publications/"), "a", "/example/x",
       kNo},
      {"RFC 5.1", for_all("Disallow: *.gif$\nDisallow: /example/\nAllow: /publications/"), "a",
       "/publications/b.gif", kYes},
      {"a star may be empty", for_all("Disallow: /fish*.php"), "a", "/fish.php", kNo},
      {"in the middle", for_all("Disallow: /fish*.php"), "a", "/fishheads/catfish.php?id=1", kNo},
      {"case", for_all("Disallow: /fish*.php"), "a", "/Fish.PHP", kYes},
      {"at the end is nothing new", for_all("Disallow: /fish*"), "a", "/fish", kNo},
      {"in front", for_all("Disallow: /*.php"), "a", "/index.php", kNo},
      {"in front", for_all("Disallow: /*.php"), "a", "/folder/any.php.file.html", kNo},
      {"in front", for_all("Disallow: /*.php"), "a", "/windows.PHP", kYes},
      {"anchored", for_all("Disallow: /*.php$"), "a", "/folder/filename.php", kNo},
      {"anchored", for_all("Disallow: /*.php$"), "a", "/filename.php?parameters", kYes},
      {"anchored", for_all("Disallow: /*.php$"), "a", "/filename.php/", kYes},
      {"anchored", for_all("Disallow: /*.php$"), "a", "/filename.php5", kYes},
      {"the last place counts for an anchor", for_all("Disallow: /*.php$"), "a", "/a.php/b.php", kNo},
      {"only the front page", for_all("Disallow: /\nAllow: /$"), "a", "/", kYes},
      {"only the front page", for_all("Disallow: /\nAllow: /$"), "a", "/page.html", kNo},
      {"any query", for_all("Disallow: /*?"), "a", "/a/b?c=d", kNo},
      {"any query", for_all("Disallow: /*?"), "a", "/a/b", kYes},
      {"a path in a query", for_all("Disallow: /*/private"), "a", "/?next=/private", kNo},
      {"an escape in a query", for_all("Disallow: /*%2Fprivate"), "a", "/?next=%2Fprivate", kNo},
      {"a star alone", for_all("Disallow: *"), "a", "/x", kNo},
      {"many stars", for_all("Disallow: /a***b"), "a", "/axyzb", kNo},
      {"star and anchor", for_all("Disallow: /a*$"), "a", "/axyz", kNo},
      {"parts in order", for_all("Disallow: /*a*b*c"), "a", "/xaxbxc", kNo},
      {"parts in order", for_all("Disallow: /*a*b*c"), "a", "/xcxbxa", kYes},
      {"parts do not overlap", for_all("Disallow: /ab*ba$"), "a", "/aba", kYes},
      {"a dollar in the middle is itself", for_all("Disallow: /a$b"), "a", "/a$bc", kNo},
      {"a dollar in the middle is itself", for_all("Disallow: /a$b"), "a", "/a", kYes},
      {"an escaped star is itself", for_all("Disallow: /file-with-a-%2A.html"), "a", "/file-with-a-*.html",
       kNo},
      {"an escaped star is itself", for_all("Disallow: /file-with-a-%2A.html"), "a", "/file-with-a-b.html",
       kYes},
      {"an escaped dollar is itself", for_all("Disallow: /foo-%24"), "a", "/foo-$bar", kNo},
      {"stars count as one", for_all("Disallow: /x/*\nAllow: /x/"), "a", "/x/y", kNo},
      {"longer by its letters", for_all("Disallow: /*.html\nAllow: /page"), "a", "/page.html", kNo},
  });
}

TEST(SpecRobots, Lines) {
  check({
      {"CR LF", "User-agent: *\r\nDisallow: /x\r\n", "a", "/x", kNo},
      {"CR", "User-agent: *\rDisallow: /x\r", "a", "/x", kNo},
      {"no end", "User-agent: *\nDisallow: /x", "a", "/x", kNo},
      {"byte-order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /x\n", "a", "/x", kNo},
      {"white space", " \t User-agent \t : \t * \t \n  Disallow  :   /x  \t\n", "a", "/x", kNo},
      {"no white space", "User-agent:*\nDisallow:/x\n", "a", "/x", kNo},
      {"case of a key", "USER-AGENT: *\ndIsAlLoW: /x\n", "a", "/x", kNo},
      {"comments", "# hello\nUser-agent: * # everyone\nDisallow: /x # secret\n#Disallow: /y\n", "a", "/x",
       kNo},
      {"comments", "# hello\nUser-agent: * # everyone\nDisallow: /x # secret\n#Disallow: /y\n", "a", "/y",
       kYes},
      {"a comment after a path", for_all("Disallow: /x#y\n"), "a", "/xz", kNo},
      {"blank lines end no group", "User-agent: *\n\n\nDisallow: /x\n\nDisallow: /y\n", "a", "/y", kNo},
      {"a blank line between names", "User-agent: a\n\nUser-agent: b\nDisallow: /\n", "a", "/", kNo},
      {"other records end no group",
       "User-agent: a\nSitemap: https://example.com/s.xml\nUser-agent: b\nDisallow: /\n", "a", "/", kNo},
      {"unknown records end no group", "User-agent: a\nHost: example.com\nUser-agent: b\nDisallow: /\n", "a",
       "/", kNo},
      {"a delay ends no group", "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\n", "a", "/", kNo},
      {"garbage", "<html>\n\x01\x02\nUser-agent: *\nnonsense\nDisallow: /x\n", "a", "/x", kNo},
      {"NUL bytes", std::string("User-agent: *\nDisallow: /x\0y\n", 29), "a", "/x", kYes},
      {"no colon", "User-agent *\nDisallow /x\n", "a", "/x", kNo},
      {"misspelt", "Useragent: *\nDissalow: /x\n", "a", "/x", kNo},
      {"a colon in a path", for_all("Disallow: /a:b"), "a", "/a:b", kNo},
  });
}

TEST(Robots, VerdictNamesTheRule) {
  const RobotsRules rules = RobotsTxt::parse("User-agent: *\nDisallow: /x\nAllow: /x/y\n").rules_for("a");
  const RobotsVerdict refused = rules.judge(*base::Url::parse("https://example.com/x?a#b"));
  EXPECT_FALSE(refused.allowed);
  ASSERT_NE(refused.rule, nullptr);
  EXPECT_EQ(refused.rule->text, "/x");
  EXPECT_EQ(refused.rule->line, 2U);
  EXPECT_EQ(rules.judge(*base::Url::parse("https://example.com/x/y")).rule->line, 3U);
  EXPECT_EQ(rules.judge(*base::Url::parse("https://example.com")).rule, nullptr);
  EXPECT_EQ(rules.group(), "*");
}

TEST(Robots, CrawlDelay) {
  const RobotsTxt robots = RobotsTxt::parse(
      "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nCrawl-delay: 2.5\nDisallow: /\n\nUser-agent: "
      "a\nCrawl-delay: 1\n"
      "User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: inf\n");
  EXPECT_EQ(robots.rules_for("a").crawl_delay(), 5);
  EXPECT_EQ(robots.rules_for("b").crawl_delay(), 2.5);
  EXPECT_EQ(robots.rules_for("c").crawl_delay(), std::nullopt);
  EXPECT_EQ(robots.findings().size(), 3U);
  EXPECT_EQ(RobotsTxt::parse("Crawl-delay: 5\n").rules_for("a").crawl_delay(), std::nullopt);
}

TEST(Robots, Sitemaps) {
  const RobotsTxt robots = RobotsTxt::parse(
      "Sitemap: https://example.com/a.xml\nUser-agent: x\nsitemap:https://example.com/b.xml.gz # "
      "b\nSitemap:\n"
      "Disallow: /\nSite-map: https://example.com/c.xml\n");
  EXPECT_EQ(robots.sitemaps(),
            (std::vector<std::string>{"https://example.com/a.xml", "https://example.com/b.xml.gz",
                                      "https://example.com/c.xml"}));
}

TEST(Robots, ListsASitemapHoweverItIsSpelt) {
  const RobotsTxt robots =
      RobotsTxt::parse("Sitemap: HTTPS://Example.com:443/a.xml\nSitemap: /b.xml\nSitemap: c d\n");
  EXPECT_TRUE(robots.lists_sitemap(*base::Url::parse("https://example.com/a.xml")));
  EXPECT_TRUE(robots.lists_sitemap(*base::Url::parse("https://example.com/b.xml")));
  EXPECT_FALSE(robots.lists_sitemap(*base::Url::parse("https://example.com/c.xml")));
  EXPECT_FALSE(robots.lists_sitemap(*base::Url::parse("http://example.com/a.xml")));
}

TEST(Robots, FindingsHaveTheirLine) {
  const RobotsTxt robots =
      RobotsTxt::parse("Disallow: /\nUser-agent: *\nwhat is this\nDisallow: x\nDisalow: /y\n");
  std::vector<std::uint64_t> lines;
  for (const RobotsFinding& finding : robots.findings()) lines.push_back(finding.line);
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 3, 4, 5}));
  EXPECT_EQ(RobotsTxt::parse(test::repeat("what is this\n", 5000)).findings().size(), 100U);
}

TEST(SpecRobots, FiveHundredKibibytes) {
  const std::string filler =
      test::repeat("#234567890123456789012345678901234567890123456789\n", 10'239);  // 50 bytes per line
  ASSERT_EQ(filler.size(), 511'950U);
  const std::string head = "User-agent: *\n";
  const RobotsTxt inside = RobotsTxt::parse(head + filler + "Disallow: /abcdefghijklmnopqrstuvwxy");
  EXPECT_FALSE(inside.truncated());
  EXPECT_FALSE(inside.rules_for("a").judge_path("/abcdefghijklmnopqrstuvwxyz").allowed);
  const RobotsTxt cut = RobotsTxt::parse(head + filler + "Disallow: /abcdefghijklmnopqrstuvwxyz");
  EXPECT_TRUE(cut.truncated());
  EXPECT_TRUE(cut.rules_for("a").judge_path("/abcdefghijklmnopqrstuvwxyz").allowed);
  EXPECT_TRUE(cut.rules_for("a").judge_path("/abc").allowed);
  EXPECT_EQ(cut.findings().size(), 1U);
  const std::string long_line = "Disallow: /" + std::string(20'000, 'x') + "\nDisallow: /y\n";
  EXPECT_FALSE(RobotsTxt::parse(head + long_line).rules_for("a").judge_path("/y").allowed);
}

// A matcher that goes back at every star would not come to an end here.
TEST(RobotsHostile, WildcardsAreLinear) {
  const std::string stars = "/" + test::repeat("a*", 4000) + "b$";
  const RobotsRules rules =
      RobotsTxt::parse(for_all(test::repeat("Disallow: " + stars + "\n", 60))).rules_for("a");
  EXPECT_EQ(rules.size(), 60U);
  EXPECT_TRUE(rules.judge_path("/" + std::string(100'000, 'a')).allowed);
  EXPECT_FALSE(rules.judge_path("/" + std::string(100'000, 'a') + "b").allowed);
}

// RFC 9309, 2.3.1 "Access Results".
TEST(SpecRobots, Status) {
  EXPECT_EQ(judge_robots_status(200), RobotsAccess::read);
  EXPECT_EQ(judge_robots_status(206), RobotsAccess::read);
  EXPECT_EQ(judge_robots_status(304), RobotsAccess::keep);
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_EQ(judge_robots_status(status), RobotsAccess::follow);
    EXPECT_EQ(judge_robots_status(status, 4), RobotsAccess::follow);
    EXPECT_EQ(judge_robots_status(status, 5), RobotsAccess::everything);
  }
  for (const int status : {400, 401, 403, 404, 410, 451, 499})
    EXPECT_EQ(judge_robots_status(status), RobotsAccess::everything);
  for (const int status : {429, 500, 502, 503, 599, 0, -1, 100, 600, 999})
    EXPECT_EQ(judge_robots_status(status), RobotsAccess::nothing);
}

}  // namespace
}  // namespace sheaf::site
