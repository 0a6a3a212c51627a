#include "sheaf/store/site_notes.h"
#include "store_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::store {
namespace {

class SpecWhosePages : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, SpecWhosePages, kEveryStore, kind_name);

constexpr auto kForeign = static_cast<std::size_t>(format::Code::foreign_page);

TEST(SiteHosts, WhatIsTheSameHost) {
  SiteHosts hosts("https://example.com");
  for (const char* url :
       {"https://example.com/", "https://example.com", "http://example.com/a", "https://www.example.com/a",
        "http://WWW.Example.com:80/a", "https://example.com:443/a", "https://user:pw@example.com/a",
        "https://example.com?q", "HTTPS://EXAMPLE.COM/a"})
    EXPECT_TRUE(hosts.contain(url)) << url;
  for (const char* url : {"https://example.com.evil.net/", "https://evil.net/https://example.com/",
                          "https://blog.example.com/", "https://example.com:8443/", "http://example.com:443/",
                          "https://example.com@evil.net/", "https://www.www.example.com/",
                          "https://wwwexample.com/", "https://example.co/", "https://a<b/", "nonsense", ""})
    EXPECT_FALSE(hosts.contain(url)) << url;
}

TEST(SiteHosts, WithAPortOnlyThatPort) {
  SiteHosts hosts("http://127.0.0.1:8080");
  EXPECT_TRUE(hosts.contain("http://127.0.0.1:8080/a"));
  EXPECT_TRUE(hosts.contain("https://127.0.0.1:8080/a"));
  EXPECT_FALSE(hosts.contain("http://127.0.0.1/a"));
  EXPECT_FALSE(hosts.contain("http://127.0.0.1:80800/a"));
  EXPECT_FALSE(hosts.contain("http://127.0.0.1:8081/a"));
}

TEST(SiteHosts, AnInvalidSiteHasNoPages) {
  SiteHosts hosts("nonsense");
  EXPECT_FALSE(hosts.contain("https://example.com/"));
  EXPECT_FALSE(hosts.contain(""));
}

TEST(SiteHosts, AsksOnceForAHost) {
  std::vector<std::string> asked;
  SiteHosts hosts("https://example.com", [&](const base::Url& page) {
    asked.emplace_back(page.host());
    return page.host() == "docs.example.org";
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(hosts.contain("https://docs.example.org/" + std::to_string(i)));
    EXPECT_TRUE(hosts.contain("http://www.docs.example.org/" + std::to_string(i)));
    EXPECT_FALSE(hosts.contain("https://evil.net/" + std::to_string(i)));
    EXPECT_TRUE(hosts.contain("https://example.com/" + std::to_string(i)));
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"docs.example.org", "evil.net"}));
}

TEST_P(SpecWhosePages, PagesOfAnotherHostAreSkippedAndCounted) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ApplyOptions options = apply_options();
  std::vector<format::Finding> findings;
  options.findings = [&](const format::Finding& finding) { findings.push_back(finding); };
  const auto applied = apply(
      store, {"snapshot", 100, 0, {{"a", 1}, {"https://victim.example/", 2}, {"b", 3}}, {}, {}}, options);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->added, 2U);
  EXPECT_EQ(applied->findings[kForeign], 1U);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, format::Code::foreign_page);
  EXPECT_EQ(findings[0].line, 3U);
  EXPECT_EQ(findings[0].url, "https://victim.example/");
  EXPECT_EQ(findings[0].message,
            "https://victim.example/ is not a page of https://example.com; it was skipped");
  EXPECT_EQ(pages_of(store), expected({{"a", 1}, {"b", 3}}));
  EXPECT_EQ(*store.get("https://victim.example/"), std::nullopt);
  expect_clean(store);
}

TEST_P(SpecWhosePages, PagesOfAHostThatVouchesAreTaken) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ApplyOptions options = apply_options();
  options.vouch = [](const base::Url& page) { return page.host() == "docs.example.org"; };
  const auto applied =
      apply(store,
            {"snapshot", 100, 0, {{"https://docs.example.org/a", 1}, {"https://victim.example/", 2}}, {}, {}},
            options);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->findings[kForeign], 1U);
  EXPECT_EQ(pages_of(store), expected({{"https://docs.example.org/a", 1}}));
}

TEST_P(SpecWhosePages, RemovedReachesNoFurther) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ApplyOptions vouched = apply_options();
  vouched.vouch = [](const base::Url&) { return true; };
  ASSERT_TRUE(
      apply(store, {"snapshot", 100, 0, {{"a", 1}, {"https://docs.example.org/a", 1}}, {}, {}}, vouched));
  const auto delta = apply(store, {"delta", 200, 100, {}, {"a", "https://docs.example.org/a"}, {}});
  ASSERT_TRUE(delta) << delta.error().message;
  EXPECT_EQ(delta->removed, 1U);
  EXPECT_EQ(pages_of(store), expected({{"https://docs.example.org/a", 1}}));
}

/// The site's digest counts the pages that are skipped here; it still proves the others.
TEST_P(SpecWhosePages, TheStateIsProvenWithoutTheSkippedPages) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const std::pair<std::string, std::int64_t> foreign{"https://victim.example/", 2};
  const auto snapshot = apply(
      store,
      {"snapshot", 100, 0, {{"a", 1}, foreign, {"b", 3}}, {}, digest_of({{"a", 1}, foreign, {"b", 3}})});
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(snapshot->proven, true);
  const auto delta =
      apply(store, {"delta", 200, 100, {{"a", 150}}, {}, digest_of({{"a", 150}, foreign, {"b", 3}})});
  EXPECT_EQ(delta->proven, true);
  const auto wrong =
      apply(store, {"delta", 300, 200, {{"a", 250}}, {}, digest_of({{"a", 251}, foreign, {"b", 3}})});
  EXPECT_EQ(wrong->proven, false);
  // What the foreign page was before a delta changes it is not known here: nothing is proven or disproven.
  const std::pair<std::string, std::int64_t> later{"https://victim.example/", 390};
  const auto unknown =
      apply(store, {"delta", 400, 300, {later}, {}, digest_of({{"a", 250}, later, {"b", 3}})});
  EXPECT_EQ(unknown->proven, std::nullopt);
  EXPECT_EQ(apply(store, {"delta", 500, 400, {{"c", 1}}, {}, digest_of({{"x", 1}})})->proven, std::nullopt);
  const auto again =
      apply(store, {"snapshot", 600, 0, {{"a", 250}, later}, {}, digest_of({{"a", 250}, later})});
  EXPECT_EQ(again->proven, true);
  expect_clean(store);
}

}  // namespace
}  // namespace sheaf::store
