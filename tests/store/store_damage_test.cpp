#include "sheaf/database/database.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "store_fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace sheaf::store::local {
namespace {

/// A store with sixty pages, each of some thousand bytes that do not compress, packed into files.
void make_store(const std::filesystem::path& folder) {
  const auto store_owner = must_open(folder);
  PageStore& store = *store_owner;
  TestCollection collection{"snapshot", 100, 0, many(60), {}, {}};
  for (int i = 0; i < 4000; ++i) collection.text += static_cast<char>('a' + (i * i * 7 + i / 3) % 26);
  ASSERT_TRUE(apply(store, collection));
  ASSERT_TRUE(store.gc({}));
}

/// Changes the database behind the store's back.
template <class Damage>
void damage(const std::filesystem::path& folder, Damage how) {
  auto database = Database::open(folder / "pages", Tables::main_and_data);
  ASSERT_TRUE(database) << database.error().message;
  Database::Batch batch(*database);
  how(*database, batch);
  ASSERT_TRUE(database->write(batch, Durability::synced));
}

std::vector<std::string> faults_of(const std::filesystem::path& folder) {
  const auto store = open_store(folder.string(), StoreAccess::read);
  if (!store) return {store.error().message};
  const auto summary = (*store)->verify();
  if (!summary) return {summary.error().message};
  return summary->faults;
}

bool mentions(const std::vector<std::string>& faults, std::string_view text) {
  return std::ranges::any_of(faults,
                             [&](const std::string& fault) { return fault.find(text) != std::string::npos; });
}

std::string all(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += fault + "\n";
  return text;
}

TEST(StoreDamage, AFlippedByteIsFound) {
  const test::TempDir dir;
  make_store(dir / "store");
  EXPECT_TRUE(faults_of(dir / "store").empty());
  // The largest file is the one with the pages.
  std::filesystem::path largest;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "store/pages"))
    if (entry.path().extension() == ".sst" &&
        (largest.empty() || entry.file_size() > std::filesystem::file_size(largest)))
      largest = entry.path();
  ASSERT_FALSE(largest.empty());
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(largest));
  for (const std::streamoff place : {size / 10, size / 2, size / 4 * 3}) {
    std::fstream file(largest, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(place);
    const char byte = static_cast<char>(file.get());
    file.seekp(place);
    file.put(static_cast<char>(byte ^ 1));
    file.close();
    const auto faults = faults_of(dir / "store");
    EXPECT_FALSE(faults.empty()) << place;
    EXPECT_TRUE(mentions(faults, "damaged")) << all(faults);
    std::fstream again(largest, std::ios::in | std::ios::out | std::ios::binary);
    again.seekp(place);
    again.put(byte);
  }
  EXPECT_TRUE(faults_of(dir / "store").empty());
}

/// The summary of a store opened for reading, with everything that it says in one text.
std::string verify_with(const std::filesystem::path& folder, unsigned threads) {
  const auto summary = must_open(folder, StoreAccess::read)->verify(threads);
  if (!summary) return summary.error().message;
  return all(summary->faults) + std::to_string(summary->pages) + " " + std::to_string(summary->changes);
}

TEST(StoreDamage, FaultsAreTheSameForAnyNumberOfThreads) {
  const test::TempDir dir;
  {
    const auto store = must_open(dir / "store");
    TestCollection collection{"snapshot", 100, 0, many(9'000), {}, {}};
    collection.text = std::string(2'000, 'x');  // several parts of the index and of the pages
    ASSERT_TRUE(apply(*store, collection));
    ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, many(3), {}, {}, "docs"}));
  }
  EXPECT_EQ(verify_with(dir / "store", 3), "9003 9003");
  damage(dir / "store", [](Database& database, Database::Batch& batch) {
    int number = 0;
    for (auto cursor = database.scan("", Table::data); cursor.valid(); cursor.next())
      if (++number % 400 == 0) batch.remove(cursor.key(), Table::data);
    for (auto cursor = database.scan(kIndex); cursor.valid(); cursor.next())
      if (++number % 500 == 0) batch.put(cursor.key(), "nonsense");
  });
  const std::string one = verify_with(dir / "store", 1);
  EXPECT_NE(one.find(" is missing"), std::string::npos) << one;
  EXPECT_NE(one.find("an entry of the index of section blog"), std::string::npos) << one;
  EXPECT_NE(one.find("section blog of https://example.com has 8,9"), std::string::npos) << one;
  EXPECT_EQ(verify_with(dir / "store", 2), one);
  EXPECT_EQ(verify_with(dir / "store", 7), one);
}

