#include "sheaf/export/parquet_export.h"

#include "sheaf/database/database.h"
#include "sheaf/export/dataset_card.h"
#include "sheaf/export/export_manifest.h"
#include "store/store_fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <set>

namespace sheaf::exporting {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ParquetShards, KeysComeApartAgain) {
  const PageRow row{"https://a.example", "blog", "https://a.example/1", {}, {}};
  const std::string key = page_key(row);
  EXPECT_EQ(row_of_key(key).site, row.site);
  EXPECT_EQ(row_of_key(key).section, row.section);
  EXPECT_EQ(row_of_key(key).url, row.url);
}

TEST(ParquetShards, ChancesFollowTheBytes) {
  int chances = 0;
  for (int i = 0; i < 20'000; ++i)
    chances += may_begin_shard("key " + std::to_string(i), 1'000, 100'000) ? 1 : 0;
  EXPECT_GT(chances, 120);
  EXPECT_LT(chances, 280);
}

/// Writes pages /0 to /count with random text, except what `change` says otherwise.
std::vector<ShardFile> write_shards(const std::filesystem::path& folder, int count, int changed,
                                    int removed) {
  std::filesystem::create_directories(folder);
  ShardSettings settings;
  settings.shard_bytes = 60'000;
  settings.threads = 0;
  ParquetShards shards(folder, settings, {});
  for (int i = 0; i < count; ++i) {
    if (i == removed) continue;
    std::mt19937 random(static_cast<unsigned>(i == changed ? 1'000'000 : i));
    std::string text;
    for (int word = 0; word < 150; ++word) text += std::to_string(random()) + " ";
    const std::string url = "https://a.example/" + std::to_string(100'000 + i);
    const Block block{TextBlock{text}, {}};
    Page page;
    page.url = url;
    page.content = std::span<const Block>(&block, 1);
    EXPECT_TRUE(shards.add({"https://a.example", "all", url, "collections", text}, page));
  }
  EXPECT_TRUE(shards.finish());
  return shards.files();
}

TEST(ParquetShards, AChangedPageChangesTheFilesNearIt) {
  const test::TempDir dir;
  const auto before = write_shards(dir / "a", 3'000, -1, -1);
  ASSERT_GT(before.size(), 20U);
  EXPECT_EQ(write_shards(dir / "b", 3'000, -1, -1), before);
  for (const auto& after :
       {write_shards(dir / "c", 3'000, 700, -1), write_shards(dir / "d", 3'000, -1, 1'500)}) {
    std::size_t same = 0;
    for (const ShardFile& file : after) same += std::ranges::count(before, file) > 0 ? 1U : 0U;
    EXPECT_GE(same * 10, before.size() * 7) << same << " of " << before.size();
  }
}

TEST(ParquetExport, AFolderOfAnotherKindIsRefused) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  const auto first = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->counts.rows, 2U);
  EXPECT_EQ(first->files.size(), 1U);
  ParquetOptions changes;
  changes.after = 0;
  const auto other = export_parquet(*store, {}, changes, dir / "out");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, base::Errc::refused);
  std::ofstream(dir / "out" / "mine.parquet") << "x";
  const auto foreign = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().message.find("mine.parquet"), std::string::npos);
  std::ofstream(dir / "out" / std::string(kManifestName)) << "{}";
  const auto broken = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, base::Errc::invalid_data);
}

TEST(ParquetExport, ObsoleteFilesAreDeletedAndOthersKept) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  const auto first = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(first);
  const auto again = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->untouched, 1U);
  ASSERT_TRUE(store::apply(*store, {"delta", 200, 100, {}, {"a"}, {}}));
  const auto fewer = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(fewer) << fewer.error().message;
  EXPECT_EQ(fewer->counts.rows, 1U);
  EXPECT_EQ(fewer->deleted, 1U);
  EXPECT_FALSE(std::filesystem::exists(dir / "out" / first->files[0].name));
  ParquetOptions changes;
  changes.after = first->cursor;
  const auto changed = export_parquet(*store, {}, changes, dir / "changes");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->counts.removed, 1U);
  EXPECT_EQ(changed->cursor, fewer->cursor);
}

/// Makes the JSON of the first page invalid, behind the store's back.
void damage_json(const std::filesystem::path& store) {
  auto database = database::Database::open(store / "pages", database::Tables::main_and_data);
  ASSERT_TRUE(database) << database.error().message;
  const auto cursor = database->scan("", database::Table::data);
  std::string value(cursor.value());
  value[value.find('{')] = '[';
  database::Database::Batch batch(*database);
  batch.put(cursor.key(), value, database::Table::data);
  ASSERT_TRUE(database->write(batch, database::Durability::synced));
}

