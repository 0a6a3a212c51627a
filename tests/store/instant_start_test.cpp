#include "store_fixture.h"

#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <cstdint>
#include <functional>
#include <string>

// What a command reads before it prints its first lines must not depend on the size of the store. Blocks of
// the database are counted, not time.
namespace sheaf::store {
namespace {

/// Some blocks for each file that is opened, its index and its filter, and some with entries.
constexpr std::uint64_t kFewBlocks = 100;

class BlockCount {
 public:
  BlockCount() {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    rocksdb::get_perf_context()->Reset();
  }
  ~BlockCount() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }
  BlockCount(const BlockCount&) = delete;
  BlockCount& operator=(const BlockCount&) = delete;

  [[nodiscard]] std::uint64_t read() const { return rocksdb::get_perf_context()->block_read_count; }
};

void fill_store(const std::filesystem::path& folder, int pages) {
  const auto store = must_open(folder);
  TestCollection collection{"snapshot", 100, 0, {}, {}, {}};
  for (int i = 0; i < pages; ++i) collection.pages.emplace_back("p" + std::to_string(i), 1 + i % 90);
  collection.text = std::string(300, 'x');
  ASSERT_TRUE(apply(*store, collection));
  ASSERT_TRUE(store->gc({}));
}

/// Blocks read by opening the store and by what a command does until its third line.
std::uint64_t blocks_read(const std::filesystem::path& folder,
                          const std::function<void(const PageStore& store)>& command) {
  const BlockCount blocks;
  const auto store = must_open(folder, StoreAccess::read);
  command(*store);
  return blocks.read();
}

void walk_three(const PageStore& store, const PageFilter& filter) {
  int shown = 0;
  EXPECT_TRUE(store.each_page(filter, [&](const StoredPage&) -> base::Result<bool> { return ++shown < 3; }));
  EXPECT_EQ(shown, 3);
}

const std::map<std::string, std::function<void(const PageStore&)>> kCommands = {
    {"open", [](const PageStore&) {}},
    {"list --limit 3",
     [](const PageStore& store) {
       PageFilter filter;
       filter.with_json = false;
       walk_three(store, filter);
     }},
    {"export --limit 3", [](const PageStore& store) { walk_three(store, {}); }},
    {"export --section blog --since TIME --limit 3",
     [](const PageStore& store) {
       PageFilter filter;
       filter.section = "blog";
       filter.modified_since = parse_time(test::time_text(40))->instant;
       walk_three(store, filter);
     }},
    {"get",
     [](const PageStore& store) {
       const std::vector<std::string> urls{TestCollection::url("p7")};
       EXPECT_TRUE(store.get_many({.urls = urls}, [](std::size_t, const auto& page) -> base::Result<void> {
         EXPECT_TRUE(page);
         return {};
       }));
     }},
    {"changes --limit 3",
     [](const PageStore& store) {
       int shown = 0;
       EXPECT_TRUE(store.changes(0, [&](const StoreChange&) { return ++shown < 3; }));
       EXPECT_EQ(shown, 3);
     }},
    {"status",
     [](const PageStore& store) {
       EXPECT_TRUE(store.sections());
       EXPECT_TRUE(store.newest_change());
       EXPECT_TRUE(store.disk_bytes());
     }},
};

TEST(InstantStart, FirstLinesCostLittleInALargeStore) {
  const test::TempDir dir;
  fill_store(dir / "store", 40'000);
  for (const auto& [name, command] : kCommands)
    EXPECT_LE(blocks_read(dir / "store", command), kFewBlocks) << name;
  const std::uint64_t whole_index = blocks_read(dir / "store", [](const PageStore& store) {
    PageFilter filter;
    filter.with_json = false;
    EXPECT_TRUE(store.each_page(filter, [](const StoredPage&) -> base::Result<bool> { return true; }));
  });
  EXPECT_GT(whole_index, 4 * kFewBlocks) << "else a command could read all of it without being noticed";
}

// It grows with the number of sites and is needed by `verify` and by writers only. A terabyte that nobody
// wrote shows whether it is read.
TEST(InstantStart, ReadersDoNotReadTheJournal) {
  const test::TempDir dir;
  fill_store(dir / "store", 200);
  std::filesystem::resize_file(dir / "store" / "commits", std::uintmax_t{1} << 40U);
  for (const auto& [name, command] : kCommands)
    EXPECT_LE(blocks_read(dir / "store", command), kFewBlocks) << name;
  const auto reader = must_open(dir / "store", StoreAccess::read);
  const auto found = reader->verify({});
  ASSERT_TRUE(found) << "a journal of impossible size is not read";
  EXPECT_EQ(found->faults.size(), 1U);
  must_open(dir / "store");
  EXPECT_LT(std::filesystem::file_size(dir / "store" / "commits"), 100'000U) << "a writer replaces it";
}

}  // namespace
}  // namespace sheaf::store
