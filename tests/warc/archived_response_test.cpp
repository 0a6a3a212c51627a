#include "sheaf/warc/warc_record.h"
#include "warc/warc_text.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace sheaf::warc {
namespace {

constexpr std::string_view kPage =
    "<!doctype html><title>Pears</title><p>Pears are pomaceous fruits. Pears are pomaceous fruits. Pears are "
    "pomaceous fruits. Pears are pomaceous fruits. </p>";
constexpr std::string_view kBrotliPage(
    "\x1b\x99\x00\x00\x8c\x93\x54\xfd\x3d\xcc\x6d\x6c\x5d\xc7\x6a\x7e\x09\x67\x18\x49\x01\x05\x0e\x39\x60\xff"
    "\x96\xa5\x94\x51\xe4\x09\x48\x30\x91\x83\x00\xbf\x34\x7d\x1a\xd2\x25\x5e\xae\x03\x5e\x16\x78\xc2\x7a\xd8"
    "\xf2\x07\x01\xdc\xa5\xe0\xe9\x1e",
    60);

std::string zlib_page() {
  std::string out(compressBound(kPage.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(kPage.data()),
           kPage.size());
  out.resize(size);
  return out;
}

std::string chunked(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += 37) {
    const std::string_view piece = body.substr(at, 37);
    char size[16];
    std::snprintf(size, sizeof size, "%zX;x=y\r\n", piece.size());
    out += size;
    out += piece;
    out += "\r\n";
  }
  return out + "0\r\nTrailer: x\r\n\r\n";
}

RecordHead response_head() {
  RecordHead head;
  head.type = RecordType::response;
  head.url = "https://a.example/";
  head.content_type = "application/http;msgtype=response";
  return head;
}

/// The decoded body of a response with these header lines, or the error.
std::string body_of(std::string_view headers, std::string_view body) {
  const std::string block = "HTTP/1.1 200 OK\r\n" + std::string(headers) + "\r\n" + std::string(body);
  const auto response = parse_response(response_head(), block);
  if (!response) return "error: " + response.error().message;
  auto decoded = decode_body(*response, 1 << 20);
  return decoded ? *decoded : "error: " + decoded.error().message;
}

TEST(ArchivedResponse, HeadAndBody) {
  const auto response = parse_response(
      response_head(),
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nX-A: 1\r\n\t2\r\nX-a: 3\r\n\r\nbody\r\n\r\n");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->head.status, 404);
  EXPECT_EQ(response->head.header("content-type"), "text/html");
  EXPECT_EQ(response->head.joined("x-a"), "1 2, 3");
  EXPECT_EQ(response->body, "body\r\n\r\n");
}

TEST(ArchivedResponse, Codings) {
  EXPECT_EQ(body_of("", kPage), kPage);
  EXPECT_EQ(body_of("Transfer-Encoding: chunked\r\n", chunked(kPage)), kPage);
  EXPECT_EQ(body_of("Content-Encoding: gzip\r\n", compressed(kPage, format::Codec::gzip)), kPage);
  EXPECT_EQ(body_of("Content-Encoding: deflate\r\n", zlib_page()), kPage);
  EXPECT_EQ(body_of("Content-Encoding: br\r\n", kBrotliPage), kPage);
  EXPECT_EQ(body_of("Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n", chunked(kBrotliPage)), kPage);
}

// Many writers remove codings and leave their headers.
TEST(ArchivedResponse, HeadersOfCodingsThatWereRemoved) {
  EXPECT_EQ(body_of("Transfer-Encoding: chunked\r\n", kPage), kPage);
  for (const std::string_view coding : {"gzip", "br", "deflate", "zstd"})
    EXPECT_EQ(body_of("Content-Encoding: " + std::string(coding) + "\r\n", kPage), kPage) << coding;
}

TEST(ArchivedResponse, DamagedBodies) {
  const auto is_error = [](const std::string& text) { return text.starts_with("error: "); };
  const std::string whole = chunked(kPage);
  EXPECT_TRUE(is_error(body_of("Transfer-Encoding: chunked\r\n", whole.substr(0, 60))));
  EXPECT_TRUE(is_error(body_of("Content-Encoding: br\r\n", kBrotliPage.substr(0, 40))));
  EXPECT_TRUE(is_error(body_of("Content-Encoding: br\r\n", std::string(kBrotliPage) + "more")));
  EXPECT_TRUE(
      is_error(body_of("Content-Encoding: gzip\r\n", compressed(kPage, format::Codec::gzip).substr(0, 50))));
  EXPECT_TRUE(is_error(body_of("", std::string((1 << 20) + 1, 'x'))));
  EXPECT_TRUE(is_error(
      body_of("Content-Encoding: gzip\r\n", compressed(std::string(5 << 20, 'x'), format::Codec::gzip))));
}

TEST(ArchivedResponse, NotAResponse) {
  EXPECT_FALSE(parse_response(response_head(), ""));
  EXPECT_FALSE(parse_response(response_head(), "GET / HTTP/1.1\r\n\r\n"));
  EXPECT_FALSE(parse_response(response_head(), "HTTP/1.1 2x0 OK\r\n\r\n"));
  EXPECT_FALSE(parse_response(response_head(), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"));
  EXPECT_FALSE(
      parse_response(response_head(), "HTTP/1.1 200 OK\r\nX: " + std::string(300'000, 'x') + "\r\n\r\n"));
  RecordHead dns = response_head();
  dns.content_type = "text/dns";
  EXPECT_FALSE(parse_response(dns, "HTTP/1.1 200 OK\r\n\r\n"));
}

TEST(ArchivedResponse, Resource) {
  RecordHead head = response_head();
  head.type = RecordType::resource;
  head.content_type = "text/html";
  const auto response = parse_response(head, kPage);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->head.status, 200);
  EXPECT_EQ(response->head.header("content-type"), "text/html");
  EXPECT_EQ(response->body, kPage);
}

}  // namespace
}  // namespace sheaf::warc
