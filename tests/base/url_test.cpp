#include "sheaf/base/url.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace sheaf::base {
namespace {

using namespace std::string_view_literals;

std::string parse_or_fail(std::string_view input, const Url* base = nullptr) {
  const std::optional<Url> url = Url::parse(input, base);
  return url ? std::string(url->href()) : "failure";
}

struct Parse {
  std::string_view input;
  std::string_view href;  // "failure" if the standard refuses it or the result is not http(s)
};

template <std::size_t N>
void expect_all(const Parse (&cases)[N], const Url* base = nullptr) {
  for (const auto& [input, href] : cases) {
    EXPECT_EQ(parse_or_fail(input, base), href) << "input: " << input;
    if (href != "failure") {
      EXPECT_EQ(parse_or_fail(href), href) << "the normal form is not stable";
    }
  }
}

TEST(SpecUrlParse, TrimsAndStrips) {
  constexpr Parse kCases[] = {
      {"https://example.com/a?b#c", "https://example.com/a?b#c"},
      {"https://example.com", "https://example.com/"},
      {"  https://example.com/  ", "https://example.com/"},
      {"\x01\x1f https://example.com/\x1e\n", "https://example.com/"},
      {"\0https://example.com/\0"sv, "https://example.com/"},
      {"ht\ntps://exa\tmple.com/\ra\nb", "https://example.com/ab"},
      {"https:/\n/example.com/", "https://example.com/"},
      {"https://example.com:8\t0/", "https://example.com:80/"},
      {"", "failure"},
      {"   ", "failure"},
      {"\xC2\xA0https://example.com/", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, SchemeAndSlashes) {
  constexpr Parse kCases[] = {
      {"HTTPS://example.com/", "https://example.com/"},
      {"hTtP://example.com/", "http://example.com/"},
      {"https:example.com/x", "https://example.com/x"},
      {"https:/example.com/x", "https://example.com/x"},
      {"https:////example.com/x", "https://example.com/x"},
      {"https:\\\\example.com\\x", "https://example.com/x"},
      {"https:/\\/\\example.com/x", "https://example.com/x"},
      {"https:", "failure"},
      {"https://", "failure"},
      {"https:///", "failure"},
      {"https:///?q", "failure"},
      {"https://#f", "failure"},
      {"ftp://example.com/", "failure"},
      {"wss://example.com/", "failure"},
      {"file:///etc/hosts", "failure"},
      {"mailto:a@example.com", "failure"},
      {"javascript:alert(1)", "failure"},
      {"httpss://example.com/", "failure"},
      {"http+x://example.com/", "failure"},
      {"1http://example.com/", "failure"},
      {"://example.com/", "failure"},
      {"//example.com/", "failure"},
      {"/path", "failure"},
      {"example.com", "failure"},
      {"?q", "failure"},
      {"#f", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Credentials) {
  constexpr Parse kCases[] = {
      {"https://user@example.com/", "https://user@example.com/"},
      {"https://user:pass@example.com/", "https://user:pass@example.com/"},
      {"https://user:@example.com/", "https://user@example.com/"},
      {"https://:pass@example.com/", "https://:pass@example.com/"},
      {"https://:@example.com/", "https://example.com/"},
      {"https://@example.com/", "https://example.com/"},
      {"https://a@b@example.com/", "https://a%40b@example.com/"},
      {"https://a:b@c:d@example.com/", "https://a:b%40c%3Ad@example.com/"},
      {"https://a;b=c|d@example.com/", "https://a%3Bb%3Dc%7Cd@example.com/"},
      {"https://u[]^s@example.com/", "https://u%5B%5D%5Es@example.com/"},
      {"https://caf\xC3\xA9:\xE2\x82\xAC@example.com/", "https://caf%C3%A9:%E2%82%AC@example.com/"},
      {"https://%zz:%41@example.com/", "https://%zz:%41@example.com/"},
      {"https://user:pass@", "failure"},
      {"https://user@/x", "failure"},
      {"https://user@:80/x", "failure"},
      {"https://a/b@c/", "https://a/b@c/"},
      {"https://a?b@c/", "https://a/?b@c/"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Port) {
  constexpr Parse kCases[] = {
      {"https://example.com:443/", "https://example.com/"},
      {"http://example.com:80/", "http://example.com/"},
      {"https://example.com:80/", "https://example.com:80/"},
      {"http://example.com:443/", "http://example.com:443/"},
      {"https://example.com:/", "https://example.com/"},
      {"https://example.com:", "https://example.com/"},
      {"https://example.com:0/", "https://example.com:0/"},
      {"https://example.com:00008080/", "https://example.com:8080/"},
      {"https://example.com:65535?q", "https://example.com:65535/?q"},
      {"https://example.com:65536/", "failure"},
      {"https://example.com:99999999999999999999/", "failure"},
      {"https://example.com:-1/", "failure"},
      {"https://example.com:80a/", "failure"},
      {"https://example.com: 80/", "failure"},
      {"https://example.com:80:80/", "failure"},
      {"https://:80/", "failure"},
      {"https://[::1]:8080/", "https://[::1]:8080/"},
      {"https://[::1]:443/", "https://[::1]/"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Domain) {
  constexpr Parse kCases[] = {
      {"https://EXAMPLE.com/", "https://example.com/"},
      {"https://ex%41mple.com/", "https://example.com/"},
      {"https://example.com./", "https://example.com./"},
      {"https://a..b/", "https://a..b/"},
      {"https://a_b.example/", "https://a_b.example/"},
      {"https://-a-.example/", "https://-a-.example/"},
      {"https://a!$&'()*+,;=b/", "https://a!$&'()*+,;=b/"},
      {"https://{a}`\"~/", "https://{a}`\"~/"},
      {"https://xn--a/", "https://xn--a/"},
      {"https://XN--ZCA/", "https://xn--zca/"},
      {"https://a b/", "failure"},
      {"https://a%20b/", "failure"},
      {"https://a%/", "failure"},
      {"https://a%2/", "failure"},
      {"https://a%25b/", "failure"},
      {"https://a%2Fb/", "failure"},
      {"https://a%00b/", "failure"},
      {"https://a%7Fb/", "failure"},
      {"https://a\x7f/", "failure"},
      {"https://a<b/", "failure"},
      {"https://a>b/", "failure"},
      {"https://a^b/", "failure"},
      {"https://a|b/", "failure"},
      {"https://a]b/", "failure"},
      {"https://a[b/", "failure"},
      {"https://a\x01z/", "failure"},
      {"https://%AD/", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, InternationalDomain) {
  constexpr Parse kCases[] = {
      {"https://b\xC3\xBC\x63her.example/", "https://xn--bcher-kva.example/"},
      {"https://B\xC3\x9C\x43HER.example/", "https://xn--bcher-kva.example/"},
      {"https://bu\xCC\x88\x63her.example/", "https://xn--bcher-kva.example/"},
      {"https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"},
      {"https://stra\xC3\x9F\x65.example/", "https://xn--strae-oqa.example/"},
      {"https://\xE1\xBA\x9E.example/", "https://xn--zca.example/"},
      {"https://\xEF\xBD\x87\xEF\xBD\x8F.example/", "https://go.example/"},
      {"https://a\xE3\x80\x82\x62\xEF\xBC\x8E\x63\xEF\xBD\xA1\x64/", "https://a.b.c.d/"},
      {"https://a\xC2\xAD\x62/", "https://ab/"},
      {"https://\xC2\xAD/", "failure"},
      {"https://\xF0\x9F\x92\xA9.example/", "https://xn--ls8h.example/"},
      {"https://-\xC3\xA9-.example/", "https://xn-----bja.example/"},
      {"https://ab--\xC3\xA9.example/", "https://xn--ab---epa.example/"},
      {"https://<\xCC\xB8/", "https://xn--gdh/"},
      {"https://xn--zca.\xC3\xA9/", "https://xn--zca.xn--9ca/"},
      {"https://xn--a.\xC3\xA9/", "failure"},
      {"https://xn--a-.\xC3\xA9/", "failure"},
      {"https://xn--.\xC3\xA9/", "failure"},
      {"https://xn--\xC3\xA9/", "failure"},
      {"https://xn--xn---epa.\xC3\xA9/", "failure"},  // xn--xn---epa stands for "xn--" and an e with acute
      {"https://\xC3\xA9xn--/", "https://xn--xn---9oa/"},
      {"https://a.\xCC\x80\x62/", "failure"},
      {"https://a\xE2\x80\x8D\x62/", "failure"},
      {"https://\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7/", "https://xn--11b2ezcw70k/"},
      {"https://\xD7\x90\xD7\x91/", "https://xn--4dbc/"},
      {"https://\xD7\x90\x61/", "failure"},
      {"https://1.\xD7\x90/", "failure"},
      {"https://a1.\xD7\x90/", "https://a1.xn--4db/"},
      {"https://\xD7\x90\xC2\xB7\xE2\x99\xA5/", "failure"},
      {"https://\xE1\x84\x80.\xD7\x90/", "https://xn--ypd.xn--4db/"},
      {"https://\xD7\x90\xE2\x86\x87\xD7\x90/", "failure"},
      {"https://\xE2\x99\xA5.\xD7\x90/", "failure"},
      {"https://\xD7\x90\xE2\x99\xA5\xD7\x90/", "https://xn--4dba631w/"},
      {"https://\xD9\xA1\xD7\x90/", "failure"},
      {"https://\xD7\x90\xD9\xA1\x31/", "failure"},
      {"https://\xEF\xB5\xAB\xE0\xAF\x81/", "failure"},  // a left-to-right vowel sign in an Arabic label
      {"https://\xD3\x80.example/", "https://xn--s5a.example/"},  // mapped since Unicode 15.1
      {"https://a\xE1\xA0\x8E\x62.example/", "https://ab.example/"},
      {"https://\xEF\xBF\xBD/", "failure"},
      {"https://\xFF/", "failure"},
      {"https://\xC3/", "failure"},
      {"https://%C3/", "failure"},
      {"https://a\xE2\x80\xAE\x62/", "failure"},
      {"https://\xE2\x84\x80/", "failure"},
      {"https://\xEF\xBC\x85\x34\x31/", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Ipv4) {
  constexpr Parse kCases[] = {
      {"http://192.168.0.1/", "http://192.168.0.1/"},
      {"http://192.168.0.1./", "http://192.168.0.1/"},
      {"http://192.168.1/", "http://192.168.0.1/"},
      {"http://192.1/", "http://192.0.0.1/"},
      {"http://3232235521/", "http://192.168.0.1/"},
      {"http://0xC0A80001/", "http://192.168.0.1/"},
      {"http://0300.0250.0.01/", "http://192.168.0.1/"},
      {"http://0xc0.0250.1/", "http://192.168.0.1/"},
      {"http://0x/", "http://0.0.0.0/"},
      {"http://0x.0X.0/", "http://0.0.0.0/"},
      {"http://00/", "http://0.0.0.0/"},
      {"http://255.255.255.255/", "http://255.255.255.255/"},
      {"http://4294967295/", "http://255.255.255.255/"},
      {"http://%31%32%37.1/", "http://127.0.0.1/"},
      {"http://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.1/", "http://127.0.0.1/"},
      {"http://4294967296/", "failure"},
      {"http://256.0.0.1/", "failure"},
      {"http://1.2.3.256/", "failure"},
      {"http://1.2.65536/", "failure"},
      {"http://1.16777216/", "failure"},
      {"http://1.2.3.4.5/", "failure"},
      {"http://1..2/", "failure"},
      {"http://a.1/", "failure"},
      {"http://a.0x1/", "failure"},
      {"http://a.0xg/", "http://a.0xg/"},
      {"http://1.2.3.08/", "failure"},
      {"http://08/", "failure"},
      {"http://1.2.3.4a/", "http://1.2.3.4a/"},
      {"http://1.2../", "http://1.2../"},
      {"http://99999999999999999999999999/", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Ipv6) {
  constexpr Parse kCases[] = {
      {"http://[::]/", "http://[::]/"},
      {"http://[::1]/", "http://[::1]/"},
      {"http://[1::]/", "http://[1::]/"},
      {"http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"},
      {"http://[2001:db8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]/"},
      {"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"},
      {"http://[1:0:2:0:3:0:4:0]/", "http://[1:0:2:0:3:0:4:0]/"},
      {"http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/"},
      {"http://[::127.0.0.1]/", "http://[::7f00:1]/"},
      {"http://[1:2:3:4:5:6:1.2.3.4]/", "http://[1:2:3:4:5:6:102:304]/"},
      {"http://[00ff::0abc]/", "http://[ff::abc]/"},
      {"http://u@[::1]:81/", "http://u@[::1]:81/"},
      {"http://[]/", "failure"},
      {"http://[:]/", "failure"},
      {"http://[:::]/", "failure"},
      {"http://[1:]/", "failure"},
      {"http://[:1]/", "failure"},
      {"http://[1::2::3]/", "failure"},
      {"http://[1:2:3:4:5:6:7]/", "failure"},
      {"http://[1:2:3:4:5:6:7:8:9]/", "failure"},
      {"http://[::1:2:3:4:5:6:7:8]/", "failure"},
      {"http://[12345::]/", "failure"},
      {"http://[g::]/", "failure"},
      {"http://[::1.2.3]/", "failure"},
      {"http://[::1.2.3.4.5]/", "failure"},
      {"http://[::1.2.3.256]/", "failure"},
      {"http://[::01.2.3.4]/", "failure"},
      {"http://[::1.2.3.4:5]/", "failure"},
      {"http://[::.1.2.3]/", "failure"},
      {"http://[::a.1.2.3]/", "failure"},
      {"http://[1:2:3:4:5:6:7:1.2.3.4]/", "failure"},
      {"http://[fe80::1%25eth0]/", "failure"},
      {"http://[::1/", "failure"},
      {"http://::1]/", "failure"},
      {"http://[::1]a/", "failure"},
      {"http://%5B::1]/", "failure"},
      {"http://[v1.a]/", "failure"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, Path) {
  constexpr Parse kCases[] = {
      {"https://h/a/./b", "https://h/a/b"},
      {"https://h/a/../b", "https://h/b"},
      {"https://h/a/b/..", "https://h/a/"},
      {"https://h/a/b/.", "https://h/a/b/"},
      {"https://h/a/b/../", "https://h/a/"},
      {"https://h/../../a", "https://h/a"},
      {"https://h/..", "https://h/"},
      {"https://h/.", "https://h/"},
      {"https://h/a//b", "https://h/a//b"},
      {"https://h/a//../b", "https://h/a/b"},
      {"https://h//", "https://h//"},
      {"https://h//..", "https://h/"},
      {"https://h/a/%2e/b", "https://h/a/b"},
      {"https://h/a/%2E%2e/b", "https://h/b"},
      {"https://h/a/.%2e", "https://h/"},
      {"https://h/a/%2e.", "https://h/"},
      {"https://h/a/...", "https://h/a/..."},
      {"https://h/a/%2e%2e%2e", "https://h/a/%2e%2e%2e"},
      {"https://h/a/..b/.c", "https://h/a/..b/.c"},
      {"https://h\\a\\..\\b", "https://h/b"},
      {"https://h/a b\"<>`{}^", "https://h/a%20b%22%3C%3E%60%7B%7D%5E"},
      {"https://h/!$&'()*+,;=:@|[]~_-", "https://h/!$&'()*+,;=:@|[]~_-"},
      {"https://h/%", "https://h/%"},
      {"https://h/%4z%41", "https://h/%4z%41"},
      {"https://h/\x7f\x01", "https://h/%7F"},
      {"https://h/\x01z", "https://h/%01z"},
      {"https://h/a\0b"sv, "https://h/a%00b"},
      {"https://h/caf\xC3\xA9", "https://h/caf%C3%A9"},
      {"https://h/\xF0\x9F\x92\xA9", "https://h/%F0%9F%92%A9"},
      {"https://h/\xFF", "https://h/%EF%BF%BD"},
      {"https://h/\xE2\x82z", "https://h/%EF%BF%BDz"},
      {"https://h/\xED\xA0\x80", "https://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
      {"https://h/\xC0\xAF", "https://h/%EF%BF%BD%EF%BF%BD"},
      {"https://h/\xF4\x90\x80\x80", "https://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
  };
  expect_all(kCases);
}

TEST(SpecUrlParse, QueryAndFragment) {
  constexpr Parse kCases[] = {
      {"https://h?", "https://h/?"},
      {"https://h#", "https://h/#"},
      {"https://h?#", "https://h/?#"},
      {"https://h/?a=b&c=d", "https://h/?a=b&c=d"},
      {"https://h/? '\"<>#", "https://h/?%20%27%22%3C%3E#"},
      {"https://h/?a?b/../c", "https://h/?a?b/../c"},
      {"https://h/?{}|\\^`", "https://h/?{}|\\^`"},
      {"https://h/?%zz%", "https://h/?%zz%"},
      {"https://h/?\xC3\xA9", "https://h/?%C3%A9"},
      {"https://h/?\xFF", "https://h/?%EF%BF%BD"},
      {"https://h/#a#b?c", "https://h/#a#b?c"},
      {"https://h/# \"<>`'", "https://h/#%20%22%3C%3E%60'"},
      {"https://h/#{}|\\^", "https://h/#{}|\\^"},
      {"https://h/#\xC3\xA9\xFF", "https://h/#%C3%A9%EF%BF%BD"},
  };
  expect_all(kCases);
}

TEST(SpecUrlResolve, AgainstAnHttpBase) {
  constexpr Parse kCases[] = {
      {"", "http://u:p@h:81/a/b/c?q"},
      {"#", "http://u:p@h:81/a/b/c?q#"},
      {"#x", "http://u:p@h:81/a/b/c?q#x"},
      {"?", "http://u:p@h:81/a/b/c?"},
      {"?x#y", "http://u:p@h:81/a/b/c?x#y"},
      {"d", "http://u:p@h:81/a/b/d"},
      {"d/", "http://u:p@h:81/a/b/d/"},
      {"d?x", "http://u:p@h:81/a/b/d?x"},
      {".", "http://u:p@h:81/a/b/"},
      {"./d", "http://u:p@h:81/a/b/d"},
      {"..", "http://u:p@h:81/a/"},
      {"../d", "http://u:p@h:81/a/d"},
      {"../../../d", "http://u:p@h:81/d"},
      {"%2e%2E/d", "http://u:p@h:81/a/d"},
      {"..\\d", "http://u:p@h:81/a/d"},
      {"/", "http://u:p@h:81/"},
      {"/d", "http://u:p@h:81/d"},
      {"\\d", "http://u:p@h:81/d"},
      {"/d/../e", "http://u:p@h:81/e"},
      {"/?x", "http://u:p@h:81/?x"},
      {"//x", "http://x/"},
      {"//x/y", "http://x/y"},
      {"\\\\x\\y", "http://x/y"},
      {"/\\x", "http://x/"},
      {"///x", "http://x/"},
      {"//x:80", "http://x/"},
      {"//", "failure"},
      {"///", "failure"},
      {"http:d", "http://u:p@h:81/a/b/d"},
      {"HTTP:/d", "http://u:p@h:81/d"},
      {"http:", "http://u:p@h:81/a/b/c?q"},
      {"http:?x", "http://u:p@h:81/a/b/c?x"},
      {"http:\\\\x", "http://x/"},
      {"http://x", "http://x/"},
      {"https:d", "https://d/"},
      {"https:/d", "https://d/"},
      {"https:", "failure"},
      {"ftp://x/", "failure"},
      {"mailto:x", "failure"},
      {"a:b", "failure"},
      {"./a:b", "http://u:p@h:81/a/b/a:b"},
      {"1:b", "http://u:p@h:81/a/b/1:b"},
      {":b", "http://u:p@h:81/a/b/:b"},
      {"@x", "http://u:p@h:81/a/b/@x"},
      {" d e ", "http://u:p@h:81/a/b/d%20e"},
      {"\td\n", "http://u:p@h:81/a/b/d"},
      {"\xC3\xA9", "http://u:p@h:81/a/b/%C3%A9"},
      {"//[::1]:82/x", "http://[::1]:82/x"},
      {"//a b/", "failure"},
  };
  const std::optional<Url> base = Url::parse("http://u:p@h:81/a/b/c?q#f");
  ASSERT_TRUE(base);
  expect_all(kCases, &*base);
}

TEST(SpecUrlResolve, AgainstABarePath) {
  constexpr Parse kCases[] = {
      {"", "https://h/"},  {"x", "https://h/x"},    {"..", "https://h/"},
      {".", "https://h/"}, {"../x", "https://h/x"}, {"?q", "https://h/?q"},
  };
  const std::optional<Url> base = Url::parse("https://h");
  ASSERT_TRUE(base);
  expect_all(kCases, &*base);
}

TEST(SpecUrlParts, AllThere) {
  const std::optional<Url> url = Url::parse("HTTPS://me:secret@Example.COM:8443/a/b;c?x=1#top");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->href(), "https://me:secret@example.com:8443/a/b;c?x=1#top");
  EXPECT_EQ(url->scheme(), "https");
  EXPECT_EQ(url->username(), "me");
  EXPECT_EQ(url->password(), "secret");
  EXPECT_EQ(url->host(), "example.com");
  EXPECT_EQ(url->port(), 8443);
  EXPECT_EQ(url->path(), "/a/b;c");
  EXPECT_TRUE(url->has_query());
  EXPECT_EQ(url->query(), "x=1");
  EXPECT_TRUE(url->has_fragment());
  EXPECT_EQ(url->fragment(), "top");
  EXPECT_EQ(url->origin(), "https://example.com:8443");
}

TEST(SpecUrlParts, NoneThere) {
  const std::optional<Url> url = Url::parse("http://h:80");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme(), "http");
  EXPECT_EQ(url->username(), "");
  EXPECT_EQ(url->password(), "");
  EXPECT_EQ(url->host(), "h");
  EXPECT_EQ(url->port(), std::nullopt);
  EXPECT_EQ(url->path(), "/");
  EXPECT_FALSE(url->has_query());
  EXPECT_EQ(url->query(), "");
  EXPECT_FALSE(url->has_fragment());
  EXPECT_EQ(url->fragment(), "");
  EXPECT_EQ(url->origin(), "http://h");
}

TEST(SpecUrlParts, EmptyIsNotAbsent) {
  const std::optional<Url> url = Url::parse("https://:p@h/?#");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->username(), "");
  EXPECT_EQ(url->password(), "p");
  EXPECT_TRUE(url->has_query());
  EXPECT_EQ(url->query(), "");
  EXPECT_TRUE(url->has_fragment());
  EXPECT_EQ(url->fragment(), "");
}

TEST(SpecUrlParts, PortZeroIsAPort) {
  const std::optional<Url> url = Url::parse("https://h:0/");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->port(), 0);
}

TEST(SheafOnlyUrl, PartsSurviveCopyMoveAndResolution) {
  std::optional<Url> url = Url::parse("https://u@h:1/p?q#f");
  ASSERT_TRUE(url);
  const Url copy = *url;
  const Url moved = std::move(*url);
  EXPECT_EQ(copy, moved);
  const std::optional<Url> resolved = Url::parse("x?y#z", &moved);
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->username(), "u");
  EXPECT_EQ(resolved->host(), "h");
  EXPECT_EQ(resolved->port(), 1);
  EXPECT_EQ(resolved->path(), "/x");
  EXPECT_EQ(resolved->query(), "y");
  EXPECT_EQ(resolved->fragment(), "z");
}

TEST(SheafOnlyUrl, WithoutFragment) {
  const std::optional<Url> url = Url::parse("https://u:p@h:1/p?q#f");
  ASSERT_TRUE(url);
  const Url bare = url->without_fragment();
  EXPECT_EQ(bare.href(), "https://u:p@h:1/p?q");
  EXPECT_FALSE(bare.has_fragment());
  EXPECT_EQ(bare.fragment(), "");
  EXPECT_EQ(bare.query(), "q");
  EXPECT_EQ(bare.password(), "p");
  EXPECT_EQ(bare, bare.without_fragment());
  EXPECT_EQ(Url::parse("", &*url), bare);
}

TEST(SheafOnlyUrl, NonAsciiHostsHaveAMaximumLength) {
  const auto parse_labels = [](std::size_t labels, std::size_t letters) {
    std::string text = "https://";
    for (std::size_t i = 0; i < labels; ++i) {
      if (i > 0) text += '.';
      for (std::size_t k = 0; k < letters; ++k) text += "\xC3\xA9";
    }
    return Url::parse(text + "/");
  };
  const auto longest = parse_labels(2, 511);
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->host().size(), 2 * (std::string_view("xn--9ca").size() + 510) + 1);
  EXPECT_FALSE(parse_labels(2, 512));
  // ICU's limit for one label.
  EXPECT_TRUE(parse_labels(1, 1000));
  EXPECT_FALSE(parse_labels(1, 1001));
}

TEST(SheafOnlyUrl, InputPastTheLimitIsRefused) {
  std::string input = "https://h/";
  input.resize((std::size_t{64} << 20) + 1, 'a');
  EXPECT_FALSE(Url::parse(input));
  // Within the limit itself, but not once it is encoded.
  input.resize(std::size_t{32} << 20);
  std::fill(input.begin() + 10, input.end(), ' ');
  input.back() = 'x';
  EXPECT_FALSE(Url::parse(input));
}

TEST(SheafOnlyIsHttpUrl, Yes) {
  for (const std::string_view url : {
           "http://example.com",
           "https://example.com/",
           "HTTP://example.com/",
           "hTTpS://EXAMPLE.com/",
           "https://example.com?q",
           "https://example.com#f",
           "https://example.com:8080",
           "https://example.com:8080/a",
           "https://example.com:0/",
           "https://example.com:65535/",
           "https://example.com:000065535/",
           "https://example.com:/",
           "https://example.com:",
           "https://user@example.com/",
           "https://user:pass@example.com:1/",
           "https://a@b@example.com/",
           "https://:@example.com/",
           "https://a:b:c@example.com/",
           "https://192.0.2.1/",
           "https://999.1.1.1/",
           "https://[::1]/",
           "https://[::1]",
           "https://[2001:DB8::1]:443/",
           "https://u:p@[::ffff:192.0.2.1]:8/",
           "https://[::1]:",
           "https://[::1]?q",
           "https://a/b:c@d",
           "https://a/[x]",
           "https://a/b/../c",
           "https://a/%zz",
           "https://a/\"<>{}|^`",
           "https://a<b/",
           "https://xn--a/",
           "https://caf\xC3\xA9.example/\xE2\x82\xAC",
           "https://a/\xC2\xA0",
           "https://a/\xFF\xFE",
           "https://%41/",
           "https://a?b@c:d",
           "https://a#b:c",
           "https://.",
           "http://s",
       }) {
    EXPECT_TRUE(is_http_url(url)) << url;
  }
}

TEST(SheafOnlyIsHttpUrl, No) {
  for (const std::string_view url : {
           ""sv,
           "h"sv,
           "http"sv,
           "http:"sv,
           "http:/"sv,
           "http://"sv,
           "https://"sv,
           "https:///"sv,
           "https:///path"sv,
           "https://?q"sv,
           "https://#f"sv,
           "https:/example.com/"sv,
           "https:example.com/"sv,
           "https:\\\\example.com/"sv,
           "https//example.com/"sv,
           "httpss://example.com/"sv,
           "httpx://example.com/"sv,
           "ftp://example.com/"sv,
           "//example.com/"sv,
           "/path"sv,
           "example.com"sv,
           "mailto:a@b"sv,
           " https://example.com/"sv,
           "https://example.com/ "sv,
           "https://exa mple.com/"sv,
           "https://example.com/a b"sv,
           "https://example.com/a\tb"sv,
           "https://example.com/a\nb"sv,
           "https://exam\rple.com/"sv,
           "https://example.com/\x7f"sv,
           "https://example.com/?a\x01"sv,
           "https://example.com/#\x1f"sv,
           "https://example.com/\0"sv,
           "https://example.com\0/"sv,
           "https://example.com\\a"sv,
           "https://example.com/a\\b"sv,
           "https://example.com/?a\\b"sv,
           "https://example.com/#a\\b"sv,
           "https://user @example.com/"sv,
           "https://user@"sv,
           "https://user@/"sv,
           "https://user@:80/"sv,
           "https://:80/"sv,
           "https://:"sv,
           "https://@/"sv,
           "https://@"sv,
           "https://example.com:65536/"sv,
           "https://example.com:99999999999999999999/"sv,
           "https://example.com:80a/"sv,
           "https://example.com:a/"sv,
           "https://example.com:-1/"sv,
           "https://example.com:80:80/"sv,
           "https://a:b:c/"sv,
           "https://::1/"sv,
           "https://[::1"sv,
           "https://[::1/"sv,
           "https://[]/"sv,
           "https://[example.com]/"sv,
           "https://[::g]/"sv,
           "https://[::1]a/"sv,
           "https://[::1]:a/"sv,
           "https://[::1]:65536/"sv,
           "https://[::1]]/"sv,
           "https://[fe80::1%25eth0]/"sv,
           "https://[1:2:3:4:5:6:7:8:9]/"sv,
       }) {
    EXPECT_FALSE(is_http_url(url)) << url;
  }
}

}  // namespace
}  // namespace sheaf::base