TEST(ParquetExport, APageThatIsNotValidIsNamedAndNotCounted) {
  const test::TempDir dir;
  ASSERT_TRUE(store::apply(*store::must_open(dir / "store"),
                           {"snapshot", 100, 0, {{"broken", 1}, {"a", 2}, {"b", 3}}, {}, {}}));
  damage_json(dir / "store");
  const auto store = store::must_open(dir / "store", StoreAccess::read);
  std::vector<std::string> damage;
  ExportOptions options;
  options.on_damage = [&](const std::string& sentence) { damage.push_back(sentence); };
  ParquetOptions changes;
  changes.after = store::FeedCursor(0);
  const auto check = [&](const base::Result<ParquetSummary>& exported) {
    ASSERT_TRUE(exported) << exported.error().message;
    EXPECT_EQ(exported->pages.pages, 2U);
    EXPECT_EQ(exported->pages.damaged, 1U);
    EXPECT_EQ(exported->counts.rows, 2U);
    ASSERT_EQ(damage.size(), 1U);
    EXPECT_TRUE(damage[0].starts_with(
        "the page https://example.com/broken of section blog of https://example.com is not a valid page: "))
        << damage[0];
    damage.clear();
  };
  check(export_parquet(*store, options, {}, dir / "pages"));
  check(export_parquet(*store, options, changes, dir / "changes"));
  check(export_parquet_file(*store, options, {}, dir / "pages.parquet"));
  check(export_parquet_file(*store, options, changes, dir / "changes.parquet"));
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

// export_kills.py kills the program at every step; this test has the states that it can leave.
TEST(ParquetExport, AnInterruptedExportIsContinued) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  const auto old = export_parquet(*store, {}, {}, dir / "old");
  ASSERT_TRUE(old);
  ASSERT_TRUE(store::apply(*store, {"delta", 200, 100, {}, {"a"}, {}}));
  const auto whole = export_parquet(*store, {}, {}, dir / "whole");
  ASSERT_TRUE(whole);
  const std::string old_name = old->files[0].name;
  const std::string name = whole->files[0].name;
  const std::string manifest(kManifestName);
  const std::set<std::string> expected = {name, manifest};
  EXPECT_EQ(names_in(dir / "whole"), expected);
  const std::string first = "sheaf-export 1 plain\n";
  const std::string temporary = "." + name + ".tmp-0123abcd";
  struct State {
    std::string list;
    std::vector<std::string> files;  ///< copied from the exports
  };
  int number = 0;
  for (const State& state : {State{"", {}}, State{"sheaf-ex", {}}, State{first, {}},
                             State{first + name.substr(0, 9), {}}, State{first + name + "\n", {}},
                             State{first + name + "\n", {name}}, State{first + name + "\n", {name, old_name}},
                             State{first + name + "\n" + old_name + "\n", {name, old_name, manifest}}}) {
    const auto folder = dir / ("out" + std::to_string(number++));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / std::string(kUnfinishedName)) << state.list;
    std::ofstream(folder / temporary) << "PAR1";
    std::ofstream(folder / ".mine.tmp-0123abcd") << "mine";
    std::ofstream(folder / "mine.txt") << "mine";
    for (const std::string& file : state.files)
      std::filesystem::copy_file(dir / (file == old_name ? "old" : "whole") / file, folder / file);
    // Without a name in the list, nothing says that the file is ours.
    const bool is_foreign = state.list.find(old_name) == std::string::npos && !state.files.empty() &&
                            state.files.back() == old_name;
    const auto done = export_parquet(*store, {}, {}, folder);
    ASSERT_EQ(done.has_value(), !is_foreign) << number << (done ? "" : done.error().message);
    if (is_foreign) {
      EXPECT_EQ(done.error().code, base::Errc::refused);
      EXPECT_EQ(bytes_of(folder / old_name), bytes_of(dir / "old" / old_name));
      continue;
    }
    std::set<std::string> names = expected;
    names.insert({".mine.tmp-0123abcd", "mine.txt"});
    EXPECT_EQ(names_in(folder), names) << number;
    EXPECT_EQ(bytes_of(folder / name), bytes_of(dir / "whole" / name));
    EXPECT_EQ(bytes_of(folder / manifest), bytes_of(dir / "whole" / manifest));
  }
}

