#include "sheaf/pull/site_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

std::vector<std::string> sites_in(std::string_view text) {
  const auto sites = parse_site_list(text, "list");
  if (!sites) return {sites.error().message};
  std::vector<std::string> found;
  for (const base::Url& site : *sites) found.emplace_back(site.href());
  return found;
}

TEST(SiteList, OneALineWithCommentsAndBlanks) {
  EXPECT_EQ(
      sites_in("# sites\nexample.com\r\n\n  http://a.example:8080/x#y # the blog\n\t#\n \nb.example"),
      (std::vector<std::string>{"https://example.com/", "http://a.example:8080/x", "https://b.example/"}));
  EXPECT_TRUE(sites_in("").empty());
}

TEST(SiteList, AnInvalidSiteIsReportedWithItsLine) {
  EXPECT_EQ(sites_in("a.example\nb.example c.example\n"),
            std::vector<std::string>{"list line 2: one site per line, found more: b.example c.example"});
  EXPECT_EQ(sites_in("ftp://a.example"),
            std::vector<std::string>{
                "list line 1: ftp://a.example is not a site: give its URL, as https://example.com"});
  // Not the site `https`, whose page would be /a.example.
  for (const std::string site : {"https:/a.example", "HTTP:a.example", "https:"})
    EXPECT_EQ(sites_in(site),
              std::vector<std::string>{"list line 1: " + site +
                                       " is not a URL: two slashes go after the scheme, as in "
                                       "https://example.com"});
  EXPECT_LT(sites_in("\n\n:" + std::string(1'000'000, 'x')).front().size(), 400U);
  EXPECT_LT(sites_in("a b" + std::string(1'000'000, 'x')).front().size(), 400U);
}

}  // namespace
}  // namespace sheaf::pull
