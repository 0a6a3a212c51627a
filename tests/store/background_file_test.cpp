#include "sheaf/database/background_file.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::database {
namespace {

class BackgroundFileTest : public testing::Test {
 protected:
  BackgroundFileTest() : database_(*Database::open(dir_ / "db")) {}

  Database::SortedFile new_file() {
    return *Database::SortedFile::create(database_, Table::main, dir_ / "file");
  }

  const test::TempDir dir_;
  Database database_;
};

TEST(EntryList, GivesBackWhatWasAdded) {
  EntryList list;
  EXPECT_TRUE(list.empty());
  list.put("a", "one");
  list.remove("b");
  list.put("", "");
  EXPECT_EQ(list.bytes(), 5U);
  std::vector<std::pair<std::string, std::optional<std::string>>> found;
  ASSERT_TRUE(list.each([&](const EntryList::Entry& entry) -> base::Result<void> {
    found.emplace_back(entry.key, entry.value);
    return {};
  }));
  const std::vector<std::pair<std::string, std::optional<std::string>>> expected{
      {"a", "one"}, {"b", std::nullopt}, {"", ""}};
  EXPECT_EQ(found, expected);
}

TEST_F(BackgroundFileTest, TakesManyListsOneAfterTheOther) {
  Database::Batch batch;
  batch.put("key 500", "old");
  ASSERT_TRUE(database_.write(batch, Durability::synced));
  BackgroundFile file(new_file());
  for (int i = 100; i < 1000; ++i) {
    EntryList list;
    if (i == 500) {
      list.remove("key 500");
    } else {
      list.put("key " + std::to_string(i), std::to_string(i));
    }
    ASSERT_TRUE(file.write(std::move(list)));
  }
  auto finished = file.finish();
  ASSERT_TRUE(finished && *finished);
  ASSERT_TRUE(database_.ingest(std::span(&**finished, 1)));
  EXPECT_EQ(*database_.get("key 100"), "100");
  EXPECT_EQ(*database_.get("key 500"), std::nullopt);
  EXPECT_EQ(*database_.get("key 999"), "999");
}

TEST_F(BackgroundFileTest, WithoutEntriesThereIsNoFile) {
  BackgroundFile file(new_file());
  ASSERT_TRUE(file.write({}));
  const auto finished = file.finish();
  ASSERT_TRUE(finished);
  EXPECT_FALSE(*finished);
}

TEST_F(BackgroundFileTest, AFailureOfTheThreadIsReturned) {
  BackgroundFile file(new_file());
  const auto list_of = [](std::string_view key) {
    EntryList list;
    list.put(key, "value");
    return list;
  };
  ASSERT_TRUE(file.write(list_of("b")));
  (void)file.write(list_of("a"));  // not in order
  bool told = false;
  for (int i = 0; i < 100 && !told; ++i) told = !file.write(list_of("c"));
  EXPECT_TRUE(told);
  EXPECT_FALSE(file.finish());
}

TEST_F(BackgroundFileTest, OneThatIsGivenUpLeavesNothing) {
  {
    BackgroundFile file(new_file());
    EntryList list;
    list.put("a", "value");
    ASSERT_TRUE(file.write(std::move(list)));
  }
  EXPECT_FALSE(std::filesystem::exists(dir_ / "file"));
}

}  // namespace
}  // namespace sheaf::database