void delete_logs(const std::filesystem::path& folder) {
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "pages"))
    if (entry.path().extension() == ".log") logs += std::filesystem::remove(entry.path()) ? 1 : 0;
  ASSERT_GT(logs, 0U);
}

// A database without its newest log opens as if those entries had never been written.
TEST(StoreDamage, ALostLogIsFoundAndTheNextPullBringsTheSectionBack) {
  const test::TempDir dir;
  make_store(dir / "store");
  const TestCollection later{"delta", 200, 100, {{"new", 200}, {"p1", 200}}, {"p2"}, {}};
  const TestCollection other{"snapshot", 100, 0, many(3), {}, {}, "docs"};
  std::uint64_t last = 0;
  {
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    ASSERT_TRUE(apply(store, later));
    ASSERT_TRUE(apply(store, other));
    last = store.newest_change()->total();
  }
  ASSERT_TRUE(faults_of(dir / "store").empty());
  delete_logs(dir / "store");
  const auto faults = faults_of(dir / "store");
  EXPECT_TRUE(mentions(faults, "a log of the database was lost")) << all(faults);
  EXPECT_TRUE(mentions(faults, "the newest change was")) << all(faults);
  {
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    // Opening the store does not repair it.
    const auto still = faults_of(dir / "store");
    EXPECT_TRUE(mentions(still, "section blog of https://example.com had 60 pages")) << all(still);
    EXPECT_TRUE(mentions(still, "section docs of https://example.com had 3 pages")) << all(still);
    // Change numbers are not reused: a client of the feed gets an error and has to start again.
    EXPECT_EQ(store.newest_change()->total(), last);
    EXPECT_FALSE(store.changes(last - 1, [](const StoreChange&) { return true; }));
    ASSERT_TRUE(apply(store, later));
    ASSERT_TRUE(apply(store, other));
    EXPECT_GT(store.newest_change()->total(), last);
    expect_clean(store);
  }
  EXPECT_EQ(all(faults_of(dir / "store")), "");
}

// Without the file nothing can be compared; it is created again.
TEST(StoreDamage, TheJournalOfCommitsMayBeBehindOrMissing) {
  const test::TempDir dir;
  make_store(dir / "store");
  const auto journal = dir / "store/commits";
  for (const bool torn : {false, true}) {
    ASSERT_TRUE(std::filesystem::exists(journal));
    if (torn) std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 3);
    if (!torn) std::filesystem::remove(journal);
    EXPECT_EQ(all(faults_of(dir / "store")), "");
    expect_clean(*must_open(dir / "store"));
    EXPECT_EQ(all(faults_of(dir / "store")), "");
  }
}

