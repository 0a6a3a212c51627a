#include "sheaf/base/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::base {
namespace {

using Pipeline = OrderedPipeline<int, std::string>;

auto slow_at_odd_ones() {
  return [] {
    return [](int input) {
      if (input % 7 == 3) std::this_thread::sleep_for(std::chrono::microseconds(200));
      return std::to_string(input);
    };
  };
}

TEST(OrderedPipelineThreads, ResultsComeInTheOrderOfTheInputs) {
  Pipeline pipeline(3, slow_at_odd_ones());
  const std::jthread pusher([&] {
    for (int i = 0; i < 2000; ++i) EXPECT_TRUE(pipeline.push(i));
    pipeline.close();
  });
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(pipeline.next(), std::to_string(i));
  EXPECT_EQ(pipeline.next(), std::nullopt);
  EXPECT_EQ(pipeline.next(), std::nullopt);
}

TEST(OrderedPipelineThreads, NothingAtAll) {
  Pipeline pipeline(2, slow_at_odd_ones());
  pipeline.close();
  EXPECT_EQ(pipeline.next(), std::nullopt);
}

TEST(OrderedPipelineThreads, FewAreUnderWay) {
  std::atomic<int> begun{0};
  Pipeline pipeline(2, [&begun] {
    return [&begun](int input) {
      ++begun;
      return std::to_string(input);
    };
  });
  std::atomic<int> pushed{0};
  const std::jthread pusher([&] {
    for (int i = 0; i < 1000 && pipeline.push(i); ++i) ++pushed;
    pipeline.close();
  });
  for (int i = 0; i < 100; ++i) ASSERT_EQ(pipeline.next(), std::to_string(i));
  EXPECT_LE(begun.load(), 100 + 8);
  EXPECT_LE(pushed.load(), 100 + 8);
  pipeline.stop();
}

TEST(OrderedPipelineThreads, StopLetsEverybodyGo) {
  Pipeline pipeline(2, slow_at_odd_ones());
  std::atomic<bool> refused{false};
  const std::jthread pusher([&] {
    for (int i = 0; i < 1'000'000; ++i)
      if (!pipeline.push(i)) {
        refused = true;
        return;
      }
  });
  ASSERT_EQ(pipeline.next(), "0");
  pipeline.stop();
  while (!refused) std::this_thread::yield();
  EXPECT_FALSE(pipeline.push(5));
}

TEST(OrderedPipelineThreads, AnExceptionIsRethrown) {
  Pipeline pipeline(2, [] {
    return [](int input) {
      if (input == 5) throw std::runtime_error("five");
      return std::to_string(input);
    };
  });
  const std::jthread pusher([&] {
    for (int i = 0; i < 1000 && pipeline.push(i); ++i) {
    }
    pipeline.close();
  });
  EXPECT_THROW(
      {
        while (pipeline.next()) {
        }
      },
      std::runtime_error);
}

TEST(OrderedPipelineThreads, OneThreadPushesAndTakesEverything) {
  for (const std::size_t workers : {1U, 3U}) {
    OrderedPipeline<int, int> pipeline(workers, [] { return [](int number) { return number * number; }; });
    int next = 0;
    std::vector<int> results;
    run_pipeline(
        pipeline, [&] { return next < 100 ? std::optional(next++) : std::nullopt; },
        [&](int result) { results.push_back(result); });
    ASSERT_EQ(results.size(), 100U);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i * i);
  }
}

}  // namespace
}  // namespace sheaf::base
