#include "sheaf/base/free_memory.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>
#include <vector>

namespace sheaf::base {
namespace {

TEST(FreeStorage, LeavesNoMemory) {
  std::string text(1'000'000, 'x');
  free_storage(text);
  EXPECT_EQ(text.capacity(), std::string().capacity());
  std::vector<int> numbers(1'000'000);
  free_storage(numbers);
  EXPECT_EQ(numbers.capacity(), 0U);
  std::unordered_set<int> set;
  for (int i = 0; i < 10'000; ++i) set.insert(i);
  free_storage(set);
  EXPECT_EQ(set.bucket_count(), std::unordered_set<int>().bucket_count());
}

}  // namespace
}  // namespace sheaf::base
