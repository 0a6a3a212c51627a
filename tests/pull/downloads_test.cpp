#include "sheaf/pull/downloads.h"

#include "sheaf/base/byte_source.h"
#include "support/collection_text.h"
#include "support/raw_server.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using test::RawConnection;
using test::RawServer;

constexpr std::string_view kFile = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfile";
constexpr std::string_view kUnavailable =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

class SheafOnlyDownloads : public testing::Test {
 protected:
  SheafOnlyDownloads()
      : fetcher_(RequestOptions{.allow_private = true}),
        downloads_(dir_.path() / "files", fetcher_, 1, 1U << 20U) {}

  base::Result<Download> fetch(const RawServer& server, std::string_view path) {
    return downloads_.fetch({.url = server.url(path), .limit = 1000});
  }

  test::TempDir dir_;
  http::fetch::Fetcher fetcher_;
  Downloads downloads_;
};

TEST_F(SheafOnlyDownloads, AnOriginThatNeverAnswersIsLeftAlone) {
  const RawServer silent([](const std::string&, const RawConnection&) {});
  const RawServer healthy(test::always(std::string(kFile)));
  for (unsigned i = 0; i < Downloads::kUnansweredInARow + 3; ++i) {
    const auto download = fetch(silent, fmt::format("/{}", i));
    ASSERT_FALSE(download);
    EXPECT_EQ(downloads_.failure(download.error()).code, FailureCode::unreachable);
    const bool asked = download.error().message.find("is not requested") == std::string::npos;
    EXPECT_EQ(asked, i < Downloads::kUnansweredInARow) << download.error().message;
  }
  EXPECT_EQ(silent.requests().size(), Downloads::kUnansweredInARow);
  EXPECT_TRUE(fetch(healthy, "/file")) << "other origins are not concerned";
}

TEST_F(SheafOnlyDownloads, AServerThatIsUnavailableForEveryFileIsLeftAlone) {
  const RawServer server(test::always(std::string(kUnavailable)));
  for (unsigned i = 0; i < Downloads::kUnansweredInARow + 3; ++i)
    EXPECT_EQ(fetch(server, fmt::format("/{}", i)).has_value(), i < Downloads::kUnansweredInARow) << i;
  EXPECT_EQ(server.requests().size(), Downloads::kUnansweredInARow);
}

TEST_F(SheafOnlyDownloads, OneAnswerIsEnoughToGoOn) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    if (test::path_of(request) == "/there") connection.write(kFile);
  });
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = 1; i < Downloads::kUnansweredInARow; ++i)
      EXPECT_FALSE(fetch(server, fmt::format("/{}-{}", round, i)));
    downloads_.drop(server.url("/there"));
    EXPECT_TRUE(fetch(server, "/there")) << "round " << round;
  }
  EXPECT_EQ(server.requests().size(), 3 * Downloads::kUnansweredInARow);
}

/// Over a scripted web and clock.
class ScriptedDownloads : public testing::Test {
 protected:
  ScriptedDownloads() : fetcher_(web_.options()), downloads_(dir_.path() / "files", fetcher_, 6, 1U << 30U) {}

  base::Result<Download> fetch(const std::string& label = {}) {
    return downloads_.fetch({.url = kUrl, .limit = 1U << 29U, .label = label});
  }
  /// Serves the file and ranges of it; the connection breaks after that many bytes of each response.
  void serve(const std::string& file, const std::string& entity_tag, std::size_t cut_after) {
    web_.on(kUrl, [=](const test::SentRequest& request) {
      test::ScriptedResponse answer{.headers = {{"etag", entity_tag}}, .body = file, .cut_after = cut_after};
      const std::string range = request.header("range");
      if (!range.empty() && request.header("if-range") == entity_tag) {
        const std::size_t from = std::stoul(range.substr(std::string("bytes=").size()));
        answer.status = 206;
        answer.headers.emplace_back("content-range",
                                    fmt::format("bytes {}-{}/{}", from, file.size() - 1, file.size()));
        answer.body = file.substr(from);
      }
      if (answer.body.size() <= cut_after) answer.cut_after = std::string::npos;
      return answer;
    });
  }

  const std::string kUrl = "https://example.com/all.scp";
  test::TempDir dir_;
  test::ScriptedWeb web_;
  http::fetch::Fetcher fetcher_;
  Downloads downloads_;
};

