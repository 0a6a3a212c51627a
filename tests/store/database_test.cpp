#include "sheaf/database/database.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sheaf::database {
namespace {

std::vector<std::string> keys(const Database& database, std::string_view prefix) {
  std::vector<std::string> found;
  auto cursor = database.scan(prefix);
  for (; cursor.valid(); cursor.next()) found.emplace_back(cursor.key());
  EXPECT_TRUE(cursor.check());
  return found;
}

TEST(Database, KeepsWhatIsWritten) {
  const test::TempDir dir;
  {
    auto database = Database::open(dir / "db");
    ASSERT_TRUE(database) << database.error().message;
    Database::Batch batch;
    batch.put("a1", "one");
    batch.put("a2", std::string("two\0three", 9));
    batch.put("b", "");
    ASSERT_TRUE(database->write(batch, Durability::synced));
    EXPECT_TRUE(batch.empty());
    batch.remove("a1");
    ASSERT_TRUE(database->write(batch, Durability::buffered));
  }
  const auto database = Database::open(dir / "db");
  ASSERT_TRUE(database);
  EXPECT_EQ(*database->get("a1"), std::nullopt);
  EXPECT_EQ(*database->get("a2"), std::string("two\0three", 9));
  EXPECT_EQ(*database->get("b"), "");
  EXPECT_EQ(keys(*database, "a"), std::vector<std::string>{"a2"});
}

TEST(Database, PackingKeepsEntriesThatAViewOfAnEmptyDatabaseDoesNotShow) {
  const test::TempDir dir;
  auto database = Database::open(dir / "db", Tables::main_and_data);
  ASSERT_TRUE(database);
  const Database::View view = database->view();
  auto file = Database::SortedFile::create(*database, Table::data, dir / "file.sst");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->put("a", "one"));
  ASSERT_TRUE(file->put("b", "two"));
  ASSERT_TRUE(file->finish());
  const KeyRange range = file->key_range();
  EXPECT_EQ(range.first, "a");
  EXPECT_EQ(range.last, "b");
  EXPECT_GT(range.bytes, 0U);
  ASSERT_TRUE(database->ingest(std::span(&*file, 1), Database::OlderViews::may_see));
  std::atomic<bool> cancelled = false;
  ASSERT_TRUE(database->pack(range, cancelled));
  EXPECT_EQ(database->unpacked_bytes(Table::data), 0U);
  EXPECT_EQ(*database->get("a", Table::data), "one");
  EXPECT_EQ(*database->get("b", Table::data), "two");
}

TEST(Database, PrefixesEndWhereTheyEnd) {
  const test::TempDir dir;
  auto database = Database::open(dir / "db");
  ASSERT_TRUE(database);
  Database::Batch batch;
  for (const std::string& key : {std::string("a"), std::string("a\xFF"), std::string("a\xFF\xFF"),
                                 std::string("b"), std::string("\xFF"), std::string("\xFF\xFF")})
    batch.put(key, "x");
  ASSERT_TRUE(database->write(batch, Durability::buffered));
  EXPECT_EQ(keys(*database, "a").size(), 3U);
  EXPECT_EQ(keys(*database, "a\xFF").size(), 2U);
  EXPECT_EQ(keys(*database, "\xFF").size(), 2U);
  EXPECT_EQ(keys(*database, "").size(), 6U);
  batch.remove_prefix("a\xFF");
  ASSERT_TRUE(database->write(batch, Durability::buffered));
  EXPECT_EQ(keys(*database, "a"), std::vector<std::string>{"a"});
}

TEST(Database, OneAtATime) {
  const test::TempDir dir;
  const auto first = Database::open(dir / "db");
  ASSERT_TRUE(first);
  const auto second = Database::open(dir / "db");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::Errc::in_use);
  EXPECT_NE(second.error().message.find("in use by another sheaf"), std::string::npos)
      << second.error().message;
}

TEST(Database, ALockThatCannotBeOpenedIsADifferentError) {
  const test::TempDir dir;
  {
    ASSERT_TRUE(Database::open(dir / "db"));
  }
  std::filesystem::remove(dir / "db" / "LOCK");
  std::filesystem::create_directory(dir / "db" / "LOCK");
  const auto opened = Database::open(dir / "db");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, base::Errc::io);
  EXPECT_NE(opened.error().message.find("Is a directory"), std::string::npos) << opened.error().message;
}

TEST(Database, WhoIsRefusedTouchesNothing) {
  const test::TempDir dir;
  const auto first = Database::open(dir / "db");
  ASSERT_TRUE(first);
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(dir / "db")) found.insert(file.path());
    return found;
  };
  const auto before = names();
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(Database::open(dir / "db"));
  EXPECT_EQ(names(), before) << "no log files renamed or deleted";
}

TEST(Database, DamageIsReported) {
  const test::TempDir dir;
  {
    ASSERT_TRUE(Database::open(dir / "db"));
  }
  std::ofstream(dir.path() / "db" / "CURRENT") << "MANIFEST-999999\n";
  const auto database = Database::open(dir / "db");
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find((dir / "db").string()), std::string::npos);
}

TEST(Database, AFileInTheWay) {
  const test::TempDir dir;
  dir.write("db", "not a folder");
  const auto database = Database::open(dir / "db");
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("cannot create the folder"), std::string::npos)
      << database.error().message;
}

}  // namespace
}  // namespace sheaf::database