// A page of several parts, and what is left of it.
TEST(StoreDamage, ADamagedJournalOfCommitsIsReported) {
  const test::TempDir dir;
  make_store(dir / "store");
  const auto journal = dir / "store/commits";
  const auto whole = test::read_file(journal);
  ASSERT_GT(whole.size(), 20U);
  std::string flipped = whole;
  flipped[10] ^= 1;
  for (const std::string& bytes : {flipped, std::string(100'000, 'x')}) {
    std::ofstream(journal, std::ios::binary) << bytes;
    EXPECT_TRUE(mentions(faults_of(dir / "store"), "the file commits of the store is damaged"))
        << bytes.size();
  }
  // A writer may be adding a record, and a power loss may leave a part of it or zeros.
  for (const std::string& bytes :
       {whole.substr(0, whole.size() - 1), whole + std::string(50, '\0'), std::string()}) {
    std::ofstream(journal, std::ios::binary) << bytes;
    EXPECT_TRUE(faults_of(dir / "store").empty()) << all(faults_of(dir / "store"));
  }
  std::ofstream(journal, std::ios::binary) << flipped;
  must_open(dir / "store");
  EXPECT_TRUE(faults_of(dir / "store").empty()) << "a writer replaces it";
}

// A power loss may lose any sector of what was not synced, also before one that it keeps.
TEST(StoreDamage, ALostSectorOfTheJournalOfCommitsIsNoDamage) {
  constexpr std::size_t kSector = 512;
  const test::TempDir dir;
  {
    const auto store = must_open(dir / "store");
    for (int i = 1; i <= 20; ++i)
      ASSERT_TRUE(apply(*store, {"snapshot", i, 0, {{"a", i}}, {}, {}, "section-" + std::to_string(i)}));
  }
  const auto journal = dir / "store/commits";
  const auto whole = test::read_file(journal);
  ASSERT_GT(whole.size(), 3 * kSector);
  for (std::size_t begin = kSector; begin + kSector < whole.size(); begin += kSector) {
    std::string lost = whole;
    lost.replace(begin, kSector, kSector, '\0');
    std::ofstream(journal, std::ios::binary) << lost;
    EXPECT_EQ(all(faults_of(dir / "store")), "") << begin;
  }
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  std::ofstream(journal, std::ios::binary) << flipped;
  EXPECT_NE(all(faults_of(dir / "store")), "");
}

TEST(StoreDamage, ALargePageIsSplitIntoPartsThatChangeTogether) {
  const test::TempDir dir;
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  TestCollection collection{"snapshot", 100, 0, many(3), {}, {}};
  for (std::size_t i = 0; i < 5 * kPartBytes / 2; ++i)
    collection.text += static_cast<char>('a' + (i * i * 7 + i / 3) % 26);
  ASSERT_TRUE(apply(store, collection));
  EXPECT_EQ(pages_of(store), expected(many(3)));
  const auto page = store.get(TestCollection::url("p1"));
  ASSERT_TRUE(page && *page);
  EXPECT_NE((*page)->json.find(collection.text), std::string::npos);
  expect_clean(store);
  EXPECT_EQ(store.gc({})->orphans, 0U);
  expect_clean(store);
  ASSERT_TRUE(apply(store, {"delta", 200, 100, {{"p1", 200}}, {"p0"}, {}}));
  EXPECT_EQ(store.gc({})->orphans, 0U) << "its parts went with it";
  expect_clean(store);
}

TEST(StoreDamage, ReadingContinuesAfterDamageAndRepairDropsIt) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database& database, Database::Batch& batch) {
    auto cursor = database.scan("", Table::data);
    batch.remove(cursor.key(), Table::data);
    cursor.next();
    batch.put(cursor.key(), "nonsense", Table::data);
  });
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  std::vector<std::string> sentences;
  std::size_t pages = 0;
  const auto count = [&](const StoredPage&) -> base::Result<bool> { return ++pages > 0; };
  PageFilter filter;
  EXPECT_FALSE(store.each_page(filter, count));
  pages = 0;
  filter.on_damage = [&](const std::string& sentence) { sentences.push_back(sentence); };
  ASSERT_TRUE(store.each_page(filter, count));
  EXPECT_EQ(pages, 58U);
  EXPECT_EQ(sentences.size(), 2U);
  EXPECT_TRUE(mentions(sentences, "https://example.com/p0 of section blog")) << all(sentences);
  const auto repaired = store.repair(kSite);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->damaged, 2U);
  EXPECT_EQ(repaired->pages, 58U);
  EXPECT_EQ(repaired->sections, 1U);
  expect_clean(store);
  // The last snapshot is needed again, and restores only what is missing.
  const auto healed = apply(store, {"snapshot", 100, 0, many(60), {}, {}});
  ASSERT_TRUE(healed) << healed.error().message;
  EXPECT_EQ(healed->outcome, ApplyOutcome::applied);
  EXPECT_EQ(healed->added, 2U);
  EXPECT_EQ(healed->unchanged, 58U);
  EXPECT_EQ(pages_of(store), expected(many(60)));
  expect_clean(store);
  EXPECT_EQ(store.repair(kSite)->damaged, 0U);
}

TEST(StoreDamage, AMissingPageIsNamedAndResynchronisingHeals) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database& database, Database::Batch& batch) {
    batch.remove(database.scan("", Table::data).key(), Table::data);
  });
  const auto faults = faults_of(dir / "store");
  ASSERT_EQ(faults.size(), 1U) << all(faults);
  EXPECT_EQ(faults[0], "the page https://example.com/p0 of section blog of https://example.com is missing");
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const auto page = store.get(TestCollection::url("p0"));
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, base::Errc::invalid_data);
  ApplyOptions options = apply_options();
  options.resynchronise = true;
  const auto healed = apply(store, {"snapshot", 100, 0, many(60), {}, {}}, options);
  ASSERT_TRUE(healed) << healed.error().message;
  EXPECT_EQ(healed->unchanged, 60U);
  expect_clean(store);
}

