#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/fetch/host_gate.h"

#include <gtest/gtest.h>

namespace sheaf::http::fetch {
namespace {

using std::chrono::milliseconds;

TEST(Retry, WaitsDoubleUpToTheLongest) {
  const RetryPause policy{.first = milliseconds(500), .longest = milliseconds(3000)};
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

TEST(CancellableWait, EndsWhenItIsCancelled) {
  int asked = 0;
  EXPECT_FALSE(wait_unless_cancelled(std::chrono::hours(1), [&] { return ++asked == 2; }));
  EXPECT_EQ(asked, 2);
}

TEST(CancellableWait, WaitsToTheEndOtherwise) {
  EXPECT_TRUE(wait_unless_cancelled(milliseconds(1), {}));
  EXPECT_TRUE(wait_unless_cancelled(milliseconds(0), [] { return true; })) << "nothing to wait for";
}

}  // namespace
}  // namespace sheaf::http::fetch
