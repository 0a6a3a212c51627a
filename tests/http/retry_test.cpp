#include "sheaf/http/retry.h"

#include <gtest/gtest.h>

#include <deque>

namespace sheaf::http {
namespace {

using std::chrono::milliseconds;

/// Gives prepared answers and counts.
class PreparedClient final : public Client {
 public:
  explicit PreparedClient(std::deque<base::Result<ClientAnswer>> answers) : answers_(std::move(answers)) {}
  base::Result<ClientAnswer> send(const ClientRequest& /*request*/) override {
    ++count;
    auto answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }
  int count = 0;

 private:
  std::deque<base::Result<ClientAnswer>> answers_;
};

ClientAnswer answer(int status, std::string retry_after = "") {
  ClientAnswer result;
  result.status = status;
  if (!retry_after.empty()) result.headers.emplace_back("retry-after", std::move(retry_after));
  return result;
}

std::vector<milliseconds> waits_of(PreparedClient& client, base::Result<ClientAnswer>& last) {
  std::vector<milliseconds> waits;
  last = send_with_retries(client, {}, {.tries = 4}, [&](milliseconds wait) { waits.push_back(wait); });
  return waits;
}

TEST(Retry, WaitsDoubleUpToTheLongest) {
  const RetryPolicy policy{.tries = 6, .first = milliseconds(500), .longest = milliseconds(3000)};
  EXPECT_EQ(wait_before(1, policy, 1), milliseconds(500));
  EXPECT_EQ(wait_before(2, policy, 1), milliseconds(1000));
  EXPECT_EQ(wait_before(3, policy, 1), milliseconds(2000));
  EXPECT_EQ(wait_before(4, policy, 1), milliseconds(3000));
  EXPECT_EQ(wait_before(4'000'000'000U, policy, 1), milliseconds(3000));
}

TEST(Retry, HalfOfTheWaitIsRandom) {
  EXPECT_EQ(wait_before(1, {}, 0), milliseconds(250));
  EXPECT_EQ(wait_before(1, {}, 0.5), milliseconds(375));
}

TEST(Retry, WhatIsTemporary) {
  for (const int status : {408, 429, 500, 502, 503, 504}) EXPECT_TRUE(is_temporary(status)) << status;
  for (const int status : {200, 301, 400, 403, 404, 501, 505}) EXPECT_FALSE(is_temporary(status)) << status;
}

TEST(Retry, GoesOnUntilTheAnswerIsFinal) {
  PreparedClient client({answer(503), base::fail(base::Errc::io, "cut off"), answer(200)});
  base::Result<ClientAnswer> last;
  EXPECT_EQ(waits_of(client, last).size(), 2);
  EXPECT_EQ(last->status, 200);
}

TEST(Retry, GivesTheLastAnswerWhenTheTriesAreUsedUp) {
  PreparedClient client({answer(503)});
  base::Result<ClientAnswer> last;
  EXPECT_EQ(waits_of(client, last).size(), 3);
  EXPECT_EQ(client.count, 4);
  EXPECT_EQ(last->status, 503);
}

TEST(Retry, WhatWillNotPassIsNotTriedAgain) {
  for (const auto& first :
       {base::Result<ClientAnswer>(answer(403)),
        base::Result<ClientAnswer>(base::fail(base::Errc::invalid_argument, "no address"))}) {
    PreparedClient client({first});
    base::Result<ClientAnswer> last;
    EXPECT_TRUE(waits_of(client, last).empty());
    EXPECT_EQ(client.count, 1);
  }
}

TEST(Retry, RetryAfterIsHeardUpToTheLongestWait) {
  PreparedClient client(
      {answer(429, "7"), answer(429, "999999"), answer(429, "Wed, 15 Jan 2025 23:00:00 GMT"), answer(200)});
  base::Result<ClientAnswer> last;
  const auto waits = waits_of(client, last);
  ASSERT_EQ(waits.size(), 3);
  EXPECT_EQ(waits[0], milliseconds(7000));
  EXPECT_EQ(waits[1], milliseconds(30'000));
  EXPECT_LE(waits[2], milliseconds(2000));
}

}  // namespace
}  // namespace sheaf::http
