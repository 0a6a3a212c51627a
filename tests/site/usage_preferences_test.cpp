#include "sheaf/site/usage_preferences.h"

#include "sheaf/site/robots.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::site {
namespace {

const UsagePreferences kAll{.content_usage = "train-ai=n",
                            .content_signal = "search=yes, ai-train=no",
                            .license = "https://example.com/license.xml"};

TEST(UsageLines, MakeARobotsTxt) {
  EXPECT_EQ(
      with_usage_lines("", kAll),
      "License: https://example.com/license.xml\n\nUser-agent: *\nContent-Usage: train-ai=n\nContent-Signal: "
      "search=yes, ai-train=no\n");
}

TEST(UsageLines, GoIntoTheGroupOfAllCrawlers) {
  const std::string before =
      "# ours\r\nUser-agent: a\r\nDisallow: /x\r\n\r\nUser-agent: b\r\nUser-agent: *\r\n# all\r\nDisallow: "
      "/private\r\n\r\nSitemap: https://example.com/s.xml";
  const std::string after = with_usage_lines(before, {.content_usage = "train-ai=n"});
  EXPECT_EQ(after,
            "# ours\r\nUser-agent: a\r\nDisallow: /x\r\n\r\nUser-agent: b\r\nUser-agent: *\r\n# "
            "all\r\nContent-Usage: "
            "train-ai=n\nDisallow: /private\r\n\r\nSitemap: https://example.com/s.xml");
  EXPECT_FALSE(RobotsTxt::parse(after).rules_for("*").judge_path("/private").allowed);
  EXPECT_EQ(with_usage_lines(after, {.content_usage = "train-ai=n"}), after);
}

TEST(UsageLines, AreReplacedAndNotRepeated) {
  const std::string first =
      with_usage_lines("User-agent: *\nDisallow: /a\nContent-Usage: /b/ train-ai=y\n", kAll);
  UsagePreferences other = kAll;
  other.content_usage = "train-ai=y";
  const std::string second = with_usage_lines(first, other);
  EXPECT_EQ(
      second,
      "License: https://example.com/license.xml\n\nUser-agent: *\nContent-Usage: train-ai=y\nContent-Signal: "
      "search=yes, ai-train=no\nDisallow: /a\nContent-Usage: /b/ train-ai=y\n");
  EXPECT_EQ(with_usage_lines(second, other), second);
}

TEST(UsageLines, GoBehindAGroupWithoutRules) {
  EXPECT_EQ(with_usage_lines("User-agent: *", {.content_signal = "search=yes"}),
            "User-agent: *\nContent-Signal: search=yes\n");
  EXPECT_EQ(with_usage_lines("User-agent: x\nDisallow: /\n", {.content_signal = "search=yes"}),
            "User-agent: x\nDisallow: /\n\nUser-agent: *\nContent-Signal: search=yes\n");
}

TEST(UsageLines, AreFoundVerbatimWithTheirCrawlers) {
  const auto lines = find_usage_lines(
      "License: https://example.com/l.xml\nUser-Agent: a\nuser-agent: B\nAllow: /\nContent-Usage:  /x "
      "train-ai=n # no\n"
      "content-signal: search=yes\nUser-agent: *\nDisallow: /\n");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"License: https://example.com/l.xml", "User-agent: a", "User-agent: B",
                                      "Content-Usage: /x train-ai=n", "content-signal: search=yes"}));
  EXPECT_TRUE(find_usage_lines("User-agent: *\nDisallow: /\n").empty());
}

TEST(UsageLines, AreBounded) {
  std::string robots = "User-agent: *\n";
  for (int i = 0; i < 1'000; ++i) robots += "Content-Usage: train-ai=n\n";
  EXPECT_EQ(find_usage_lines(robots).size(), 100U);
  EXPECT_TRUE(find_usage_lines("License: https://example.com/" + std::string(2'000, 'a')).empty());
}

TEST(UsageFaults, AreNamed) {
  EXPECT_EQ(find_usage_fault(kAll), "");
  EXPECT_EQ(find_usage_fault({.license = "ftp://example.com/"}), "`license` must be an http or https URL");
  EXPECT_EQ(find_usage_fault({.license = "https://example.com/>"}), "`license` must be an http or https URL");
  EXPECT_EQ(find_usage_fault({.content_usage = "a # b"}),
            "`content_usage` must be one line of printable ASCII without #");
  EXPECT_EQ(find_usage_fault({.content_signal = std::string(1'001, 'a')}),
            "`content_signal` is over 1,000 bytes");
}

}  // namespace
}  // namespace sheaf::site
