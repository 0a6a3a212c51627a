#include "sheaf/store/local/data_writer.h"

#include "store_fixture.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace sheaf::store::local {
namespace {

constexpr std::uint64_t kPageBytes = 100 * format::kKiB;
constexpr std::uint64_t kPagesAFile = 20;
constexpr DataFiles kSmallFiles{.bytes = kPagesAFile * kPageBytes, .before_plain = 1, .plain = 2};

/// In the order of creation.
std::vector<std::uint64_t> sizes_of_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".sst") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::uint64_t> sizes;
  sizes.reserve(paths.size());
  for (const auto& path : paths) sizes.push_back(std::filesystem::file_size(path));
  return sizes;
}

TEST(DataFiles, OfALargeCollectionAllArePlain) {
  EXPECT_EQ(DataFiles::of_collection(std::nullopt).packing_of(0, UINT64_MAX), Packing::quick);
  EXPECT_EQ(DataFiles::of_collection(kWorthPacking - 1).packing_of(0, UINT64_MAX), Packing::quick);
  EXPECT_EQ(DataFiles::of_collection(kWorthPacking).packing_of(0, UINT64_MAX), Packing::none);
  EXPECT_EQ(DataFiles::of_collection(kWorthPacking).packing_of(16, UINT64_MAX), Packing::quick);
}

TEST(DataFiles, ThePlainNeedRoom) {
  const DataFiles files{.bytes = 100, .before_plain = 1, .plain = 2};
  constexpr std::uint64_t kEnough = 800;  // four times two files
  EXPECT_EQ(files.packing_of(0, kEnough), Packing::quick);
  EXPECT_EQ(files.packing_of(1, kEnough), Packing::none);
  EXPECT_EQ(files.packing_of(2, UINT64_MAX), Packing::none);
  EXPECT_EQ(files.packing_of(3, UINT64_MAX), Packing::quick);
  EXPECT_EQ(files.packing_of(1, kEnough - 1), Packing::quick);
  EXPECT_EQ(files.packing_of(1, 0), Packing::quick);
}

TEST(DataWriter, LeavesSomeFilesPlainUntilTheyArePacked) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", Access::write);
  ASSERT_TRUE(core);
  const std::string json(kPageBytes, 'x');
  std::vector<Place> places;
  {
    DataWriter data(**core, kSmallFiles);
    for (std::uint64_t i = 0; i < 4 * kPagesAFile; ++i) {
      const auto place = data.add({"https://example.com/", "2026-01-01T00:00:00Z", {}, json});
      ASSERT_TRUE(place);
      places.push_back(*place);
    }
    const std::lock_guard lock((*core)->commit_mutex());
    SectionChange change(**core, "https://example.com", "all", {});
    ASSERT_TRUE(data.hand_over(change));
    ASSERT_TRUE(change.commit());
    data.keep();
  }
  const auto sizes = sizes_of_files(dir / "store" / "pages");
  ASSERT_EQ(sizes.size(), 4U);
  EXPECT_LT(sizes[0], kSmallFiles.bytes / 10)
      << "a small amount is compressed at once: it may never be packed";
  EXPECT_GT(sizes[1], kSmallFiles.bytes);
  EXPECT_GT(sizes[2], kSmallFiles.bytes);
  EXPECT_LT(sizes[3], kSmallFiles.bytes / 10) << "what may lie there plain is bounded";

  Database& database = (*core)->database();
  EXPECT_GT(database.unpacked_bytes(Table::data), 2 * kSmallFiles.bytes);
  ASSERT_TRUE(database.compact(Table::data));
  EXPECT_EQ(database.unpacked_bytes(Table::data), 0U);
  EXPECT_LT(*database.disk_bytes(), kSmallFiles.bytes / 10);
  for (const Place& place : places) {
    const auto value = database.get(data_key(place), Table::data);
    ASSERT_TRUE(value && *value);
    const auto page = decode_data(**value);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->json, json);
  }
}

}  // namespace
}  // namespace sheaf::store::local
