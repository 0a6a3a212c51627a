#include "sheaf/trust/key_history.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sheaf::trust {
namespace {

TEST(KeyHistoryFile, IsEmptyOnlyIfItDoesNotExist) {
  const test::TempDir folder;
  const std::filesystem::path key = folder / "site.key";
  const auto missing = load_history(key);
  ASSERT_TRUE(missing) << missing.error().message;
  EXPECT_TRUE(missing->empty());
  // A link to itself cannot be read, not even by root.
  std::filesystem::create_symlink(history_path(key), history_path(key));
  EXPECT_FALSE(load_history(key)) << "revocations would be ignored";
}

}  // namespace
}  // namespace sheaf::trust
