#include "sheaf/http/message/client_check.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::http::message {
namespace {

TEST(RequestTarget, Paths) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"/", "/"},
      {"/a/b.txt", "/a/b.txt"},
      {"/a%20b", "/a b"},
      {"/a?b#", "#"},
      {"/%2e%2", "#"},
      {"/a%2Fb", "/a/b"},
      {"/...", "/..."},
      {"/..a/b..", "/..a/b.."},
      {"/a/.", "#"},
      {"/a/..", "#"},
      {"/%2E%2e/a", "#"},
      {"/a%2f..", "#"},
      {"/%00", "#"},
      {"http://h", "/"},
      {"http://h/a", "/a"},
      {"HTTP://h:80/a?x", "/a"},
      {"http://h?x", "/"},
      {"http:///a", "#"},
      {"ftp://h/a", "#"},
      {"h:443", "#"},
      {"", "#"},
      {"a", "#"},
      {"/a b", "#"},
      {"/a\tb", "#"},
      {"/a\x7F", "#"},
      {"/\xC3\xA9", "/\xC3\xA9"},
      {"/%C3%A9", "/\xC3\xA9"},
      {"/?/../x", "/"},
      {"//", "//"},
      {"/a//../b", "#"},
      {"/a;b=c", "/a;b=c"},
      {"http://h/../a", "#"},
  };
  for (const auto& [target, path] : rows) {
    const RequestTarget parsed = parse_request_target(target);
    EXPECT_EQ(parsed.kind == TargetKind::path ? parsed.path : "#", path) << target;
  }
}

TEST(RequestTarget, QueriesKindsAndLengths) {
  EXPECT_EQ(parse_request_target("/a?b=%zz?c").query, "b=%zz?c");
  EXPECT_EQ(parse_request_target("*").kind, TargetKind::asterisk);
  EXPECT_TRUE(parse_request_target("/a%2fb").has_encoded_slash);
  EXPECT_FALSE(parse_request_target("/a%252fb").has_encoded_slash);
  EXPECT_EQ(parse_request_target("/" + std::string(kMaxTargetLength - 1, 'a')).kind, TargetKind::path);
  EXPECT_EQ(parse_request_target("/" + std::string(kMaxTargetLength, 'a')).kind, TargetKind::too_long);
}

unsigned status_of(std::string_view version, const std::vector<Field>& fields, std::size_t size = 100,
                   std::string_view method = "GET") {
  const auto fault = check_head(method, version, Fields(fields), size);
  return fault ? fault->status : 0;
}

TEST(SpecRequestHead, WhatTwoServersCouldReadDifferentlyIsRefused) {
  const Field host{"Host", "a"};
  EXPECT_EQ(status_of("HTTP/1.1", {host}), 0U);
  EXPECT_EQ(status_of("HTTP/1.0", {}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {}), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, host}), 400U);
  EXPECT_EQ(status_of("HTTP/1.0", {host, host}), 400U);
  for (const char* bad : {"a b", "a/b", "a@b", "a\"", "<a>", "a\\b", "a?b"})
    EXPECT_EQ(status_of("HTTP/1.1", {{"Host", bad}}), 400U) << bad;
  for (const char* good : {"", "a.example:80", "[::1]:80", "a_b", "%41"})
    EXPECT_EQ(status_of("HTTP/1.1", {{"Host", good}}), 0U) << good;
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", "5"}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", "65536"}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", "65537"}}), 413U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", "99999999999999999999999"}}), 413U);
  for (const char* bad : {"", "-1", "+1", "0x1", "1,1", "1 1", "a", "1a"})
    EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", bad}}), 400U) << bad;
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Content-Length", "5"}, {"content-length", "5"}}), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Transfer-Encoding", "chunked"}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Transfer-Encoding", "Chunked "}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.0", {host, {"Transfer-Encoding", "chunked"}}), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Transfer-Encoding", "chunked"}, {"Content-Length", "0"}}), 400U);
  for (const char* bad : {"", "gzip", "gzip, chunked", "chunked, chunked", "identity", "chunked;x=y"})
    EXPECT_EQ(status_of("HTTP/1.1", {host, {"Transfer-Encoding", bad}}), 501U) << bad;
}

TEST(SpecRequestHead, NamesValuesMethodsAndSizes) {
  const Field host{"Host", "a"};
  for (const char* bad : {"", "a b", "a ", "a\t", "a(", "a\x01", "\xC3\xA9"})
    EXPECT_EQ(status_of("HTTP/1.1", {host, {bad, "x"}}), 400U) << bad;
  for (const char* bad : {"\x01", "a\rb", "a\nb", "\x7F"})
    EXPECT_EQ(status_of("HTTP/1.1", {host, {"x", bad}}), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"x", std::string_view("a\0b", 3)}}), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"x", "a\tb \xC3\xA9"}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host}, kMaxHeadBytes), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host}, kMaxHeadBytes + 1), 431U);
  EXPECT_EQ(status_of("HTTP/1.1", {host}, 100, "G(T"), 400U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Expect", "100-Continue"}}), 0U);
  EXPECT_EQ(status_of("HTTP/1.1", {host, {"Expect", "x"}}), 417U);
}

