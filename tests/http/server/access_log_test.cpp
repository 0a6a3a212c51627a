#include "sheaf/http/server/access_log.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

namespace sheaf::http::server {
namespace {

const AccessRecord kRecord{.client = "192.0.2.1",
                           .time = 1'767'225'600,
                           .method = "GET",
                           .target = "/a?b",
                           .version = "HTTP/1.1",
                           .status = 200,
                           .body_bytes = 1234,
                           .referer = "https://a.example/",
                           .user_agent = "crawler/1.0",
                           .duration = std::chrono::microseconds(56),
                           .complete = true};

std::string line(AccessLogFormat format, const AccessRecord& record) {
  std::string out;
  append_access_line(out, format, record);
  return out;
}

TEST(AccessLog, BothForms) {
  EXPECT_EQ(line(AccessLogFormat::combined, kRecord),
            "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a?b HTTP/1.1\" 200 1234 "
            "\"https://a.example/\" \"crawler/1.0\"\n");
  EXPECT_EQ(
      line(AccessLogFormat::json, kRecord),
      R"({"time":"2026-01-01T00:00:00Z","client":"192.0.2.1","method":"GET","target":"/a?b","version":"HTTP/1.1","status":200,)"
      R"("bytes":1234,"microseconds":56,"complete":true,"referer":"https://a.example/","agent":"crawler/1.0"})"
      "\n");
}

TEST(AccessLog, TheIdentityOfAVerifiedClient) {
  AccessRecord record = kRecord;
  record.identity = "https://bot.example";
  EXPECT_TRUE(line(AccessLogFormat::combined, record).starts_with("192.0.2.1 - https://bot.example ["));
  EXPECT_TRUE(line(AccessLogFormat::json, record).contains(R"("identity":"https://bot.example")"));
}

TEST(AccessLog, NothingAClientSendsLeavesItsField) {
  AccessRecord record = kRecord;
  record.target = "/\"\n\\\x1b[1m\xff";
  record.user_agent = "";
  record.referer = std::string_view("\0\"", 2);
  EXPECT_EQ(
      line(AccessLogFormat::combined, record),
      R"(192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /\x22\x0a\x5c\x1b[1m\xff HTTP/1.1" 200 1234 "\x00\x22" "-")"
      "\n");
  EXPECT_NE(line(AccessLogFormat::json, record).find(R"("target":"/\"\u000a\\\u001b[1m\u00ff")"),
            std::string::npos);
}

TEST(AccessLogThreads, EveryLineArrivesWhole) {
  const test::TempDir folder;
  {
    const auto log = AccessLog::open(folder / "log", AccessLogFormat::combined).value();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int n = 0; n < 500; ++n) log->write(kRecord);
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(log->lost(), 0U);
  }
  const std::string expected = line(AccessLogFormat::combined, kRecord);
  const std::string text = test::read_file(folder / "log");
  ASSERT_EQ(text.size(), 2000 * expected.size());
  for (std::size_t at = 0; at < text.size(); at += expected.size())
    ASSERT_EQ(text.substr(at, expected.size()), expected);
}

TEST(AccessLogThreads, ReopensAfterARotation) {
  const test::TempDir folder;
  {
    const auto log = AccessLog::open(folder / "log", AccessLogFormat::combined).value();
    std::filesystem::rename(folder / "log", folder / "log.1");
    ASSERT_TRUE(log->reopen());
    log->write(kRecord);
  }
  EXPECT_EQ(test::read_file(folder / "log"), line(AccessLogFormat::combined, kRecord));
  EXPECT_EQ(test::read_file(folder / "log.1"), "");
}

TEST(AccessLog, SaysWhyItCannotBeOpened) {
  const auto log = AccessLog::open("/no/such/folder/log", AccessLogFormat::json);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().message, "cannot open access log /no/such/folder/log: No such file or directory");
}

TEST(AccessLogThreads, CountsWhatADiskRefuses) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const auto log = AccessLog::open("/dev/full", AccessLogFormat::json).value();
  log->write(kRecord);
  while (log->lost() == 0) std::this_thread::yield();
  EXPECT_EQ(log->lost(), 1U);
}

TEST(HttpMetrics, PrometheusText) {
  Metrics metrics;
  metrics.count_request(200, 1000, std::chrono::microseconds(90));
  metrics.count_request(304, 0, std::chrono::milliseconds(2));
  metrics.count_request(200, 24, std::chrono::hours(1));
  metrics.count_request(9999, 0, std::chrono::seconds(0));
  metrics.count_connection();
  metrics.set_connections(7);
  const std::string text = metrics.prometheus_text();
  for (const char* expected :
       {"sheaf_http_requests_total{status=\"200\"} 2\n", "sheaf_http_requests_total{status=\"304\"} 1\n",
        "sheaf_http_requests_total{status=\"429\"} 0\n", "sheaf_http_body_bytes_total 1024\n",
        "sheaf_http_connections_open 7\n", "sheaf_http_request_seconds_bucket{le=\"0.0001\"} 2\n",
        "sheaf_http_request_seconds_bucket{le=\"0.0025\"} 3\n",
        "sheaf_http_request_seconds_bucket{le=\"60\"} 3\n",
        "sheaf_http_request_seconds_bucket{le=\"+Inf\"} 4\n", "sheaf_http_request_seconds_count 4\n",
        "# TYPE sheaf_http_request_seconds histogram\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
  EXPECT_EQ(metrics.requests(200), 2U);
}

}  // namespace
}  // namespace sheaf::http::server