TEST(StoreDamage, VerifyReportsAtMostAHundredFaults) {
  const test::TempDir dir;
  {
    const auto store = must_open(dir / "store");
    ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, many(150), {}, {}}));
  }
  damage(dir / "store", [](const Database& database, Database::Batch& batch) {
    for (auto cursor = database.scan("", Table::data); cursor.valid(); cursor.next())
      batch.remove(cursor.key(), Table::data);
  });
  const auto faults = faults_of(dir / "store");
  EXPECT_EQ(faults.size(), 100U) << all(faults);
  EXPECT_TRUE(std::ranges::all_of(faults, [](const std::string& fault) {
    return fault.find("is missing") != std::string::npos;
  })) << all(faults);
}

TEST(StoreDamage, WrongTotalsAreFound) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database& database, Database::Batch& batch) {
    auto record = decode_section(*database.get(section_key(kSite, "blog")).value()).value();
    ++record.pages;
    record.bytes -= 5;
    record.state[31] ^= 1;
    batch.put(section_key(kSite, "blog"), encode(record));
  });
  const auto faults = faults_of(dir / "store");
  EXPECT_EQ(faults.size(), 4U) << all(faults);
  EXPECT_TRUE(mentions(faults, "had 60 pages after its newest commit")) << all(faults);
  EXPECT_TRUE(mentions(faults, "has 60 pages, its record says 61")) << all(faults);
  EXPECT_TRUE(mentions(faults, "bytes of JSON")) << all(faults);
  EXPECT_TRUE(mentions(faults, "do not match its digest")) << all(faults);
}

TEST(StoreDamage, AnEntryTooFewIsFound) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store",
         [](const Database& database, Database::Batch& batch) { batch.remove(database.scan(kIndex).key()); });
  EXPECT_TRUE(mentions(faults_of(dir / "store"), "has 59 pages, its record says 60"));
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  EXPECT_EQ(store.gc({})->orphans, 1U) << "the page that lost its entry";
}

TEST(StoreDamage, RecordsThatCannotBeReadAreErrorsNotCrashes) {
  for (const std::string& key : {std::string(kIndex), std::string(kSections), std::string(kFeed)}) {
    const test::TempDir dir;
    make_store(dir / "store");
    damage(dir / "store", [&](const Database& database, Database::Batch& batch) {
      batch.put(database.scan(key).key(), "\xFFnonsense");
    });
    EXPECT_TRUE(mentions(faults_of(dir / "store"), "cannot be read")) << all(faults_of(dir / "store"));
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    if (key == kFeed) {
      EXPECT_FALSE(store.changes(0, [](const StoreChange&) { return true; }));
      continue;
    }
    const auto walked = store.each_page({}, [](const StoredPage&) -> base::Result<bool> { return true; });
    ASSERT_FALSE(walked);
    EXPECT_EQ(walked.error().code, base::Errc::invalid_data);
    EXPECT_FALSE(apply(store, {"snapshot", 200, 0, many(60, 2), {}, {}}));
    if (key == kSections) continue;
    // Delete and start again.
    EXPECT_TRUE(store.drop_section(kSite, "blog", {1, 0}));
    ASSERT_TRUE(apply(store, {"snapshot", 200, 0, many(60, 2), {}, {}}));
    EXPECT_EQ(store.gc({})->orphans, 1U);
    expect_clean(store);
  }
}

TEST(StoreDamage, AHoleInTheFeedIsFound) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database&, Database::Batch& batch) { batch.remove(feed_key(7)); });
  EXPECT_TRUE(mentions(faults_of(dir / "store"), "has change 8 where 7 should be"));
  damage(dir / "store", [](const Database&, Database::Batch& batch) { batch.remove(feed_key(60)); });
  EXPECT_TRUE(mentions(faults_of(dir / "store"), "ends before change 60, and 60 is the newest"))
      << all(faults_of(dir / "store"));
}

TEST(StoreDamage, AnotherPageInItsPlaceIsFound) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database& database, Database::Batch& batch) {
    auto cursor = database.scan("", Table::data);
    const std::string value(cursor.value());
    cursor.next();
    batch.put(cursor.key(), value, Table::data);
  });
  EXPECT_TRUE(mentions(faults_of(dir / "store"),
                       "p1 of section blog of https://example.com does not match its entry"))
      << all(faults_of(dir / "store"));
}

