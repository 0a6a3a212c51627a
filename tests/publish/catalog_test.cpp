#include "sheaf/publish/catalog.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace sheaf::publish {
namespace {

// More than fit into a batch: they are ingested as files.
constexpr int kMany = 25'000;

std::string url_of(int number) { return "https://example.com/" + std::to_string(number); }

CatalogEntry page(int number, std::string modified) {
  CatalogEntry record;
  record.url = url_of(number);
  record.fingerprint[0] = static_cast<std::uint8_t>(number);
  record.modified = std::move(modified);
  return record;
}

std::set<std::string> urls(const Catalog& catalog) {
  std::set<std::string> found;
  EXPECT_TRUE(catalog.each_page("docs", [&](const CatalogEntry& record) -> base::Result<void> {
    found.insert(record.url);
    return {};
  }));
  return found;
}

bool has_incoming_files(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".incoming") return true;
  return false;
}

TEST(Catalog, ManyChangesAreMadeAsFewAre) {
  const test::TempDir dir;
  {
    auto catalog = Catalog::open(dir / "state").value();
    for (int i = 0; i < kMany; ++i) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-01T00:00:00Z")));
    ASSERT_TRUE(catalog.prepare());
    EXPECT_TRUE(urls(catalog).empty()) << "staged is not committed";
    ASSERT_TRUE(catalog.commit());
    EXPECT_FALSE(catalog.is_prepared());
    EXPECT_EQ(urls(catalog).size(), kMany);
    EXPECT_FALSE(has_incoming_files(dir / "state"));
    // Every second page changes, every fifth is forgotten.
    for (int i = 0; i < kMany; i += 2) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-02T00:00:00Z")));
    for (int i = 0; i < kMany; i += 5) ASSERT_TRUE(catalog.stage_forget("docs", url_of(i)));
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(catalog.stage("docs", "item " + std::to_string(i), {}));
    ASSERT_TRUE(catalog.prepare());
    ASSERT_TRUE(catalog.commit());
  }
  const auto catalog = Catalog::open(dir / "state").value();
  EXPECT_EQ(urls(catalog).size(), kMany - kMany / 5);
  EXPECT_FALSE(catalog.page("docs", url_of(10)).value());
  EXPECT_EQ(catalog.page("docs", url_of(12)).value().value().modified, "2026-01-02T00:00:00Z");
  EXPECT_EQ(catalog.page("docs", url_of(13)).value().value().modified, "2026-01-01T00:00:00Z");
  EXPECT_TRUE(catalog.item("docs", "item 9999").value());
  EXPECT_FALSE(catalog.is_prepared());
}

// A run killed during its commit leaves a partial file; the next one writes it again.
TEST(Catalog, ManyChangesAreMadeAfterAnEndInTheMiddle) {
  const test::TempDir dir;
  {
    auto catalog = Catalog::open(dir / "state").value();
    for (int i = 0; i < kMany; ++i) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-01T00:00:00Z")));
    ASSERT_TRUE(catalog.prepare());
    std::ofstream(dir / "state" / "commit-0.incoming") << "half of a file";
  }
  auto catalog = Catalog::open(dir / "state").value();
  ASSERT_TRUE(catalog.is_prepared());
  ASSERT_TRUE(catalog.commit());
  EXPECT_EQ(urls(catalog).size(), kMany);
  EXPECT_FALSE(has_incoming_files(dir / "state"));
}

// Names of this length are shortened in keys.
TEST(Catalog, LongNamesAreKeptApart) {
  const test::TempDir dir;
  const std::string longest = "https://example.com/" + std::string(236, 'a');
  const std::vector<std::string> names = {longest, longest + "b", longest + "c", longest.substr(0, 255)};
  auto catalog = Catalog::open(dir / "state").value();
  for (const std::string& name : names) {
    CatalogEntry record = page(1, name.substr(200));
    record.url = name;
    ASSERT_TRUE(catalog.stage("docs", record));
    ASSERT_TRUE(catalog.stage("docs", name, {.detail = name, .url = {}}));
  }
  ASSERT_TRUE(catalog.prepare());
  ASSERT_TRUE(catalog.commit());
  for (const std::string& name : names) {
    EXPECT_EQ(catalog.page("docs", name).value().value().modified, name.substr(200));
    EXPECT_EQ(catalog.item("docs", name).value().value().detail, name);
  }
  EXPECT_FALSE(catalog.page("docs", longest + "d").value());
  // Items are forgotten by the ids of their names.
  const std::set<std::string> there = {Catalog::item_id(names[0]), Catalog::item_id(names[2])};
  ASSERT_TRUE(catalog.stage_forget_items(
      "docs", [&](std::string_view id) { return there.contains(std::string(id)); }));
  ASSERT_TRUE(catalog.prepare());
  ASSERT_TRUE(catalog.commit());
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(catalog.item("docs", names[i]).value().has_value(), i % 2 == 0) << i;
}

TEST(Catalog, OfANewerVersionIsRefused) {
  const test::TempDir dir;
  {
    ASSERT_TRUE(Catalog::open(dir / "state"));
  }
  {
    auto database = database::Database::open(dir / "state").value();
    database::Database::Batch batch;
    batch.put("F", "3");
    ASSERT_TRUE(database.write(batch, database::Durability::synced));
  }
  const auto catalog = Catalog::open(dir / "state");
  ASSERT_FALSE(catalog);
  EXPECT_NE(catalog.error().message.find("has format 3: it was written by a newer sheaf"), std::string::npos);
}

// If it were taken for an empty one, its pages would look removed.
TEST(Catalog, OfAnOlderVersionIsRefused) {
  const test::TempDir dir;
  for (const std::string key : {"P", "S", "T", "B", "zz"}) {
    const auto folder = dir / key;
    {
      auto database = database::Database::open(folder).value();
      database::Database::Batch batch;
      batch.put(key + "record", "anything");
      ASSERT_TRUE(database.write(batch, database::Durability::synced));
    }
    for (int round = 0; round < 2; ++round) {
      const auto catalog = Catalog::open(folder);
      ASSERT_FALSE(catalog) << key;
      EXPECT_EQ(catalog.error().code, base::Errc::invalid_data);
      EXPECT_NE(catalog.error().message.find("written by an older sheaf; move the state folder away"),
                std::string::npos)
          << catalog.error().message;
    }
  }
}

}  // namespace
}  // namespace sheaf::publish
