#include "sheaf/http/fetch/fetch_body.h"

#include "support/raw_server.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

namespace sheaf::http::fetch {
namespace {

using test::RawConnection;
using test::RawServer;

const FetchOptions kOptions = [] {
  FetchOptions options({.allow_private = true, .tries = 2});
  options.retry = {.first = std::chrono::milliseconds(1)};
  return options;
}();

/// Endless under /endless, an error under /gone, cut off the first time under /cut.
class FetchBody : public testing::Test {
 protected:
  static void answer(const std::string& request, const RawConnection& connection, std::atomic<int>& count) {
    const std::string path = test::path_of(request);
    if (path == "/gone") {
      connection.write("HTTP/1.1 404 Gone\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngone");
    } else if (path == "/cut" && count++ == 0) {
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nxy");
    } else if (path == "/endless") {
      connection.write("HTTP/1.1 200 OK\r\n\r\n");
      while (connection.write(std::string(1000, 'x'))) {
      }
    } else {
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwhole");
    }
  }
  std::atomic<int> count_ = 0;
  RawServer server_{[this](const std::string& request, const RawConnection& connection) {
    answer(request, connection, count_);
  }};
  Fetcher fetcher_{kOptions};
};

TEST_F(FetchBody, OnlyThePrefixOfWhatIsTooLong) {
  const auto endless = fetch_prefix(fetcher_, {.url = server_.url("/endless")}, 2500);
  ASSERT_TRUE(endless) << endless.error().message;
  EXPECT_EQ(endless->body, std::string(2500, 'x'));
  EXPECT_EQ(endless->head.status, 200);
  EXPECT_EQ(endless->head.url, server_.url("/endless"));
  for (const std::size_t bytes : {4U, 5U, 6U})
    EXPECT_EQ(fetch_prefix(fetcher_, {.url = server_.url("/")}, bytes)->body,
              std::string("whole").substr(0, bytes));
  EXPECT_FALSE(fetch_prefix(fetcher_, {.url = "http://127.0.0.1:1/"}, 5));
}

TEST_F(FetchBody, AFileOfWhatIsThereAndOfNothingElse) {
  const test::TempDir folder;
  const auto cut = fetch_to_spool(fetcher_, {.url = server_.url("/cut")}, folder.path());
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_EQ(base::read_up_to(*cut->open(), 100), "whole");
  const auto gone = fetch_to_spool(fetcher_, {.url = server_.url("/gone")}, folder.path());
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->head.status, 404);
  EXPECT_EQ(gone->file, nullptr);
  const auto endless =
      fetch_to_spool(fetcher_, {.url = server_.url("/endless"), .limit = 10'000}, folder.path());
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().code, base::Errc::invalid_data);
}

}  // namespace
}  // namespace sheaf::http::fetch
