#include "sheaf/base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace sheaf::base {
namespace {

TEST(SheafOnlyBoundedQueue, HandsValuesOverInOrder) {
  BoundedQueue<int> queue(3);
  constexpr int kCount = 20'000;
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i) EXPECT_TRUE(queue.push(i));
    queue.close();
  });
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(queue.pop(), i);
  EXPECT_EQ(queue.pop(), std::nullopt);
  producer.join();
}

TEST(SheafOnlyBoundedQueue, CloseLetsTheReceiverDrain) {
  BoundedQueue<int> queue(4);
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  queue.close();
  EXPECT_FALSE(queue.push(3));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), std::nullopt);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(SheafOnlyBoundedQueue, NeverHoldsMoreThanItsCapacity) {
  BoundedQueue<int> queue(2);
  std::atomic<int> pushed = 0;
  std::thread producer([&] {
    for (int i = 0; i < 1000 && queue.push(i); ++i) ++pushed;
  });
  for (int popped = 0; popped < 1000; ++popped) {
    EXPECT_LE(pushed.load(), popped + 3);  // two waiting, and one taken but not counted by us yet
    ASSERT_TRUE(queue.pop());
  }
  producer.join();
}

TEST(SheafOnlyBoundedQueue, WakingLateLosesNoWaiter) {
  constexpr std::size_t kCapacity = 4;
  for (std::size_t wake_for = 1; wake_for <= kCapacity; ++wake_for) {
    BoundedQueue<int> queue(kCapacity, wake_for);
    constexpr int kProducers = 3;
    constexpr int kEach = 2000;
    std::vector<std::jthread> producers;
    producers.reserve(kProducers);
    for (int i = 0; i < kProducers; ++i)
      producers.emplace_back([&] {
        for (int value = 0; value < kEach; ++value) EXPECT_TRUE(queue.push(value));
      });
    for (int i = 0; i < kProducers * kEach; ++i) ASSERT_TRUE(queue.pop());
  }
}

TEST(SheafOnlyBoundedQueue, CloseWakesBothSides) {
  BoundedQueue<std::unique_ptr<int>> full(1);
  EXPECT_TRUE(full.push(std::make_unique<int>(1)));
  std::thread producer([&] { EXPECT_FALSE(full.push(std::make_unique<int>(2))); });
  BoundedQueue<int> empty(1);
  std::thread consumer([&] { EXPECT_EQ(empty.pop(), std::nullopt); });
  full.close();
  empty.close();
  producer.join();
  consumer.join();
}

}  // namespace
}  // namespace sheaf::base
