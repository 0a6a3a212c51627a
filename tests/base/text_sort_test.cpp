#include "sheaf/base/text_sort.h"

#include "support/allocated_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace sheaf::base {
namespace {

void expect_entries(TextSort& sort, const std::map<std::string, std::string>& expected) {
  ASSERT_TRUE(sort.sort());
  for (const auto& [key, text] : expected) {
    const auto entry = sort.next();
    ASSERT_TRUE(entry && *entry);
    ASSERT_EQ((*entry)->key, key);
    ASSERT_EQ((*entry)->text, text);
  }
  EXPECT_FALSE(sort.next()->has_value());
}

TEST(TextSort, MoreThanFitsInMemory) {
  std::map<std::string, std::string> expected;
  TextSort sort(10'000, {});
  std::mt19937 random(3);
  for (int i = 0; i < 2'000; ++i) {
    const std::string key = std::to_string(random());
    const std::string text(random() % 200, static_cast<char>('a' + i % 26));
    if (!expected.emplace(key, text).second) continue;
    ASSERT_TRUE(sort.add(key, text));
  }
  // A text that alone is larger than the memory.
  expected["5"] = std::string(300'000, 'x');
  ASSERT_TRUE(sort.add("5", expected["5"]));
  expect_entries(sort, expected);
}

// Each run has a block in memory while they are merged.
TEST(TextSort, TheNumberOfRunsIsBounded) {
  constexpr int kNumber = 9'000;  // each is a run: three levels
  TextSort sort(1, {});
  std::mt19937 random(3);
  std::map<std::string, std::string> expected;
  for (int i = 0; i < kNumber; ++i) {
    const std::string key = std::to_string(random());
    expected[key] = std::to_string(i);
    ASSERT_TRUE(sort.add(key, expected[key]));
    ASSERT_LE(sort.run_count(), 3 * 64);
  }
  ASSERT_EQ(expected.size(), kNumber);
  expect_entries(sort, expected);
}

// What collected the entries is as large as what the caller needs for its own work afterwards.
TEST(TextSort, TheMemoryIsFreedBeforeTheFirstEntry) {
  constexpr std::size_t kMemory = 4'000'000;
  const std::size_t before = test::allocated_bytes();
  TextSort sort(kMemory, {});
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(sort.add(std::to_string(i), std::string(10'000, 'x')));
  ASSERT_GE(test::allocated_bytes() - before, 1'000'000U);
  ASSERT_TRUE(sort.sort());
  EXPECT_LT(test::allocated_bytes() - before, 1'000'000U);
}

TEST(TextSort, NothingIsSorted) {
  TextSort sort(1'000, {});
  expect_entries(sort, {});
}

/// Writes to every temporary file of this process, which have no names.
void damage_spool_files(off_t offset, std::string_view bytes) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    if (target.find(".sheaf-spool-") == std::string::npos) continue;
    const FileDescriptor file(open(entry.path().c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(pwrite(file.get(), bytes.data(), bytes.size(), offset), static_cast<ssize_t>(bytes.size()));
  }
}

TEST(TextSort, ADamagedTemporaryFileIsAnError) {
  const std::string ones(8, '\xff');
  // The sizes of a block, its frame, and the sizes of an entry, which are plain in a frame of few bytes.
  for (const auto& [offset, bytes] :
       std::map<off_t, std::string>{{0, ones}, {8, ones}, {16, ones}, {16 + 9, ones}, {16 + 9 + 8, ones}}) {
    TextSort sort(1, {});
    ASSERT_TRUE(sort.add("a", "x") && sort.add("b", "y") && sort.add("c", "z"));
    damage_spool_files(offset, bytes);
    const auto sorted = sort.sort();
    ASSERT_FALSE(sorted) << offset;
    EXPECT_EQ(sorted.error().code, Errc::io);
    EXPECT_EQ(sorted.error().message,
              "a temporary file is damaged: its content is not what was written to it");
  }
}

TEST(TextSort, AFolderThatIsNotThereIsAnError) {
  TextSort sort(1, "/nonexistent/folder");
  ASSERT_TRUE(sort.add("a", "1"));
  EXPECT_FALSE(sort.add("b", "2"));
}

}  // namespace
}  // namespace sheaf::base
