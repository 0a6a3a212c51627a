#include "sheaf/http/message/request_parser.h"

#include "sheaf/http/message/message_body.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::http::message {
namespace {

TEST(SpecRequestParser, AWholeHead) {
  const std::string text = "\r\n\r\nGET /a?b HTTP/1.1\r\nHost: a\r\nX:\t y z \t\r\nEmpty:\r\n\r\nGET /next";
  RequestHead head;
  const HeadResult result = parse_head(text, head);
  ASSERT_EQ(result.status, HeadStatus::complete);
  EXPECT_EQ(text.substr(result.size), "GET /next");
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.target, "/a?b");
  EXPECT_EQ(head.version, "HTTP/1.1");
  ASSERT_EQ(head.fields.size(), 3U);
  EXPECT_EQ(head.fields[1].value, "y z");
  EXPECT_EQ(head.fields[2].name, "Empty");
  EXPECT_EQ(head.fields[2].value, "");
}

TEST(SpecRequestParser, EveryPrefixIsIncomplete) {
  const std::string text = "GET / HTTP/1.0\r\nHost: a\r\nX: y\r\n\r\n";
  RequestHead head;
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(parse_head(std::string_view(text).substr(0, size), head).status, HeadStatus::incomplete)
        << size;
  EXPECT_EQ(parse_head(text, head).size, text.size());
  EXPECT_EQ(head.version, "HTTP/1.0");
}

TEST(SpecRequestParser, Faults) {
  std::string blank_lines;
  while (blank_lines.size() <= kMaxHeadBytes) blank_lines += "\r\n";
  const std::vector<std::pair<std::string, unsigned>> rows = {
      {"x\r\n", 400},
      {"GET /\r\n", 400},
      {"GET  / HTTP/1.1\r\n", 400},
      {"GET / x HTTP/1.1\r\n", 400},
      {"GET / HTTP/1.1 \r\n", 400},
      {"GET / HTTP/11\r\n", 400},
      {"GET / http/1.1\r\n", 400},
      {"GET / HTTP/2.0\r\n", 505},
      {"GET / HTTP/0.9\r\n", 505},
      {"GET / HTTP/1.1\r\nx\r\n", 400},
      {"GET / HTTP/1.1\r\nA: b\r\n c\r\n", 400},
      {"GET / HTTP/1.1\r\n A: b\r\n", 400},
      {"GET /" + std::string(kMaxHeadBytes, 'a'), 414},
      {"GET / HTTP/1.1\r\nA: " + std::string(kMaxHeadBytes, 'a'), 431},
      {"GET / HTTP/1.1\r\nA: " + std::string(kMaxHeadBytes, 'a') + "\r\n\r\n", 431},
      {blank_lines, 414},
      // A line ends in CR LF: a bare LF anywhere is a fault.
      {"GET / HTTP/1.1\nA: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA: b\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA: b\r\n\n", 400},
      {"\nGET / HTTP/1.1\r\n\r\n", 400},
  };
  for (const auto& [text, status] : rows) {
    RequestHead head;
    const HeadResult result = parse_head(text, head);
    EXPECT_EQ(result.status, HeadStatus::faulty) << text.substr(0, 40);
    EXPECT_EQ(result.fault.status, status) << text.substr(0, 40);
  }
  std::string many = "GET / HTTP/1.1\r\n";
  for (std::size_t i = 0; i < kMaxFields; ++i) many += "a:b\r\n";
  RequestHead head;
  EXPECT_EQ(parse_head(many + "\r\n", head).status, HeadStatus::complete);
  EXPECT_EQ(parse_head(many + "a:b\r\n", head).fault.status, 431U);
}

/// What is left after the body, or the status of the fault.
std::string after_body(const std::vector<Field>& fields, const std::string& text, std::size_t piece) {
  BodySkipper body{Fields(fields)};
  std::string rest;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string bytes = text.substr(at, piece);
    std::string_view left = bytes;
    if (const auto fault = body.skip(left)) return std::to_string(fault->status);
    rest += left;
  }
  return body.is_done() ? rest : "unfinished";
}

TEST(SpecBodySkipper, LengthsAndChunksHoweverTheyArrive) {
  const std::vector<Field> chunked = {{"Transfer-Encoding", "chunked"}};
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"0\r\n\r\nGET", "GET"},
      {"5\r\nhello\r\n0\r\n\r\nGET", "GET"},
      {"A\r\n0123456789\r\n00000\r\n\r\n", ""},
      {"1;a=\"b\"\r\nx\r\n0;c\r\nT: u\r\nV: w\r\n\r\nGET", "GET"},
      {"1 \r\nx\r\n0\r\n\r\n", ""},
      {"", "unfinished"},
      {"5\r\nhell", "unfinished"},
      {"0\r\n", "unfinished"},
      {"0\r\nT: u\r\n", "unfinished"},
      {"x\r\n", "400"},
      {"\r\n", "400"},
      {";a\r\n", "400"},
      {" 1\r\nx\r\n", "400"},
      {"-1\r\n", "400"},
      {"1\nx\r\n", "400"},
      {"1\r\nxy", "400"},
      {"1\r\nx\n", "400"},
      {"1;a\nb\r\n", "400"},
      {"0\r\nT: u\nV: w\r\n", "400"},
      {"0\r\n\n", "400"},
      {"10001\r\n", "413"},
      {"0000000000000001\r\n", "413"},
  };
  for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
    for (const auto& [text, expected] : rows)
      EXPECT_EQ(after_body(chunked, text, piece), expected) << text << " by " << piece;
    EXPECT_EQ(after_body({{"Content-Length", "5"}}, "helloGET", piece), "GET");
    EXPECT_EQ(after_body({{"Content-Length", "5"}}, "hell", piece), "unfinished");
    EXPECT_EQ(after_body({{"Content-Length", "0"}}, "GET", piece), "GET");
    EXPECT_EQ(after_body({}, "GET", piece), "GET");
  }
  std::string tiny;
  for (int i = 0; i < 20'000; ++i) tiny += "1\r\nx\r\n";
  EXPECT_EQ(after_body(chunked, tiny, 1000), "413");
}

}  // namespace
}  // namespace sheaf::http::message
