#include "sheaf/site/site_text.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sheaf::site {
namespace {

base::Url url(std::string_view text) { return *base::Url::parse(text); }

TEST(PageIdentity, Canonical) {
  struct Case {
    std::string_view canonical;
    Canonical want;
  };
  constexpr Case kCases[] = {
      {"https://example.com/a/b.html", Canonical::same},
      {"http://www.example.com/a/b", Canonical::same},
      {"https://example.com/a/b/", Canonical::same},
      {"https://example.com/a/b/index.html", Canonical::same},
      {"https://example.com/a/c", Canonical::other},
      {"https://example.com/a/b?page=2", Canonical::other},
      {"https://example.org/a/b.html", Canonical::elsewhere},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(judge_canonical(url("https://example.com/a/b.html"), url(each.canonical)), each.want)
        << each.canonical;
}

TEST(PageIdentity, OneSiteWithAndWithoutWww) {
  const auto plain = url("https://example.com/a");
  EXPECT_TRUE(is_same_site(plain, url("http://www.example.com/b")));
  EXPECT_FALSE(is_same_site(plain, url("https://docs.example.com/a")));
  EXPECT_FALSE(is_same_site(plain, url("https://example.com:8443/a"))) << "another port is another site";
  EXPECT_TRUE(is_same_site(url("http://example.com:81/a"), url("https://www.example.com:81/a")));
  EXPECT_FALSE(is_same_site(plain, url("https://example.com.evil.test/a")));
}

}  // namespace
}  // namespace sheaf::site
