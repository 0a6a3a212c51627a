#include <gtest/gtest.h>

#include <sheaf/arena.h>

#include <cstdint>
#include <string>

namespace sheaf::base {
namespace {

TEST(SheafOnlyArena, HandsOutAlignedAndSeparateMemory) {
  Arena arena;
  const auto letters = arena.array<char>(3);
  const auto numbers = arena.array<std::uint64_t>(5);
  const auto more = arena.array<char>(1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(std::uint64_t), 0U);
  std::fill(letters.begin(), letters.end(), 'x');
  std::fill(more.begin(), more.end(), 'y');
  for (const std::uint64_t number : numbers) EXPECT_EQ(number, 0U);
  std::fill(numbers.begin(), numbers.end(), ~std::uint64_t{0});
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "xxx");
  EXPECT_EQ(more[0], 'y');
}

TEST(SheafOnlyArena, CopiesOutliveTheirSource) {
  Arena arena;
  std::string source = "some text";
  const std::string_view copied = arena.copy(source);
  source.assign(9, '-');
  EXPECT_EQ(copied, "some text");
  const int values[] = {1, 2, 3};
  const auto list = arena.copy(std::span<const int>(values));
  EXPECT_EQ(list.size(), 3U);
  EXPECT_EQ(list[2], 3);
}

TEST(SheafOnlyArena, EmptyTextIsEmptyButNotNull) {
  Arena arena;
  EXPECT_NE(arena.copy("").data(), nullptr);
  EXPECT_TRUE(arena.array<int>(0).empty());
}

TEST(SheafOnlyArena, TakesPiecesLargerThanABlock) {
  Arena arena;
  const std::string large(1 << 20, 'a');
  const std::string_view first = arena.copy("first");
  const std::string_view copied = arena.copy(large);
  const std::string_view after = arena.copy("after");
  EXPECT_EQ(copied, large);
  EXPECT_EQ(first, "first");
  EXPECT_EQ(after, "after");
}

TEST(SheafOnlyArena, ClearKeepsTheMemoryForTheNextRound) {
  Arena arena;
  const char* first_round = arena.copy("a page").data();
  arena.copy(std::string(200'000, 'x'));
  arena.clear();
  EXPECT_EQ(arena.copy("another").data(), first_round);
  for (const int value : arena.array<int>(30'000))
    ASSERT_EQ(value, 0);  // value-initialised although used before
}

}  // namespace
}  // namespace sheaf::base
