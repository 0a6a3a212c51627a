#include "sheaf/traffic/log_line.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::traffic {
namespace {

constexpr std::int64_t kTime = 1'794'931'200;  // 2026-11-17T16:00:00Z

TEST(LogLine, TheCombinedFormat) {
  LogLineParser parser;
  const auto entry = parser.parse(
      R"line(192.0.2.1 - https://bot.example [17/Nov/2026:17:00:00 +0100] "GET /a?b=c HTTP/1.1" 200 1234 "-" "Bot/1.0 (\x22x\x22)")line");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->client, "192.0.2.1");
  EXPECT_EQ(entry->identity, "https://bot.example");
  EXPECT_EQ(entry->time, kTime);
  EXPECT_EQ(entry->method, "GET");
  EXPECT_EQ(entry->target, "/a?b=c");
  EXPECT_EQ(entry->status, 200);
  EXPECT_EQ(entry->bytes, 1234);
  EXPECT_EQ(entry->user_agent, "Bot/1.0 (\"x\")");
}

TEST(LogLine, TheCommonFormatWithoutAgent) {
  LogLineParser parser;
  const auto entry = parser.parse(R"(2001:db8::1 - - [17/Nov/2026:15:00:00 -0100] "HEAD / HTTP/1.0" 304 -)");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, kTime);
  EXPECT_EQ(entry->bytes, 0);
  EXPECT_EQ(entry->user_agent, "");
  EXPECT_EQ(entry->identity, "");
}

TEST(LogLine, JsonOfSheaf) {
  LogLineParser parser;
  const auto entry = parser.parse(
      R"({"time":"2026-11-17T16:00:00Z","client":"192.0.2.1","method":"GET","target":"/x","version":"HTTP/1.1","status":200,"bytes":7,"microseconds":1,"complete":true,"identity":"https://bot.example","agent":"Bot"})");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, kTime);
  EXPECT_EQ(entry->target, "/x");
  EXPECT_EQ(entry->bytes, 7);
  EXPECT_EQ(entry->user_agent, "Bot");
  EXPECT_EQ(entry->identity, "https://bot.example");
}

TEST(LogLine, JsonOfCaddy) {
  LogLineParser parser;
  const auto entry = parser.parse(
      R"({"level":"info","ts":1794931200.75,"logger":"http.log.access","request":{"remote_ip":"192.0.2.1","method":"GET","host":"a.example","uri":"/y","headers":{"User-Agent":["Bot/2"]}},"size":9,"status":404})");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, kTime);
  EXPECT_EQ(entry->target, "/y");
  EXPECT_EQ(entry->client, "192.0.2.1");
  EXPECT_EQ(entry->user_agent, "Bot/2");
  EXPECT_EQ(entry->status, 404);
}

TEST(LogLine, JsonOfNginx) {
  LogLineParser parser;
  const auto entry = parser.parse(
      R"({"time_iso8601":"2026-11-17T17:00:00+01:00","remote_addr":"192.0.2.1","request":"GET /z HTTP/1.1","status":"206","body_bytes_sent":"5","http_user_agent":"-"})");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->time, kTime);
  EXPECT_EQ(entry->target, "/z");
  EXPECT_EQ(entry->status, 206);
  EXPECT_EQ(entry->bytes, 5);
  EXPECT_EQ(entry->user_agent, "");
}

TEST(LogLine, OtherLinesAreRefused) {
  LogLineParser parser;
  for (const std::string_view line :
       {"", "hello", "# comment", "192.0.2.1 - - [today] \"GET / HTTP/1.1\" 200 1",
        R"(192.0.2.1 - - [17/Nov/2026:17:00:00 +0100] "GET / HTTP/1.1)",
        R"(192.0.2.1 - - [17/Nov/2026:17:00:00 +0100] "\x16\x03\x01" 400 0 "-" "-")",
        R"(192.0.2.1 - - [37/Nov/2026:17:00:00 +0100] "GET / HTTP/1.1" 200 1)",
        R"(192.0.2.1 - - [17/Nov/2026:17:00:00 +0100] "GET / HTTP/1.1" 999 1)", "{", "{}",
        R"({"status":200})", R"({"time":"2026-11-17T16:00:00Z","status":200,"request":"x"})", R"([1])"})
    EXPECT_FALSE(parser.parse(line)) << line;
}

}  // namespace
}  // namespace sheaf::traffic
