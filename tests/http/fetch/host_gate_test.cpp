#include "sheaf/http/fetch/fetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sheaf::http::fetch {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

const std::function<bool()> kNever = [] { return false; };

/// The maximum number of concurrent requests.
class Peak {
 public:
  void enter() {
    const int now = ++count_;
    for (int seen = most_; now > seen && !most_.compare_exchange_weak(seen, now);) {
    }
  }
  void leave() { --count_; }
  [[nodiscard]] int most() const { return most_; }

 private:
  std::atomic<int> count_ = 0;
  std::atomic<int> most_ = 0;
};

TEST(HostGateThreads, NeverMoreThanAllowedAtAHostOrInAll) {
  HostGate gate(2, 5);
  Peak hosts[4];
  Peak all;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      const std::string host = "host" + std::to_string(i % 4) + ":80";
      for (int n = 0; n < 200; ++n) {
        ASSERT_TRUE(gate.enter(host, kNever));
        hosts[i % 4].enter();
        all.enter();
        std::this_thread::yield();
        all.leave();
        hosts[i % 4].leave();
        gate.leave(host);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(all.most(), 5);
  for (const Peak& host : hosts) EXPECT_LE(host.most(), 2);
}

TEST(HostGateThreads, ADelayKeepsBeginningsApartAndOtherHostsAreFree) {
  HostGate gate(4, 8);
  gate.set_delay("slow:80", milliseconds(30));
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      ASSERT_TRUE(gate.enter("slow:80", kNever));
      gate.leave("slow:80");
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(Clock::now() - begin, milliseconds(90));
  // A delay of an hour does not affect other hosts.
  gate.set_delay("slow:80", std::chrono::hours(1));
  ASSERT_TRUE(gate.enter("quick:80", kNever));
  gate.leave("quick:80");
}

TEST(HostGateThreads, AHoldLastsAndCanBeCancelled) {
  HostGate gate(1, 1);
  EXPECT_EQ(gate.held("a:80"), milliseconds(0));
  gate.hold("a:80", milliseconds(50));
  gate.hold("a:80", milliseconds(1));  // a shorter one takes nothing back
  EXPECT_GT(gate.held("a:80"), milliseconds(1));
  const auto begin = Clock::now();
  ASSERT_TRUE(gate.enter("a:80", kNever));
  EXPECT_GE(Clock::now() - begin, milliseconds(45));
  gate.leave("a:80");
  gate.hold("a:80", std::chrono::hours(1));
  std::atomic<bool> cancelled = false;
  std::thread waiting([&] { EXPECT_FALSE(gate.enter("a:80", [&] { return cancelled.load(); })); });
  ASSERT_TRUE(gate.enter("b:80", kNever)) << "a waiting request does not occupy a slot";
  gate.leave("b:80");
  cancelled = true;
  waiting.join();
}

TEST(HostGateThreads, ACancelledWaitLeavesNothingBehind) {
  HostGate gate(1, 1);
  ASSERT_TRUE(gate.enter("a:80", kNever));
  EXPECT_FALSE(gate.enter("a:80", [] { return true; }));
  EXPECT_FALSE(gate.enter("b:80", [] { return true; })) << "one in all";
  gate.leave("a:80");
  gate.leave("a:80");  // an extra call is harmless
  ASSERT_TRUE(gate.enter("b:80", kNever));
  EXPECT_FALSE(gate.enter("a:80", [] { return true; }));
  gate.leave("b:80");
}

TEST(HostGateThreads, RequestsThatTakeLongLeaveRoomForOthers) {
  HostGate gate(1, 2, milliseconds(1000));
  const auto now_or_never = [] { return true; };
  ASSERT_TRUE(gate.enter("tarpit1:80", kNever));
  ASSERT_TRUE(gate.enter("tarpit2:80", kNever));
  ASSERT_FALSE(gate.enter("healthy:80", now_or_never));
  gate.note_time("tarpit1:80", milliseconds(999));
  ASSERT_FALSE(gate.enter("healthy:80", now_or_never));
  gate.note_time("tarpit1:80", milliseconds(1000));
  gate.note_time("tarpit2:80", milliseconds(1000));
  ASSERT_TRUE(gate.enter("healthy:80", now_or_never));
  gate.leave("healthy:80", milliseconds(5));
  // A slow host shares half of the slots with other slow hosts until a request is fast again.
  gate.leave("tarpit1:80", milliseconds(1000));
  EXPECT_FALSE(gate.enter("tarpit1:80", now_or_never))
      << "tarpit2 has the one place for those that take long";
  gate.leave("tarpit2:80", milliseconds(1000));
  ASSERT_TRUE(gate.enter("tarpit1:80", now_or_never));
  gate.leave("tarpit1:80", milliseconds(5));
  ASSERT_TRUE(gate.enter("tarpit1:80", now_or_never));
  ASSERT_TRUE(gate.enter("tarpit2:80", now_or_never));
  ASSERT_TRUE(gate.enter("healthy:80", now_or_never));
  EXPECT_FALSE(gate.enter("other:80", now_or_never));
}

}  // namespace
}  // namespace sheaf::http::fetch