TEST_F(ScriptedDownloads, ALargeFileOverABadLineArrivesInPieces) {
  const std::string file(1'000'000, 'x');
  serve(file, "\"1\"", 70'000);
  const auto download = fetch();
  ASSERT_TRUE(download) << download.error().message;
  EXPECT_EQ(download->outcome, DownloadOutcome::fetched);
  EXPECT_EQ(download->bytes, file.size());
  EXPECT_TRUE(download->resumed);
  EXPECT_EQ(web_.requests().size(), 15U) << "more tries than the policy has, since each brought something";
  EXPECT_EQ(web_.requests()[1].header("Range"), "bytes=70000-");
  EXPECT_EQ(web_.requests()[1].header("If-Range"), "\"1\"");
}

TEST_F(ScriptedDownloads, PiecesThatAreTooSmallAreLostTries) {
  serve(std::string(1'000'000, 'x'), "\"1\"", 1000);
  EXPECT_FALSE(fetch());
  EXPECT_EQ(web_.requests().size(), 6U);
  EXPECT_GE(web_.clock().elapsed(), std::chrono::milliseconds(7750)) << "half of 0.5 + 1 + 2 + 4 + 8 s";
  EXPECT_LE(web_.clock().elapsed(), std::chrono::milliseconds(15'500));
}

TEST_F(ScriptedDownloads, TwoVersionsNeverMix) {
  serve(std::string(200'000, 'a'), "\"1\"", 100'000);
  Downloads first(dir_.path() / "files", fetcher_, 1, 1U << 30U);
  EXPECT_FALSE(first.fetch({.url = kUrl, .limit = 1U << 29U}));
  serve(std::string(150'000, 'b'), "\"2\"", std::string::npos);
  const auto download = fetch();
  ASSERT_TRUE(download) << download.error().message;
  EXPECT_EQ(download->bytes, 150'000U);
  EXPECT_FALSE(download->resumed) << "the server has another version, and sends it whole";
}

// Servers behind one name may have different versions, and some ignore If-Range.
TEST_F(ScriptedDownloads, ARangeOfAnotherVersionStartsOver) {
  using Headers = std::vector<std::pair<std::string, std::string>>;
  const std::string date = "Thu, 15 Jan 2026 00:00:00 GMT";
  const std::string whole = "bytes 1000-1999/2000";
  const Headers wrong[] = {{{"etag", "\"2\""}, {"content-range", whole}},
                           {{"last-modified", "Fri, 16 Jan 2026 00:00:00 GMT"}, {"content-range", whole}},
                           {{"content-range", "bytes 1000-2999/3000"}},
                           {{"content-range", "bytes 1000-1499/2000"}},
                           {{"content-range", "bytes 0-1999/2000"}},
                           {{"content-range", "bytes 1000-99999999999999999999/*"}},
                           {{"content-range", "x"}},
                           {}};
  int number = 0;
  for (const Headers& headers : wrong) {
    const std::string url = fmt::format("https://example.com/{}", ++number);
    SCOPED_TRACE(headers.empty() ? "no header" : headers.back().second);
    web_.on(url, [&](const test::SentRequest& request) -> test::ScriptedResponse {
      if (!request.header("range").empty())
        return {.status = 206, .headers = headers, .body = std::string(1000, 'b')};
      const bool first = web_.count(url) == 1;
      return {.headers = {{"etag", "\"1\""}, {"last-modified", date}, {"content-length", "2000"}},
              .body = std::string(2000, 'a'),
              .cut_after = first ? 1000 : std::string::npos};
    });
    const auto download = downloads_.fetch({.url = url, .limit = 10'000});
    ASSERT_TRUE(download) << download.error().message;
    EXPECT_EQ(download->bytes, 2000U);
    EXPECT_FALSE(download->resumed);
    EXPECT_EQ(web_.count(url), 3U);
  }
}

TEST_F(ScriptedDownloads, ARangeThatWasNotRequestedIsNotAFile) {
  web_.put(kUrl, {.status = 206, .headers = {{"content-range", "bytes 0-9/100"}}, .body = "0123456789"});
  const auto download = fetch();
  ASSERT_FALSE(download);
  EXPECT_EQ(downloads_.failure(download.error()).code, FailureCode::http_status);
}

TEST_F(ScriptedDownloads, ACompleteFileIsNotFetchedAgain) {
  serve("file", "\"1\"", std::string::npos);
  ASSERT_TRUE(fetch("label"));
  EXPECT_EQ(fetch("label")->outcome, DownloadOutcome::kept);
  EXPECT_EQ(web_.requests().size(), 1U);
  Downloads next_pull(dir_.path() / "files", fetcher_, 6, 1U << 30U);
  EXPECT_EQ(next_pull.fetch({.url = kUrl, .limit = 100, .label = "label"})->outcome, DownloadOutcome::kept);
  EXPECT_EQ(next_pull.fetch({.url = kUrl, .limit = 100})->outcome, DownloadOutcome::unchanged);
  EXPECT_EQ(web_.requests().size(), 2U);
}

/// An uncompressed brotli stream.
std::string brotli(const std::string& text) {
  const std::size_t head = ((text.size() - 1) << 4U) | (std::size_t{1} << 20U);
  std::string stream;
  for (unsigned shift = 0; shift < 24; shift += 8) stream += static_cast<char>(head >> shift);
  return stream + text + "\x03";
}

TEST_F(ScriptedDownloads, ACollectionThatTheServerCompressedOnTheFlyIsTheFileAgain) {
  using format::Codec;
  const std::string plain = test::collection_text({test::PageText{}.str()});
  const std::string gzip = test::compress(Codec::gzip, plain);
  const std::string zstd = test::compress(Codec::zstd, plain);
  struct Row {
    std::string name, coding, body, expected;
    std::optional<std::uint64_t> advertised = {};
  };
  const Row rows[] = {
      {"a.scp", "gzip", gzip, plain},
      {"b.scp.gz", "gzip", gzip, gzip},  // as the drafts demand
      {"c.scp.gz", "gzip", test::compress(Codec::gzip, gzip), gzip},
      {"d.scp.zst", "gzip", test::compress(Codec::gzip, zstd), zstd},
      {"e.scp.zst", "zstd", zstd, zstd},
      {"e2.scp.zst", "zstd, gzip", test::compress(Codec::gzip, zstd), zstd},
      {"f.scp.gz", "br", brotli(gzip), gzip},
      {"g.scp", "br", brotli(plain), plain},
      {"h.scp", "br", plain, plain},
      {"i?id=1", "gzip", gzip, gzip, gzip.size()},
      {"j.scp", "GZIP", plain, plain},
      {"k.scp", "identity", plain, plain},
      {"l.scp", "other", plain, plain},
      {"m.scp", "other", "\x01\x02\x03\x04", ""},
      {"n.scp", "br", brotli(plain).substr(0, 50), ""},
      {"o.scp.zst", "gzip", test::compress(Codec::gzip, zstd).substr(0, 40), ""},
      {"p.scp", "gzip", test::compress(Codec::gzip, std::string(10'000'000, ' '), 9), ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string url = "https://example.com/" + row.name;
    web_.put(url, {.status = 203, .headers = {{"content-encoding", row.coding}}, .body = row.body});
    const auto download = downloads_.fetch(
        {.url = url, .limit = 1U << 29U, .is_collection = true, .advertised = row.advertised});
    EXPECT_EQ(web_.requests().back().header("Accept-Encoding"), "identity");
    EXPECT_EQ(download.has_value(), !row.expected.empty());
    if (!download) {
      EXPECT_EQ(downloads_.failure(download.error()).code, FailureCode::invalid_collection)
          << download.error().message;
      continue;
    }
    EXPECT_EQ(base::read_whole(**base::open_source(download->file.string()), 1U << 20U).value(),
              row.expected);
    EXPECT_EQ(download->bytes, row.expected.size());
  }
}

TEST_F(ScriptedDownloads, OnlyPartsThatCanBeContinuedStayOnDisk) {
  serve(std::string(200'000, 'a'), "\"1\"", 100'000);
  Downloads first(dir_.path() / "files", fetcher_, 1, 1U << 30U);
  EXPECT_FALSE(first.fetch({.url = kUrl, .limit = 1U << 29U}));
  EXPECT_EQ(first.used(), 0U) << "a sitemap is fetched from its start";
  serve(std::string(200'000, 'a'), "\"1\"", std::string::npos);
  for (const bool is_collection : {false, true})
    EXPECT_FALSE(first.fetch({.url = kUrl, .limit = 100'000, .is_collection = is_collection}));
  EXPECT_EQ(first.used(), 0U) << "a larger file than allowed will not become smaller";
  serve(std::string(200'000, 'a'), "\"1\"", 100'000);
  Downloads next(dir_.path() / "files", fetcher_, 1, 1U << 30U);
  EXPECT_FALSE(next.fetch({.url = kUrl, .limit = 1U << 29U, .is_collection = true}));
  next.clean({});
  EXPECT_GE(next.used(), 100'000U);
}

TEST_F(ScriptedDownloads, WhatAPullLeavesIsBounded) {
  const std::string sitemap(20U << 20U, 's');
  for (int i = 0; i < 5; ++i) {
    const std::string url = fmt::format("https://example.com/{}.xml", i);
    web_.put(url, {.body = sitemap});
    ASSERT_TRUE(downloads_.fetch({.url = url, .limit = 1U << 30U}));
  }
  for (std::size_t i = 0; i < Downloads::kKeptCollections + 4; ++i) {
    const std::string url = fmt::format("https://example.com/{}.scp", i);
    web_.put(url, {.headers = {{"etag", "\"1\""}}, .body = "{\"collection\": {}}", .cut_after = 10});
    ASSERT_FALSE(downloads_.fetch({.url = url, .limit = 1000, .most_tries = 1, .is_collection = true}));
    // Five in a row without an answer would end the requests to this origin.
    ASSERT_TRUE(downloads_.fetch({.url = "https://example.com/nothing", .limit = 1000}));
  }
  downloads_.clean({});
  EXPECT_LE(downloads_.used(), Downloads::kKeptSitemapBytes + (1U << 20U));
  EXPECT_GT(downloads_.used(), 2 * sitemap.size());
  std::size_t parts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "files"))
    parts += entry.path().extension() == ".part" ? 1 : 0;
  EXPECT_EQ(parts, Downloads::kKeptCollections);
}

TEST_F(ScriptedDownloads, ThreeSlowTransfersAreEnough) {
  for (unsigned i = 0; i < Downloads::kSlowTransfers + 2; ++i) {
    const std::string url = fmt::format("https://host{}.example/a", i);
    web_.put(url, {.trouble = http::fetch::FetchTrouble::too_slow});
    const auto download = downloads_.fetch({.url = url, .limit = 100});
    ASSERT_FALSE(download);
    EXPECT_EQ(downloads_.failure(download.error()).code, FailureCode::too_slow);
  }
  EXPECT_EQ(web_.requests().size(), Downloads::kSlowTransfers) << "and none is tried twice";
}

TEST_F(ScriptedDownloads, ACollectionThatFailedIsNotTriedAgain) {
  web_.put(kUrl, {.trouble = http::fetch::FetchTrouble::unreachable});
  const DownloadRequest request{.url = kUrl, .limit = 1U << 20U, .is_collection = true};
  const auto first = downloads_.fetch(request);
  ASSERT_FALSE(first);
  const std::size_t requests = web_.count(kUrl);
  serve("{}", "\"1\"", std::string::npos);
  const auto second = downloads_.fetch(request);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, first.error().message);
  EXPECT_EQ(downloads_.failure(second.error()).code, FailureCode::unreachable);
  EXPECT_EQ(web_.count(kUrl), requests);
}

TEST_F(ScriptedDownloads, RetryAfterIsObeyed) {
  web_.put_all(kUrl, {{.status = 503, .headers = {{"retry-after", "20"}}}, {.body = "file"}});
  EXPECT_EQ(fetch()->outcome, DownloadOutcome::fetched);
  EXPECT_GE(web_.clock().elapsed(), std::chrono::seconds(20));
  web_.put("https://example.com/b", {.status = 503, .headers = {{"retry-after", "3600"}}});
  const auto later = downloads_.fetch({.url = "https://example.com/b", .limit = 100});
  ASSERT_TRUE(later);
  EXPECT_EQ(later->outcome, DownloadOutcome::answered);
  EXPECT_EQ(later->retry_after, std::chrono::hours(1));
  EXPECT_EQ(web_.count("https://example.com/b"), 1U);
}

}  // namespace
}  // namespace sheaf::pull
