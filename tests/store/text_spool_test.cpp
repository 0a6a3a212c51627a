#include "sheaf/store/collection_offer.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::store {
namespace {

TEST(TextSpool, ReadsBackWhatIsInMemoryAndOnDisk) {
  const test::TempDir folder;
  TextSpool spool(folder.path());
  const std::string large(1 << 20, 'x');
  std::vector<std::uint64_t> at;
  for (int i = 0; i < 20; ++i) {  // more than it keeps in memory
    const auto place = spool.append("url-" + std::to_string(i) + "-", large);
    ASSERT_TRUE(place);
    at.push_back(*place);
  }
  for (int i = 19; i >= 0; --i) {
    const std::string expected = "url-" + std::to_string(i) + "-xx";
    const auto text = spool.read(at[static_cast<std::size_t>(i)], expected.size());
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, expected);
  }
}

TEST(TextSpool, AFolderThatDoesNotExistIsAnError) {
  const test::TempDir folder;
  TextSpool spool(folder / "missing");
  const std::string large(17 << 20, 'x');
  EXPECT_TRUE(spool.append("small", "")) << "nothing is written yet";
  EXPECT_FALSE(spool.append(large, ""));
}

}  // namespace
}  // namespace sheaf::store