TEST(SpecRequestHead, BodiesAndTheEndOfConnections) {
  const auto announces = [](const std::vector<Field>& fields) { return announces_body(Fields(fields)); };
  EXPECT_FALSE(announces({}));
  EXPECT_FALSE(announces({{"Content-Length", "000"}}));
  EXPECT_TRUE(announces({{"Content-Length", "010"}}));
  EXPECT_TRUE(announces({{"Transfer-Encoding", "chunked"}}));
  const auto closes = [](std::string_view version, const std::vector<Field>& fields) {
    return asks_to_close(version, Fields(fields));
  };
  EXPECT_FALSE(closes("HTTP/1.1", {}));
  EXPECT_TRUE(closes("HTTP/1.0", {}));
  EXPECT_FALSE(closes("HTTP/1.0", {{"Connection", "a, Keep-Alive"}}));
  EXPECT_TRUE(closes("HTTP/1.0", {{"Connection", "keep-alive"}, {"Connection", "close"}}));
  EXPECT_TRUE(closes("HTTP/1.1", {{"Connection", "upgrade,\tCLOSE"}}));
  EXPECT_FALSE(closes("HTTP/1.1", {{"Connection", "closed"}}));
}

TEST(HttpMessage, TypesOfHtmlPages) {
  for (const char* type :
       {"text/html", "Text/HTML", " text/html ; charset=utf-8", "application/xhtml+xml;q=1"})
    EXPECT_TRUE(is_html_type(type)) << type;
  for (const char* type :
       {"", "text/htmlx", "text/plain", "application/xml", "x;text/html", "text/html,text/css"})
    EXPECT_FALSE(is_html_type(type)) << type;
}

TEST(HttpMessage, MethodsAndTokens) {
  EXPECT_EQ(method_of("GET"), Method::get);
  EXPECT_EQ(method_of("get"), Method::other);
  EXPECT_EQ(method_of("PATCH"), Method::known);
  EXPECT_EQ(method_of(""), Method::other);
  EXPECT_EQ(reason_phrase(416), "Range Not Satisfiable");
  EXPECT_EQ(reason_phrase(599), "Unknown");
  EXPECT_FALSE(is_token(std::string_view("a\0", 2)));
}

ClientAddress address(std::string_view text) { return parse_client_address(text).value(); }

TEST(ClientAddress, FormsAndKeys) {
  EXPECT_EQ(address("192.0.2.1").str(), "192.0.2.1");
  EXPECT_EQ(address("::ffff:192.0.2.1"), address("192.0.2.1"));
  EXPECT_EQ(address("2001:DB8::1").str(), "2001:db8::1");
  EXPECT_EQ(ClientAddress{}.str(), "-");
  EXPECT_EQ(address("2001:db8:1:2:3:4:5:6").rate_key(), address("2001:db8:1:2::9").rate_key());
  EXPECT_FALSE(address("2001:db8:1:2::").rate_key() == address("2001:db8:1:3::").rate_key());
  EXPECT_FALSE(address("192.0.2.1").rate_key() == address("192.0.2.2").rate_key());
  for (const char* bad :
       {"", "1.2.3", "1.2.3.4.5", "256.0.0.1", "0x7f.1", "1.2.3.4/8", "[::1]", "fe80::1%eth0", "a", "::1::"})
    EXPECT_FALSE(parse_client_address(bad)) << bad;
  EXPECT_FALSE(parse_client_address(std::string(100, '1')));
}

TEST(ClientAddress, Networks) {
  const auto contains = [](std::string_view network, std::string_view text) {
    return Network::parse(network).value().contains(address(text));
  };
  EXPECT_TRUE(contains("10.0.0.0/8", "10.255.0.1"));
  EXPECT_FALSE(contains("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(contains("192.0.2.128/25", "192.0.2.255"));
  EXPECT_FALSE(contains("192.0.2.128/25", "192.0.2.127"));
  EXPECT_TRUE(contains("0.0.0.0/0", "1.2.3.4"));
  EXPECT_FALSE(contains("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(contains("::/0", "1.2.3.4"));
  EXPECT_TRUE(contains("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(contains("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(contains("::1", "::1"));
  for (const char* bad : {"", "a", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "10.0.0.0/8x"})
    EXPECT_FALSE(Network::parse(bad)) << bad;
}

TEST(ClientAddress, ForwardedForIsTrustedFromTrustedProxiesOnly) {
  const std::vector<Network> trusted = {Network::parse("10.0.0.0/8").value(),
                                        Network::parse("2001:db8::/32").value()};
  const auto client = [&](std::string_view peer, std::string_view forwarded) {
    return client_behind(address(peer), forwarded, trusted).str();
  };
  EXPECT_EQ(client("192.0.2.1", "198.51.100.1"), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", ""), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "1.1.1.1, 198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1, 10.0.0.2,10.0.0.3"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "10.0.0.9"), "10.0.0.9");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1, unknown"), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "unknown, 198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1:4711"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "[2001:4860::1]:443"), "2001:4860::1");
  EXPECT_EQ(client("2001:db8::5", "2001:4860::1"), "2001:4860::1");
  EXPECT_EQ(client("10.0.0.1", ","), "10.0.0.1");
}

}  // namespace
}  // namespace sheaf::http::message
