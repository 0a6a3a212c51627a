#include "sheaf/base/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sheaf::base {
namespace {

TEST(OrderedResultsThreads, AreTakenInOrder) {
  constexpr std::uint64_t kCount = 2000;
  OrderedResults<std::uint64_t> results(3);
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::uint64_t number = next++; number < kCount; number = next++)
        EXPECT_TRUE(results.put(number, 10 * number));
    });
  for (std::uint64_t number = 0; number < kCount; ++number) EXPECT_EQ(results.take(), 10 * number);
}

TEST(OrderedResultsThreads, ClosingEndsAllWaiting) {
  OrderedResults<int> results(1);
  EXPECT_TRUE(results.put(0, 1));
  const std::jthread producer([&] { EXPECT_FALSE(results.put(1, 2)); });
  results.close();
  EXPECT_EQ(results.take(), std::nullopt);
  EXPECT_FALSE(results.put(2, 3));
}

}  // namespace
}  // namespace sheaf::base