TEST(ParquetExport, AListOfAnySizeIsNotRead) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  const auto list = dir / "out" / std::string(kUnfinishedName);
  std::filesystem::create_directories(dir / "out");
  std::ofstream(list) << "sheaf-export 1 plain\n";
  std::filesystem::resize_file(list, std::uintmax_t{65} << 20U);
  const auto done = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, base::Errc::invalid_data);
  EXPECT_EQ(std::filesystem::file_size(list), std::uintmax_t{65} << 20U);
}

TEST(ParquetExport, AnInterruptedReplacementIsNotTakenForUnchanged) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  const auto first = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(first);
  const auto file = dir / "out" / first->files[0].name;
  const std::string bytes = bytes_of(file);
  // As if an export of other pages of the same size had been killed after this file.
  std::ofstream(file, std::ios::binary) << std::string(bytes.size(), 'x');
  std::ofstream(dir / "out" / std::string(kUnfinishedName)) << "sheaf-export 1 plain\n"
                                                            << first->files[0].name << "\n";
  const auto again = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->untouched, 0U);
  EXPECT_EQ(bytes_of(file), bytes);
}

TEST(ParquetExport, AnUnfinishedExportOfAnotherProcessOrLayoutIsRefused) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  const auto list = dir / "out" / std::string(kUnfinishedName);
  std::filesystem::create_directories(dir / "out");
  {
    const auto running = UnfinishedExport::open(dir / "out", FolderLayout::plain);
    ASSERT_TRUE(running);
    const auto refused = export_parquet(*store, {}, {}, dir / "out");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("another export is writing"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(list));
  std::ofstream(list) << "sheaf-export 1 huggingface\nREADME.md\n";
  const auto other = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, base::Errc::refused);
  std::ofstream(list) << "mine";
  const auto foreign = export_parquet(*store, {}, {}, dir / "out");
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, base::Errc::invalid_data);
  EXPECT_EQ(bytes_of(list), "mine");
}

// Both sets of files would be read as one table.
TEST(ParquetExport, AFolderOfAnotherLayoutIsRefused) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  ParquetOptions plain;
  ParquetOptions dataset;
  dataset.layout = FolderLayout::huggingface;
  for (const bool plain_first : {true, false}) {
    const auto folder = dir / (plain_first ? "plain" : "dataset");
    ASSERT_TRUE(export_parquet(*store, {}, plain_first ? plain : dataset, folder));
    const auto before = names_in(folder);
    const auto refused = export_parquet(*store, {}, plain_first ? dataset : plain, folder);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::Errc::refused);
    EXPECT_NE(refused.error().message.find("--layout"), std::string::npos);
    EXPECT_EQ(names_in(folder), before);
    EXPECT_TRUE(export_parquet(*store, {}, plain_first ? plain : dataset, folder));
  }
}

TEST(ParquetExport, ADatasetCardCountsWhatIsThere) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store::apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}, {"c", 3}}, {}, {}}));
  ParquetOptions options;
  options.layout = FolderLayout::huggingface;
  const auto done = export_parquet(*store, {}, options, dir / "out");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(std::filesystem::exists(dir / "out" / "data" / done->files[0].name));
  const std::string card = bytes_of(dir / "out" / "README.md");
  EXPECT_NE(card.find("num_examples: 3\n"), std::string::npos) << card;
  EXPECT_NE(card.find("download_size: " + std::to_string(done->bytes)), std::string::npos);
  EXPECT_NE(card.find("| https://example.com | 3 |"), std::string::npos) << card;
  ASSERT_TRUE(export_parquet(*store, {}, options, dir / "out"));
  std::filesystem::create_directories(dir / "other");
  std::ofstream(dir / "other" / "README.md") << "mine";
  const auto refused = export_parquet(*store, {}, options, dir / "other");
  ASSERT_FALSE(refused);
  EXPECT_EQ(bytes_of(dir / "other" / "README.md"), "mine");
}

TEST(DatasetCard, NamesFromOutsideAreNotMarkup) {
  DatasetFacts facts;
  facts.add("https://a.example", "x|<b>\n");
  facts.add("https://a.example", "en-GB");
  const std::string card = dataset_card(facts);
  EXPECT_EQ(card.find("<b>"), std::string::npos);
  EXPECT_NE(card.find("language:\n- en\n"), std::string::npos) << card;
}

}  // namespace
}  // namespace sheaf::exporting
