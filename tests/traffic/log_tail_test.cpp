#include "sheaf/traffic/log_line.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sheaf::traffic {
namespace {

class LogTails : public testing::Test {
 protected:
  void append(const std::string& text) const { std::ofstream(file_, std::ios::app) << text; }

  std::vector<std::string> lines() {
    std::vector<std::string> found;
    const auto read =
        tail_.read_more([&](std::string_view line) { found.emplace_back(line); }, [] { return false; });
    EXPECT_TRUE(read && *read);
    return found;
  }
  using Lines = std::vector<std::string>;

  test::TempDir folder_;
  std::filesystem::path file_ = folder_ / "access.log";
  LogTail tail_{file_.string()};
};

TEST_F(LogTails, GiveEachLineOnceAndWholeLinesOnly) {
  EXPECT_EQ(lines(), Lines{});  // the server has not begun
  append("one\ntw");
  EXPECT_EQ(lines(), Lines{"one"});
  append("o\n");
  EXPECT_EQ(lines(), Lines{"two"});
  EXPECT_EQ(lines(), Lines{});
}

TEST_F(LogTails, FollowARotation) {
  append("one\n");
  EXPECT_EQ(lines(), Lines{"one"});
  std::filesystem::rename(file_, folder_ / "access.log.1");
  std::ofstream(folder_ / "access.log.1", std::ios::app)
      << "two\n";  // the server has the old file still open
  EXPECT_EQ(lines(), Lines{"two"});
  append("three\n");
  EXPECT_EQ(lines(), Lines{"three"});
}

TEST_F(LogTails, BeginAgainWithAFileThatWasCut) {
  append("one and more\n");
  EXPECT_EQ(lines(), Lines{"one and more"});
  std::filesystem::resize_file(file_, 0);
  append("two\n");
  EXPECT_EQ(lines(), Lines{"two"});
}

TEST_F(LogTails, StopWhenAsked) {
  append("one\n");
  const auto read = tail_.read_more([](std::string_view) { FAIL(); }, [] { return true; });
  ASSERT_TRUE(read);
  EXPECT_FALSE(*read);
}

TEST_F(LogTails, SkipLinesThatAreTooLong) {
  append(std::string(kMaxLineBytes + 1, 'x') + "\nshort\n");
  EXPECT_EQ(lines(), Lines{"short"});
}

TEST_F(LogTails, ReportWhatCannotBeRead) {
  std::filesystem::create_directory(file_);
  EXPECT_FALSE(tail_.read_more([](std::string_view) {}, [] { return false; }));
}

}  // namespace
}  // namespace sheaf::traffic
