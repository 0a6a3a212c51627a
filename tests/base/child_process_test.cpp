#include "sheaf/base/child_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace sheaf::base {
namespace {

using std::chrono::seconds;

TEST(ReadCommand, ReturnsWhatTheCommandPrints) {
  const auto printed = read_command({"sh", "-c", "echo paid"}, "a page", seconds(60), 100);
  ASSERT_TRUE(printed) << printed.error().message;
  EXPECT_EQ(*printed, "paid\n");
}

TEST(ReadCommand, KillsACommandThatPrintsTooMuch) {
  const auto printed = read_command({"yes"}, "a page", seconds(60), 100);
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().message, "`yes` was killed for a page: it printed more than 100 bytes");
}

/// The output ends long before the command does.
TEST(ReadCommand, KillsACommandThatClosesItsOutputAndGoesOn) {
  const auto started = std::chrono::steady_clock::now();
  const auto printed =
      read_command({"sh", "-c", "echo paid; exec >&-; exec sleep 30"}, "a page", seconds(1), 100);
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().message, "`sh` was killed for a page: it took too long");
  EXPECT_LT(std::chrono::steady_clock::now() - started, seconds(20));
}

TEST(ReadCommand, ReportsTheStatusOfACommandThatFails) {
  const auto printed = read_command({"sh", "-c", "exec >&-; exit 3"}, "a page", seconds(60), 100);
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().message, "`sh` failed for a page with status 3");
}

}  // namespace
}  // namespace sheaf::base
