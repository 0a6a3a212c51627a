#include "sheaf/store/apply_collection.h"
#include "sheaf/store/local/local_section_writer.h"
#include "sheaf/store/local/maintenance.h"
#include "store_fixture.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sheaf::store::local {
namespace {

constexpr std::uint64_t kPageBytes = 100 * format::kKiB;
constexpr std::uint64_t kPagesAFile = 22;  // more than a writer holds in memory
constexpr DataFiles kSmallFiles{.bytes = kPagesAFile * kPageBytes};

/// A page that packing makes smaller, but slowly: letters without a pattern.
std::string unlike_page(std::uint64_t number) {
  std::mt19937_64 random(number);
  std::string json(kPageBytes, ' ');
  for (std::size_t i = 0; i + 16 <= json.size(); i += 16)
    for (std::uint64_t bits = random(), j = 0; j < 16; ++j, bits >>= 4U)
      json[i + j] = static_cast<char>('a' + bits % 16);
  return json;
}

/// Writes the pages of that many files, and the first page of one more.
std::vector<Place> write_files(
    StoreCore& core, const DataFiles& files, std::uint64_t count,
    const std::function<void()>& after_page = [] {}) {
  std::vector<Place> places;
  DataWriter data(core, files);
  for (std::uint64_t i = 0; i <= count * kPagesAFile; ++i) {
    const auto place = data.add({"https://example.com/", "2026-01-01T00:00:00Z", {}, unlike_page(i)});
    EXPECT_TRUE(place);
    places.push_back(place.value_or(Place{}));
    after_page();
  }
  std::unique_lock lock(core.commit_mutex());
  SectionChange change(core, "https://example.com", "all", {});
  EXPECT_TRUE(data.hand_over(change));
  EXPECT_TRUE(change.commit());
  data.keep();
  lock.unlock();
  core.packer().finish();
  return places;
}

void expect_pages(Database& database, const std::vector<Place>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto value = database.get(data_key(places[i]), Table::data);
    ASSERT_TRUE(value && *value);
    const auto page = decode_data(**value);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->json, unlike_page(i));
  }
}

TEST(DataWriter, PacksFilesWhileTheNextAreWritten) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  DataFiles files = kSmallFiles;
  files.pack_threads = 2;
  const auto places = write_files(**core, files, 2);
  EXPECT_EQ((*core)->database().unpacked_bytes(Table::data), 0U) << "also the last, small one";
  expect_pages((*core)->database(), places);
}

TEST(Packing, GcPacksTheIndexToo) {
  const test::TempDir dir;
  {
    const auto store = must_open(dir / "store");
    ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, many(15'000), {}, {}}));  // enough for files of their own
  }
  {
    const auto store = must_open(dir / "store");
    SectionEdit edit(kSite, "blog");
    edit.put_note("a", "between the feed and the index");
    ASSERT_TRUE(store->commit(edit));
    ASSERT_TRUE(store->gc({}));
  }
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  EXPECT_EQ((*core)->database().unpacked_bytes(Table::main), 0U);
}

TEST(DataWriter, WaitsWhereMoreThanHalfOfTheStoreIsUnpacked) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  Database& database = (*core)->database();
  DataFiles files = kSmallFiles;
  files.pack_threads = 1;
  files.unpacked = files.bytes / 2;
  // One file is packed; meanwhile the next is written, and may be added to the database.
  const std::uint64_t most = 3 * files.bytes;
  std::uint64_t largest = 0;
  const auto places = write_files(**core, files, 5, [&] {
    const std::uint64_t unpacked = database.unpacked_bytes(Table::data);
    EXPECT_LE(unpacked, std::max(most, *database.disk_bytes() / 2 + 2 * files.bytes));
    largest = std::max(largest, unpacked);
  });
  EXPECT_GT(largest, files.bytes / 2) << "packing is slower than writing, else nothing is tested";
  EXPECT_EQ(database.unpacked_bytes(Table::data), 0U);
  expect_pages(database, places);
}

TEST(DataWriter, LeavesFilesAsTheyAreIfNotToPack) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  Database& database = (*core)->database();
  const auto places = write_files(**core, kSmallFiles, 2);
  const std::uint64_t unpacked = database.unpacked_bytes(Table::data);
  EXPECT_GT(unpacked, kSmallFiles.bytes);
  ASSERT_TRUE(database.compact(Table::data, 2));
  EXPECT_EQ(database.unpacked_bytes(Table::data), 0U);
  EXPECT_LT(*database.disk_bytes(), unpacked);
  expect_pages(database, places);
}

TEST(DataWriter, LeavesARunOfLessThanAFileToBeJoinedWithOthers) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  DataFiles files{.bytes = 30 * kPagesAFile * kPageBytes, .pack_threads = 2};
  write_files(**core, files, 2);
  EXPECT_GT((*core)->database().unpacked_bytes(Table::data), 0U);
}

TEST(DataWriter, DeletesPackedPagesOfAnAbandonedRun) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  {
    DataFiles files = kSmallFiles;
    files.pack_threads = 2;
    DataWriter data(**core, files);
    for (std::uint64_t i = 0; i < 4 * kPagesAFile; ++i)
      ASSERT_TRUE(data.add({"https://example.com/", "2026-01-01T00:00:00Z", {}, unlike_page(i)}));
  }
  EXPECT_FALSE((*core)->database().scan("", Table::data).valid());
}

TEST(DataWriter, ACollectionIsWholeAfterItWasPackedWhileItWasRead) {
  const test::TempDir dir;
  const auto core = StoreCore::open(dir / "store", StoreAccess::write);
  ASSERT_TRUE(core);
  TestCollection collection{"snapshot", 100, 0, many(400), {}, {}};
  collection.text = unlike_page(1).substr(0, kPageBytes / 8);
  {
    DataFiles files = kSmallFiles;
    files.pack_threads = 2;
    LocalSectionWriter writer(**core, kSite, "blog", files);
    const std::string bytes = collection.str();
    const auto applied =
        apply_collection(writer, kSite, "blog", base::buffer_source(bytes), apply_options(), dir.path());
    ASSERT_TRUE(applied) << applied.error().message;
    EXPECT_EQ(applied->added, 400U);
  }
  EXPECT_TRUE((*core)->packer().finish());
  EXPECT_EQ((*core)->database().unpacked_bytes(Table::data), 0U);
  const auto verified = verify_store(**core, 2, {});
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->faults, std::vector<std::string>());
  EXPECT_EQ(verified->pages, 400U);
}

/// The sizes of the packed files.
std::multiset<std::uintmax_t> packed_files(unsigned threads) {
  const test::TempDir dir;
  {
    const auto core = StoreCore::open(dir / "store", StoreAccess::write);
    EXPECT_TRUE(core);
    DataFiles packed = kSmallFiles;
    packed.pack_threads = threads;
    // What is packed divides the rest into ranges, which are packed in parallel.
    for (const DataFiles& files : {kSmallFiles, packed, kSmallFiles}) write_files(**core, files, 1);
    EXPECT_TRUE((*core)->database().compact(Table::data, threads));
    EXPECT_EQ((*core)->database().unpacked_bytes(Table::data), 0U);
  }
  std::multiset<std::uintmax_t> sizes;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "store" / "pages"))
    if (entry.path().extension() == ".sst") sizes.insert(entry.file_size());
  return sizes;
}

TEST(DataWriter, TheNumberOfThreadsDoesNotChangeWhatIsPacked) {
  const auto one = packed_files(1);
  EXPECT_GT(one.size(), 2U);
  EXPECT_EQ(packed_files(3), one);
}

}  // namespace
}  // namespace sheaf::store::local
