#include "sheaf/http/server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::http::server {
namespace {

using std::chrono::milliseconds;
using Time = RateLimiter::Time;

constexpr Time kStart{std::chrono::hours(1000)};
constexpr base::HashKey kKey{1, 2};

message::ClientAddress client(std::string_view text) { return message::parse_client_address(text).value(); }

TEST(RateLimiter, ABurstThenOneAtATime) {
  RateLimiter limiter({.requests_per_second = 10, .burst = 3}, kKey);
  const message::ClientAddress a = client("192.0.2.1");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.take(a, kStart), std::nullopt) << i;
  EXPECT_EQ(limiter.take(a, kStart), milliseconds(100));
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(40)), milliseconds(60));
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(100)), std::nullopt);
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(100)), milliseconds(100));
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(10'000)), std::nullopt);
}

TEST(RateLimiter, RefusalsCostNothing) {
  RateLimiter limiter({.requests_per_second = 1, .burst = 1}, kKey);
  const message::ClientAddress a = client("192.0.2.1");
  EXPECT_EQ(limiter.take(a, kStart), std::nullopt);
  for (int i = 0; i < 1000; ++i) EXPECT_NE(limiter.take(a, kStart + milliseconds(i % 999)), std::nullopt);
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(1'000)), std::nullopt);
}

TEST(RateLimiter, ClientsAreApartAndASubnetIsOne) {
  RateLimiter limiter({.requests_per_second = 1, .burst = 1}, kKey);
  EXPECT_EQ(limiter.take(client("192.0.2.1"), kStart), std::nullopt);
  EXPECT_EQ(limiter.take(client("192.0.2.2"), kStart), std::nullopt);
  EXPECT_EQ(limiter.take(client("2001:db8::1"), kStart), std::nullopt);
  EXPECT_NE(limiter.take(client("2001:db8::2"), kStart), std::nullopt);
  EXPECT_EQ(limiter.take(client("2001:db8:0:1::2"), kStart), std::nullopt);
}

TEST(RateLimiter, ZeroMeansNoLimit) {
  RateLimiter limiter({}, kKey);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(limiter.take(client("192.0.2.1"), kStart), std::nullopt);
}

TEST(RateLimiter, AClockThatStopsOrGoesBackIsHarmless) {
  RateLimiter limiter({.requests_per_second = 1, .burst = 2}, kKey);
  const message::ClientAddress a = client("192.0.2.1");
  EXPECT_EQ(limiter.take(a, kStart), std::nullopt);
  EXPECT_NE(limiter.take(a, kStart - milliseconds(500)), std::nullopt);
  EXPECT_EQ(limiter.take(a, kStart), std::nullopt);
  EXPECT_NE(limiter.take(a, kStart), std::nullopt);
  EXPECT_EQ(limiter.take(a, kStart + milliseconds(5'000)), std::nullopt);
}

/// A flood of other addresses must not evict a client that was just refused: the fullest bucket is evicted,
/// and that client's is empty.
TEST(RateLimiter, AFloodOfAddressesDoesNotEvictAnEmptyBucket) {
  RateLimiter limiter({.requests_per_second = 1, .burst = 10, .clients = 64}, kKey);
  const message::ClientAddress greedy = client("192.0.2.1");
  while (!limiter.take(greedy, kStart)) {
  }
  for (unsigned i = 0; i < 10'000; ++i) {
    message::ClientAddress other = client("10.0.0.0");
    other.bytes[14] = static_cast<std::uint8_t>(i >> 8U);
    other.bytes[15] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(limiter.take(other, kStart), std::nullopt);
  }
  EXPECT_NE(limiter.take(greedy, kStart), std::nullopt);
}

TEST(RateLimiterThreads, NoTokenIsGivenTwice) {
  RateLimiter limiter({.requests_per_second = 0.001, .burst = 1000}, kKey);
  std::atomic<int> given{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n)
        if (!limiter.take(client("192.0.2.1"), kStart)) ++given;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(given, 1000);
}

}  // namespace
}  // namespace sheaf::http::server
