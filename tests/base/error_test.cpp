#include "sheaf/base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace sheaf::base {
namespace {

TEST(Error, SystemErrorSaysWhatAndWhy) {
  const Error error = system_error(ENOENT, "cannot open a.scp");
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_EQ(error.message, "cannot open a.scp: No such file or directory");
}

TEST(Error, DiskFullHasItsOwnCode) {
  EXPECT_EQ(system_error(ENOSPC, "x").code, Errc::no_space);
  EXPECT_EQ(system_error(EDQUOT, "x").code, Errc::no_space);
  EXPECT_EQ(system_error(EIO, "x").code, Errc::io);
}

Result<int> half(int value) {
  if (value % 2 != 0) return fail(Errc::invalid_argument, "odd");
  return value / 2;
}

Result<int> quarter(int value) {
  SHEAF_TRY_ASSIGN(const int once, half(value));
  SHEAF_TRY(half(once));
  return half(once);
}

TEST(Error, TryPassesValuesAndErrorsOn) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_EQ(quarter(7).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace sheaf::base
