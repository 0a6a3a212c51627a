#include "sheaf/site/site_robots.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace sheaf::site {
namespace {

base::Url url(std::string_view text) { return *base::Url::parse(text); }

/// Answers from a table, and remembers what it was asked for.
struct Web {
  std::map<std::string, base::Result<RobotsReply>> replies = {};
  std::vector<std::string> asked = {};

  AskRobots ask() {
    return [this](const base::Url& address) -> base::Result<RobotsReply> {
      asked.emplace_back(address.href());
      const auto found = replies.find(asked.back());
      return found == replies.end() ? base::Result<RobotsReply>(RobotsReply{404}) : found->second;
    };
  }
};

RobotsAccess access_of(Web& web) { return read_robots(url("https://e.com/a"), web.ask()).access; }

TEST(ReadRobots, EverySuccessHasTheRulesInItsBody) {
  for (const int status : {200, 201, 203, 206, 226, 299}) {
    Web web{{{"https://e.com/robots.txt", RobotsReply{status, "", "User-agent: *\nDisallow: /x"}}}};
    const SiteRobots robots = read_robots(url("https://e.com/a"), web.ask());
    EXPECT_EQ(robots.access, RobotsAccess::read) << status;
    EXPECT_FALSE(robots.robots.rules_for("sheaf").judge_path("/x").allowed) << status;
  }
}

TEST(ReadRobots, FiveRedirectsAreFollowedAlsoToOtherHosts) {
  Web web{{{"https://e.com/robots.txt", RobotsReply{301, "/1"}},
           {"https://e.com/1", RobotsReply{302, "/2#part"}},
           {"https://e.com/2", RobotsReply{303, "https://other.example/3"}},
           {"https://other.example/3", RobotsReply{307, "4"}},
           {"https://other.example/4", RobotsReply{308, "5"}},
           {"https://other.example/5", RobotsReply{200, "", "User-agent: *\nDisallow: /x"}}}};
  EXPECT_EQ(access_of(web), RobotsAccess::read);
  web.replies.at("https://other.example/5") = RobotsReply{302, "/6"};
  web.asked.clear();
  EXPECT_EQ(access_of(web), RobotsAccess::everything) << "as RFC 9309 has it for a sixth";
  EXPECT_EQ(web.asked.size(), 6U);
  web.replies.at("https://e.com/robots.txt") = RobotsReply{302, ""};
  EXPECT_EQ(access_of(web), RobotsAccess::everything);
}

TEST(ReadRobots, WhatCannotBeReadDisallowsEverything) {
  for (const base::Errc code :
       {base::Errc::io, base::Errc::invalid_data, base::Errc::invalid_argument, base::Errc::refused}) {
    Web web{{{"https://e.com/robots.txt", base::fail(code, "why")}}};
    const SiteRobots robots = read_robots(url("https://e.com/a"), web.ask());
    EXPECT_EQ(robots.access, RobotsAccess::nothing);
    EXPECT_FALSE(robots.robots.rules_for("sheaf").judge_path("/x").allowed);
    ASSERT_TRUE(robots.error);
    EXPECT_EQ(robots.error->code, code);
  }
  for (const int status : {0, 429, 500, 503}) {
    Web web{{{"https://e.com/robots.txt", RobotsReply{status}}}};
    const SiteRobots robots = read_robots(url("https://e.com/a"), web.ask());
    EXPECT_EQ(robots.access, RobotsAccess::nothing) << status;
    ASSERT_TRUE(robots.error) << status;
    EXPECT_NE(robots.error->message.find(std::to_string(status)), std::string::npos);
  }
}

TEST(OriginRobots, EachOriginHasItsOwnRulesReadOnce) {
  Web web{
      {{"http://e.com/robots.txt", RobotsReply{200, "", "User-agent: *\nDisallow: /plain\nCrawl-delay: 3"}},
       {"https://e.com:8443/robots.txt", RobotsReply{200, "", "User-agent: *\nDisallow: /port"}},
       {"https://www.e.com/robots.txt", RobotsReply{503}}}};
  std::map<std::string, double> delays;
  OriginRobots robots("sheaf", web.ask(), [&](const base::Url& origin, const RobotsRules& rules) {
    delays[origin.origin()] = rules.crawl_delay().value_or(0);
  });
  robots.set(url("https://e.com/"), RobotsTxt::parse("User-agent: *\nDisallow: /secure").rules_for("sheaf"));
  EXPECT_EQ(robots.judge_if_known(url("http://e.com/plain")), std::nullopt);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(robots.judge(url("https://e.com/secure")), RobotsPermission::disallowed);
    EXPECT_EQ(robots.judge(url("https://e.com/plain")), RobotsPermission::allowed);
    EXPECT_EQ(robots.judge(url("http://e.com/plain")), RobotsPermission::disallowed);
    EXPECT_EQ(robots.judge(url("http://e.com/secure")), RobotsPermission::allowed);
    EXPECT_EQ(robots.judge(url("https://e.com:8443/port")), RobotsPermission::disallowed);
    EXPECT_EQ(robots.judge(url("https://www.e.com/x")), RobotsPermission::unknown);
    EXPECT_EQ(robots.judge(url("https://free.example/x")), RobotsPermission::allowed) << "404: no rules";
  }
  EXPECT_EQ(robots.judge_if_known(url("http://e.com/plain")), RobotsPermission::disallowed);
  EXPECT_EQ(web.asked,
            (std::vector<std::string>{"http://e.com/robots.txt", "https://e.com:8443/robots.txt",
                                      "https://www.e.com/robots.txt", "https://free.example/robots.txt"}));
  EXPECT_EQ(delays, (std::map<std::string, double>{
                        {"http://e.com", 3}, {"https://e.com:8443", 0}, {"https://free.example", 0}}));
}

}  // namespace
}  // namespace sheaf::site