TEST(StoreOpening, ANewerFormatIsRefused) {
  const test::TempDir dir;
  make_store(dir / "store");
  damage(dir / "store", [](const Database&, Database::Batch& batch) {
    Meta meta;
    meta.format = Meta::kFormat + 1;
    batch.put(kMetaKey, encode(meta) + "and more");
  });
  for (const StoreAccess access : {StoreAccess::read, StoreAccess::write}) {
    const auto store = open_store((dir / "store").string(), access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, base::Errc::invalid_data);
    EXPECT_NE(store.error().message.find("written by a newer one"), std::string::npos)
        << store.error().message;
  }
}

TEST(StoreOpening, OneWriterManyReaders) {
  const test::TempDir dir;
  const auto nothing = open_store((dir / "store").string(), StoreAccess::read);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, base::Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(dir / "store")) << "a reader makes nothing";
  const auto writer_owner = must_open(dir / "store");
  PageStore& writer = *writer_owner;
  const auto second = open_store((dir / "store").string(), StoreAccess::write);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::Errc::in_use);
  EXPECT_NE(second.error().message.find("is in use by another sheaf"), std::string::npos);
  const auto reader_owner = must_open(dir / "store", StoreAccess::read);
  PageStore& reader = *reader_owner;
  const auto other_owner = must_open(dir / "store", StoreAccess::read);
  const PageStore& other = *other_owner;
  ASSERT_TRUE(apply(writer, {"snapshot", 100, 0, many(30), {}, {}}));
  EXPECT_TRUE(pages_of(reader).empty()) << "it stands still";
  ASSERT_TRUE(reader.refresh());
  EXPECT_EQ(pages_of(reader).size(), 30U);
  EXPECT_TRUE(pages_of(other).empty());
  ASSERT_TRUE(apply(writer, {"delta", 200, 100, {{"p1", 150}, {"new", 150}}, {"p2"}, {}}));
  ASSERT_TRUE(writer.gc({}));
  EXPECT_EQ(pages_of(reader).at(TestCollection::url("p1")), test::time_text(1)) << "as it was, also after gc";
  ASSERT_TRUE(reader.refresh());
  EXPECT_EQ(pages_of(reader), pages_of(writer));
  expect_clean(reader);
  const auto refused = apply(reader, {"snapshot", 300, 0, {}, {}, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
}

TEST(StoreOpening, AReaderThatCannotSeeMoreKeepsWhatItHas) {
  const test::TempDir dir;
  make_store(dir / "store");
  const auto reader_owner = must_open(dir / "store", StoreAccess::read);
  PageStore& reader = *reader_owner;
  std::filesystem::rename(dir / "store", dir / "elsewhere");
  const auto refreshed = reader.refresh();
  ASSERT_FALSE(refreshed);
  EXPECT_EQ(refreshed.error().code, base::Errc::not_found);
  EXPECT_EQ(pages_of(reader).size(), 60U);
  std::filesystem::rename(dir / "elsewhere", dir / "store");
  EXPECT_TRUE(reader.refresh());
  EXPECT_EQ(pages_of(reader).size(), 60U);
}

TEST(StoreThreads, SectionsAreFilledAtTheSameTime) {
  const test::TempDir dir;
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  constexpr int kWorkers = 4;
  constexpr int kVersions = 6;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kWorkers; ++i)
    threads.emplace_back([&store, i] {
      const std::string section = "s" + std::to_string(i % 3);  // two of them fill the same
      for (int version = 0; version < kVersions; ++version) {
        TestCollection collection{"snapshot", 100 + version, 0, many(40, version), {}, {}, section};
        const auto summary = apply(store, collection);
        EXPECT_TRUE(summary) << summary.error().message;
      }
    });
  std::jthread reader([&store] {
    for (int i = 0; i < 30; ++i) {
      std::map<std::string, std::set<std::string>> versions;
      const auto walked = store.each_page({}, [&](const StoredPage& page) -> base::Result<bool> {
        versions[page.section].insert(page.modified);
        return true;
      });
      EXPECT_TRUE(walked) << walked.error().message;
      for (const auto& [section, seen] : versions) EXPECT_EQ(seen.size(), 1U) << section;
    }
  });
  threads.clear();
  reader.join();
  for (const char* section : {"s0", "s1", "s2"}) {
    const auto pages = pages_of(store, section);
    EXPECT_EQ(pages.size(), 40U);
    for (const auto& [url, modified] : pages) EXPECT_EQ(modified, test::time_text(kVersions - 1));
  }
  EXPECT_EQ(store.newest_change()->total(), changes_of(store).size());
  expect_clean(store);
}

}  // namespace
}  // namespace sheaf::store::local
