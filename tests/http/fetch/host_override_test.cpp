#include "sheaf/http/fetch/fetcher.h"

#include <gtest/gtest.h>

namespace sheaf::http::fetch {
namespace {

TEST(HostOverride, WithAndWithoutTls) {
  const auto secure = parse_host_override("Example.COM=127.0.0.1:8443");
  ASSERT_TRUE(secure);
  EXPECT_EQ(secure->host, "example.com");
  EXPECT_EQ(secure->connect_to, "127.0.0.1:8443");
  EXPECT_FALSE(secure->plain_http);
  const auto plain = parse_host_override("example.com=http://[::1]:8080");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->connect_to, "[::1]:8080");
  EXPECT_TRUE(plain->plain_http);
}

TEST(HostOverride, WithoutAPortThatOfTheScheme) {
  EXPECT_EQ(parse_host_override("a.example=127.0.0.1")->connect_to, "127.0.0.1:443");
  EXPECT_EQ(parse_host_override("a.example=127.0.0.1:443")->connect_to, "127.0.0.1:443");
  EXPECT_EQ(parse_host_override("a.example=http://127.0.0.1")->connect_to, "127.0.0.1:80");
}

TEST(HostOverride, FaultsAreExplained) {
  for (const char* text : {"", "example.com", "example.com=", "=127.0.0.1:1", "example.com:80=127.0.0.1:1",
                           "https://example.com=127.0.0.1:1", "example.com=127.0.0.1:99999",
                           "example.com=ftp://127.0.0.1", "example.com=127.0.0.1/x", "a b=127.0.0.1"}) {
    const auto result = parse_host_override(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, base::Errc::invalid_argument);
    EXPECT_NE(result.error().message.find("HOST=ADDRESS:PORT"), std::string::npos);
  }
}

TEST(HostOverride, OnlyTheHost) {
  const std::vector overrides{*parse_host_override("example.com=127.0.0.1:1")};
  EXPECT_NE(find_override(overrides, *base::Url::parse("https://example.com:8443/x")), nullptr);
  EXPECT_EQ(find_override(overrides, *base::Url::parse("https://www.example.com/")), nullptr);
}

}  // namespace
}  // namespace sheaf::http::fetch
