// Which hosts other than the site's own a pull contacts, and how often.
#include "sheaf/pull/other_hosts.h"

#include "sheaf/pull/cross_submission.h"
#include "support/scripted_web.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

class OtherHostsTest : public testing::Test {
 protected:
  static base::Url url(const std::string& text) { return base::Url::parse(text).value(); }
  static std::string host(int number) { return "https://cdn" + std::to_string(number) + ".example"; }

  OtherHosts other_hosts(OtherHostLimits limits = {}) {
    return {url("https://example.com/"), fetcher_, std::chrono::milliseconds(0), limits};
  }

  test::ScriptedWeb web_;
  http::fetch::Fetcher fetcher_{web_.options()};
};

TEST_F(OtherHostsTest, TheSitesOwnOriginIsNotLimited) {
  OtherHosts hosts = other_hosts({.hosts = 0, .requests = 0});
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(hosts.admit(url("https://example.com/a.scp")));
  EXPECT_TRUE(web_.urls().empty());
}

TEST_F(OtherHostsTest, AtMostTwentyHosts) {
  OtherHosts hosts = other_hosts();
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(hosts.admit(url(host(i) + "/a.scp"))) << i;
  EXPECT_EQ(hosts.admit(url(host(20) + "/a.scp")).code, FailureCode::other_host_limit);
  EXPECT_FALSE(hosts.admit(url(host(3) + "/b.scp"))) << "a host that is known already";
  EXPECT_EQ(web_.urls().size(), 20U);
  EXPECT_EQ(web_.count(host(20) + "/robots.txt"), 0U);
}

TEST_F(OtherHostsTest, AtMostAThousandRequests) {
  OtherHosts hosts = other_hosts();
  int admitted = 0;
  Failure refused;
  for (; admitted < 2000; ++admitted) {
    refused = hosts.admit(url(host(0) + "/" + std::to_string(admitted) + ".scp"));
    if (refused) break;
  }
  EXPECT_EQ(admitted, 999) << "robots.txt is one of them";
  EXPECT_EQ(refused.code, FailureCode::other_host_limit);
}

TEST_F(OtherHostsTest, RobotsOfTheHostDecides) {
  web_.put(host(0) + "/robots.txt", {.body = "User-agent: *\nDisallow: /private/\n"});
  web_.put(host(1) + "/robots.txt", {.status = 503});
  OtherHosts hosts = other_hosts();
  EXPECT_FALSE(hosts.admit(url(host(0) + "/a.scp")));
  EXPECT_EQ(hosts.admit(url(host(0) + "/private/a.scp")).code, FailureCode::robots_disallowed);
  EXPECT_EQ(web_.count(host(0) + "/robots.txt"), 1U) << "requested once";
  EXPECT_EQ(hosts.admit(url(host(1) + "/a.scp")).code, FailureCode::robots_unavailable);
}

class CrossSubmissionsTest : public OtherHostsTest {
 protected:
  const std::vector<std::string> sitemaps_ = {"https://example.com/sitemap.xml"};
};

TEST_F(CrossSubmissionsTest, TheHostsOwnRobotsHasToNameTheSitemap) {
  web_.put(host(0) + "/robots.txt", {.body = "Sitemap: https://example.com/sitemap.xml\n"});
  web_.put(host(1) + "/robots.txt", {.body = "Sitemap: https://example.com/other.xml\n"});
  CrossSubmissions hosts(url("https://example.com/"), {}, "sheaf", fetcher_);
  EXPECT_TRUE(hosts.accept(url(host(0) + "/page"), sitemaps_));
  EXPECT_TRUE(hosts.note().empty());
  EXPECT_FALSE(hosts.accept(url(host(1) + "/page"), sitemaps_));
  EXPECT_FALSE(hosts.accept(url(host(2) + "/page"), sitemaps_)) << "has no robots.txt";
  EXPECT_NE(hosts.note().find("cdn1.example, cdn2.example"), std::string::npos) << hosts.note();
}

TEST_F(CrossSubmissionsTest, AListedHostIsNotAsked) {
  const std::vector<std::string> also = {parse_also_host("cdn0.example").value()};
  CrossSubmissions hosts(url("https://example.com/"), also, "sheaf", fetcher_);
  EXPECT_TRUE(hosts.accept(url(host(0) + "/page"), sitemaps_));
  EXPECT_TRUE(web_.urls().empty());
}

TEST_F(CrossSubmissionsTest, AtMostTwentyHostsAreAsked) {
  for (int i = 0; i < 30; ++i)
    web_.put(host(i) + "/robots.txt", {.body = "Sitemap: https://example.com/sitemap.xml\n"});
  CrossSubmissions hosts(url("https://example.com/"), {}, "sheaf", fetcher_);
  int accepted = 0;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 30; ++i) accepted += hosts.accept(url(host(i) + "/page"), sitemaps_) ? 1 : 0;
  EXPECT_EQ(accepted, 40);
  EXPECT_EQ(web_.urls().size(), 20U);
}

}  // namespace
}  // namespace sheaf::pull
