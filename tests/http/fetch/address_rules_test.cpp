#include "sheaf/http/fetch/address_rules.h"

#include "sheaf/http/fetch/fetcher.h"

#include <gtest/gtest.h>

#include <map>

namespace sheaf::http::fetch {
namespace {

base::Url url(std::string_view text) { return base::Url::parse(text).value(); }

TEST(AddressRules, PublicAddresses) {
  for (const std::string_view address : {"1.1.1.1",          "8.8.8.8",         "9.255.255.255",
                                         "11.0.0.0",         "100.63.255.255",  "100.128.0.0",
                                         "126.255.255.255",  "128.0.0.0",       "169.253.255.255",
                                         "169.255.0.0",      "172.15.255.255",  "172.32.0.0",
                                         "191.255.255.255",  "192.0.1.0",       "192.0.3.0",
                                         "192.167.255.255",  "192.169.0.0",     "198.17.255.255",
                                         "198.20.0.0",       "198.51.99.255",   "203.0.112.255",
                                         "203.0.114.0",      "223.255.255.255", "2606:4700::1111",
                                         "2000::1",          "2001:200::1",     "2001:4860:4860::8888",
                                         "2a00:1450::1",     "3ffe::1",         "::ffff:8.8.8.8",
                                         "64:ff9b::8.8.8.8", "2002:808:808::1"})
    EXPECT_TRUE(is_public_address(address)) << address;
}

TEST(AddressRules, AddressesThatAreNotPublic) {
  for (const std::string_view address : {"0.0.0.0",
                                         "0.255.255.255",
                                         "10.0.0.1",
                                         "10.255.255.255",
                                         "100.64.0.1",
                                         "100.127.255.255",
                                         "127.0.0.1",
                                         "127.255.255.254",
                                         "169.254.169.254",
                                         "172.16.0.1",
                                         "172.31.255.255",
                                         "192.0.0.1",
                                         "192.0.2.1",
                                         "192.88.99.1",
                                         "192.168.0.1",
                                         "198.18.0.1",
                                         "198.19.255.255",
                                         "198.51.100.1",
                                         "203.0.113.1",
                                         "224.0.0.1",
                                         "239.255.255.255",
                                         "240.0.0.1",
                                         "255.255.255.255",
                                         "::",
                                         "::1",
                                         "::7f00:1",
                                         "::ffff:127.0.0.1",
                                         "::ffff:10.0.0.1",
                                         "::ffff:169.254.169.254",
                                         "64:ff9b::127.0.0.1",
                                         "64:ff9b::a00:1",
                                         "64:ff9b:1::8.8.8.8",
                                         "100::1",
                                         "2001::1",
                                         "2001:2::1",
                                         "2001:10::1",
                                         "2001:db8::1",
                                         "2002:7f00:1::",
                                         "2002:a00:1::1",
                                         "2002:c0a8:1::1",
                                         "3fff::1",
                                         "4000::1",
                                         "5f00::1",
                                         "fc00::1",
                                         "fd12:3456::1",
                                         "fe80::1",
                                         "febf::1",
                                         "fec0::1",
                                         "ff02::1",
                                         "fe80::1%eth0",
                                         "",
                                         "localhost",
                                         "1.2.3",
                                         "0x7f.1",
                                         "127.0.0.1 "})
    EXPECT_FALSE(is_public_address(address)) << address;
}

TEST(AddressRules, LiteralHostsAndLocalNamesAreCheckedBeforeResolving) {
  for (const std::string_view address :
       {"http://127.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://127.1/",
        "http://[::1]/", "http://[::ffff:7f00:1]/", "http://10.0.0.1:8080/x", "https://localhost/",
        "https://LOCALHOST./", "http://a.localhost/", "http://localhost.localdomain/", "http://ip6-loopback/",
        "http://[fe80::1]/", "http://192.168.1.1/"}) {
    const auto checked = check_literal_host(url(address));
    ASSERT_FALSE(checked) << address;
    EXPECT_EQ(checked.error().code, base::Errc::refused) << address;
    EXPECT_NE(checked.error().message.find("--allow-private"), std::string::npos) << checked.error().message;
  }
  for (const std::string_view address : {"https://example.com/", "http://8.8.8.8/", "http://[2606:4700::1]/",
                                         "http://localhost.example.com/", "http://mylocalhost/"})
    EXPECT_TRUE(check_literal_host(url(address))) << address;
}

TEST(AddressRules, Redirects) {
  const base::Url from = url("https://user:secret@example.com/a/b?c");
  struct Case {
    std::string_view location, target;
  };
  for (const Case& each : {Case{"/x#there", "https://user:secret@example.com/x"},
                           Case{"https://example.com/x", "https://example.com/x"},
                           Case{"//other.example/y?z", "https://other.example/y?z"},
                           Case{"https://them:pass@other.example/", "https://other.example/"},
                           Case{" https://other.example/ ", "https://other.example/"}}) {
    const auto target = redirect_target(each.location, from, false);
    ASSERT_TRUE(target) << each.location << ": " << target.error().message;
    EXPECT_EQ(target->href(), each.target);
  }
  for (const std::string_view location : {"file:///etc/passwd", "ftp://example.com/", "javascript:alert(1)",
                                          "gopher://127.0.0.1:25/", "http://example.com/downgrade"}) {
    const auto target = redirect_target(location, from, false);
    ASSERT_FALSE(target) << location;
    EXPECT_EQ(target.error().code, base::Errc::refused) << location;
    EXPECT_EQ(target.error().message.find("secret"), std::string::npos) << target.error().message;
  }
  for (const std::string_view location : {"https://", "http://[::1", "https://a b/", "//:80"}) {
    const auto target = redirect_target(location, from, true);
    ASSERT_FALSE(target) << location;
    EXPECT_EQ(target.error().code, base::Errc::invalid_data) << location;
  }
  EXPECT_TRUE(redirect_target("http://example.com/", from, true));
  EXPECT_TRUE(redirect_target("https://example.com/", url("http://example.com/"), false));
}

TEST(AddressRules, KeysAndNamesOfHosts) {
  EXPECT_EQ(host_key(url("https://Example.com/x")), "example.com:443");
  EXPECT_EQ(host_key(url("http://example.com/x")), "example.com:80");
  EXPECT_EQ(host_key(url("http://[::1]:8080/")), "[::1]:8080");
  EXPECT_EQ(shown_url(url("https://me:secret@example.com/x?y#z")), "https://example.com/x?y");
  EXPECT_EQ(shown_url(url("https://e/" + std::string(500, 'a'))).size(), 303U);
}

TEST(ProxyChoice, VariablesAndExceptions) {
  const std::map<std::string, std::string> variables = {
      {"http_proxy", "http://p:1"},
      {"HTTPS_PROXY", "http://p:2"},
      {"HTTP_PROXY", "http://never:3"},
      {"no_proxy", "a.example, .b.example,10.0.0.0/8 [::1]"}};
  const ProxySettings settings = read_proxy_settings([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
  EXPECT_EQ(choose_proxy(settings, url("http://c.example/")), "http://p:1");
  EXPECT_EQ(choose_proxy(settings, url("https://c.example/")), "http://p:2");
  for (const std::string_view direct : {"http://a.example/", "https://x.A.example./", "http://b.example/",
                                        "http://x.b.example/", "http://10.2.3.4/", "http://[::1]:8/"})
    EXPECT_EQ(choose_proxy(settings, url(direct)), "") << direct;
  for (const std::string_view proxied : {"http://ba.example/", "http://11.0.0.1/", "http://example/"})
    EXPECT_EQ(choose_proxy(settings, url(proxied)), "http://p:1") << proxied;
  EXPECT_EQ(choose_proxy({.all = "socks5h://s"}, url("https://c.example/")), "socks5h://s");
  EXPECT_EQ(choose_proxy({.all = "socks5h://s", .except = "*"}, url("https://c.example/")), "");
  EXPECT_EQ(choose_proxy({}, url("https://c.example/")), "");
}

}  // namespace
}  // namespace sheaf::http::fetch
