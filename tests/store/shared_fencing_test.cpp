#include "shared_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

// A shared store that others use at the same time: who may commit, and what is left of what may not.
namespace sheaf::store {
namespace {

class SharedFencing : public SharedStoreTest {
 protected:
  std::unique_ptr<PageStore> open() { return must_open(*place_ / "store"); }
};

Named large_named(int count, std::int64_t modified) {
  Named pages;
  for (int i = 0; i < count; ++i) pages.emplace_back("n" + std::to_string(i), modified);
  return pages;
}

TEST_F(SharedFencing, AWriterThatLostItsBucketCommitsNothing) {
  execute("INSERT INTO sheaf.meta VALUES ('lease_milliseconds', '1000')");  // how long to wait for the other
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  execute("UPDATE sheaf.bucket SET owner = 'another', epoch = epoch + 1, until = now() + interval '1 hour'");
  const auto late = apply(*store, {"snapshot", 200, 0, {{"a", 150}, {"b", 150}}, {}, {}});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, base::Errc::in_use) << late.error().message;
  SectionEdit edit(kSite, "html");
  edit.put_note("name", "value");
  EXPECT_EQ(store->commit(edit).error().code, base::Errc::in_use);
  EXPECT_EQ(pages_of(*store), expected({{"a", 1}}));
  EXPECT_EQ(changes_of(*store).size(), 1U);
  EXPECT_EQ(*store->note(kSite, "name"), std::nullopt);
  expect_clean(*store);
}

TEST_F(SharedFencing, ADropThatIsNotCommittedKeepsUnreadableRows) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}, {"b", 1}, {"c", 1}}, {}, {}}));
  execute("UPDATE sheaf.page SET modified = 'nonsense' WHERE url = 'https://example.com/b'");
  execute("UPDATE sheaf.bucket SET owner = 'another', epoch = epoch + 1, until = now() + interval '1 hour'");
  const auto late = store->drop_section(kSite, "blog", {1, 0});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, base::Errc::in_use) << late.error().message;
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.page"), 3);
  execute("UPDATE sheaf.bucket SET owner = NULL, until = NULL");
  const auto dropped = store->drop_section(kSite, "blog", {1, 0});
  ASSERT_TRUE(dropped) << dropped.error().message;
  EXPECT_EQ(*dropped, 3U);
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.page"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.section"), 0);
  expect_clean(*store);
}

TEST_F(SharedFencing, ALargeChangeThatIsNotCommittedLeavesNothing) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  Named pages = large_named(3000, 150);
  pages.emplace_back("a", 150);
  TestCollection large{"snapshot", 200, 0, pages, {}, {}};
  large.text = "some text that is not the same on every page";
  ApplyOptions options = apply_options();
  bool stolen = false;
  // While pages are read, after much of it was written.
  options.progress = [&](std::uint64_t, std::uint64_t pages) {
    if (pages < 2500 || std::exchange(stolen, true)) return;
    execute(
        "UPDATE sheaf.bucket SET owner = 'another', epoch = epoch + 1, until = now() + interval '1 hour'");
  };
  const auto late = apply(*store, large, options);
  ASSERT_TRUE(stolen);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, base::Errc::in_use) << late.error().message;
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.stage"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.pack WHERE live = 0"), 0);
  EXPECT_EQ(pages_of(*store), expected({{"a", 1}}));
  expect_clean(*store);
}

TEST_F(SharedFencing, AnotherProcessWaitsForTheLeaseAndIsToldWhoHasIt) {
  execute("INSERT INTO sheaf.meta VALUES ('lease_milliseconds', '600')");
  auto first = open();
  ASSERT_TRUE(apply(*first, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  const auto second = open();
  const auto refused = apply(*second, {"snapshot", 200, 0, {{"a", 150}}, {}, {}});
  ASSERT_FALSE(refused) << "the first one renews its lease";
  EXPECT_EQ(refused.error().code, base::Errc::in_use);
  EXPECT_NE(refused.error().message.find("belongs to the worker"), std::string::npos)
      << refused.error().message;
  first.reset();  // gives it back
  ASSERT_TRUE(apply(*second, {"snapshot", 200, 0, {{"a", 150}}, {}, {}}));
  EXPECT_EQ(pages_of(*second), expected({{"a", 150}}));
  EXPECT_EQ(changes_of(*second).size(), 2U);
  expect_clean(*second);
}

TEST_F(SharedFencing, ALeaseThatEndedIsTakenOver) {
  execute("UPDATE sheaf.bucket SET owner = 'killed', epoch = 5, until = now() - interval '1 second'");
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  EXPECT_EQ(number("SELECT max(epoch) FROM sheaf.bucket"), 6);
  expect_clean(*store);
}

TEST_F(SharedFencing, GarbageOfDeadOwnersIsCollected) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  execute(
      "INSERT INTO sheaf.pack (b, pack, pages, live, raw, dictionary, bytes) SELECT b, 7, 3, 0, 1, false, '' "
      "FROM "
      "sheaf.bucket WHERE owner IS NOT NULL");
  execute(
      "INSERT INTO sheaf.stage SELECT b, 0, 1, 1, 1, 'x', 'x', '', '', 0, 0, 0, 0, 0 FROM sheaf.bucket WHERE "
      "owner "
      "IS NOT NULL");
  const auto summary = store->gc({});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->orphans, 3U);
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.stage"), 0);
  EXPECT_EQ(pages_of(*store), expected({{"a", 1}}));
  expect_clean(*store);
}

TEST_F(SharedFencing, GcMovesPagesOutOfSparsePacks) {
  const auto store = open();
  const auto many = large_named(200, 1);
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, many, {}, {}}));
  TestCollection delta{"delta", 200, 100, {}, {}, {}};
  for (int i = 0; i < 180; ++i) delta.pages.emplace_back("n" + std::to_string(i), 150);
  ASSERT_TRUE(apply(*store, delta));
  const Pages before = pages_of(*store);
  const std::size_t changes = changes_of(*store).size();
  EXPECT_GT(number("SELECT count(*) FROM sheaf.pack WHERE live * 2 < pages"), 0);
  ASSERT_TRUE(store->gc({}));
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.pack WHERE live * 2 < pages"), 0);
  EXPECT_EQ(pages_of(*store), before);
  EXPECT_EQ(changes_of(*store).size(), changes) << "nothing changed for readers";
  expect_clean(*store);
}

TEST_F(SharedFencing, TheServerMayCrashBetweenCommits) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  test::PostgresServer::shared()->crash_and_restart();
  const auto after = apply(*store, {"delta", 200, 100, {{"b", 150}}, {}, {}});
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(pages_of(*store), expected({{"a", 1}, {"b", 150}}));
  expect_clean(*store);
}

TEST_F(SharedFencing, AReaderSeesOneMoment) {
  const auto writer = open();
  ASSERT_TRUE(apply(*writer, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  const auto reader = must_open(*place_ / "store", StoreAccess::read);
  ASSERT_TRUE(apply(*writer, {"delta", 200, 100, {{"a", 150}, {"b", 150}}, {}, {}}));
  EXPECT_EQ(pages_of(*reader), expected({{"a", 1}}));
  EXPECT_EQ(changes_of(*reader).size(), 1U);
  ASSERT_TRUE(reader->refresh());
  EXPECT_EQ(pages_of(*reader), expected({{"a", 150}, {"b", 150}}));
  SectionEdit edit(kSite, "html");
  edit.put_note("a", "b");
  EXPECT_EQ(reader->commit(edit).error().code, base::Errc::refused);
}

TEST_F(SharedFencing, SitesOfOneHostAreInOneBucket) {
  const auto store = open();
  for (const char* site : {"https://example.com", "http://www.example.com"}) {
    SectionEdit edit(site, "html");
    edit.put_note("a", "b");
    ASSERT_TRUE(store->commit(edit));
  }
  EXPECT_EQ(number("SELECT count(DISTINCT b) FROM sheaf.note"), 1);
}

/// A collection whose pages do not compress, so that packs are large enough for object storage.
TestCollection bulky(std::int64_t generated, int count, std::uint64_t seed) {
  TestCollection collection{"snapshot", generated, 0, large_named(count, generated - 10), {}, {}};
  collection.text.clear();
  std::uint64_t state = seed;
  for (int i = 0; i < 60'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    collection.text += static_cast<char>('a' + (state >> 40U) % 26);
  }
  return collection;
}

class SharedObjects : public SharedFencing {
 protected:
  void SetUp() override {
    SharedFencing::SetUp();
    if (IsSkipped()) return;
    execute("DROP SCHEMA sheaf CASCADE");
    shared::CreateOptions options;
    options.buckets = 4;
    options.objects = (dir_ / "objects").string();
    const auto created = shared::create_shared_store(place_->url(), options);
    ASSERT_TRUE(created) << created.error().message;
  }
  std::vector<std::filesystem::path> objects() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ / "objects/packs"))
      if (entry.is_regular_file()) files.push_back(entry.path());
    return files;
  }

  test::TempDir dir_;
};

TEST_F(SharedObjects, PagesAreInObjectsAndGcDeletesThemADayAfterTheLastReference) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, bulky(100, 4, 1)));
  const std::size_t first = objects().size();
  EXPECT_GT(first, 0U);
  EXPECT_EQ(number("SELECT count(*) FROM sheaf.pack WHERE object IS NULL"), 0);
  EXPECT_EQ(pages_of(*store).size(), 4U);
  expect_clean(*store);
  ASSERT_TRUE(apply(*store, bulky(200, 4, 2)));
  EXPECT_EQ(store->verify()->orphans, first);
  ASSERT_TRUE(store->gc({}));
  EXPECT_GT(objects().size(), first) << "a reader or a backup may still need them";
  execute("UPDATE sheaf.garbage SET since = now() - interval '25 hours'");
  ASSERT_TRUE(store->gc({}));
  EXPECT_EQ(store->verify()->orphans, 0U);
  EXPECT_EQ(pages_of(*store).size(), 4U);
  expect_clean(*store);
}

TEST_F(SharedObjects, ALostObjectIsNamedAndThePullAfterARepairBringsItBack) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, bulky(100, 4, 1)));
  std::filesystem::remove(objects().front());
  const auto found = store->verify();
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_FALSE(found->faults.empty());
  EXPECT_NE(found->faults.front().find("is missing: there is no object"), std::string::npos)
      << found->faults.front();
  const auto repaired = store->repair(kSite);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_GT(repaired->damaged, 0U);
  EXPECT_EQ(repaired->sections, 1U);
  expect_clean(*store);
  ASSERT_TRUE(apply(*store, bulky(100, 4, 1)));
  EXPECT_EQ(pages_of(*store).size(), 4U);
  expect_clean(*store);
}

TEST_F(SharedObjects, AnInterruptedChangeLeavesObjectsThatAreNotServed) {
  const auto store = open();
  ASSERT_TRUE(apply(*store, bulky(100, 4, 1)));
  const std::string whole = bulky(200, 40, 2).str();
  const std::string bytes = whole.substr(0, whole.size() - 9);
  const auto cut = store->apply(kSite, "blog", base::buffer_source(bytes), apply_options());
  ASSERT_FALSE(cut);
  EXPECT_GT(store->verify()->orphans, 0U);
  EXPECT_EQ(pages_of(*store).size(), 4U);
  expect_clean(*store);
}

TEST_F(SharedObjects, APlaceBelongsToOneStore) {
  execute("DROP SCHEMA sheaf CASCADE");
  shared::CreateOptions options;
  options.objects = (dir_ / "objects").string();
  const auto again = shared::create_shared_store(place_->url(), options);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, base::Errc::already_exists);
  EXPECT_EQ(number("SELECT count(*) FROM information_schema.schemata WHERE schema_name = 'sheaf'"), 0);
  options.objects = "relative";
  EXPECT_EQ(shared::create_shared_store(place_->url(), options).error().code, base::Errc::invalid_argument);
}

class SharedDamage : public SharedFencing {
 protected:
  /// Damages the store, expects a fault with this text, and undoes the damage.
  void expect_fault(const std::string& table, const std::string& change, std::string_view text) {
    execute(fmt::format("CREATE TABLE sheaf.saved AS SELECT * FROM sheaf.{}", table));
    execute(fmt::format("UPDATE sheaf.{} SET {}", table, change));
    const auto found = open()->verify();
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_FALSE(found->faults.empty()) << change;
    EXPECT_NE(found->faults.front().find(text), std::string::npos) << change << ": " << found->faults.front();
    execute(fmt::format("DELETE FROM sheaf.{0}; ", table));
    execute(fmt::format("INSERT INTO sheaf.{0} SELECT * FROM sheaf.saved", table));
    execute("DROP TABLE sheaf.saved");
  }
};

TEST_F(SharedDamage, VerifyFindsWrongChangesCountsAndDictionaries) {
  {
    const auto store = open();
    ASSERT_TRUE(apply(*store, bulky(100, 4, 1)));
    TestCollection delta{"delta", 200, 100, {{"n0", 150}, {"new", 150}}, {"https://example.com/n1"}, {}};
    ASSERT_TRUE(apply(*store, delta));
    expect_clean(*store);
  }
  ASSERT_GT(number("SELECT count(*) FROM sheaf.section WHERE dictionary IS NOT NULL"), 0);
  expect_fault("change", "url = 'https://example.com/other' WHERE url = 'https://example.com/new'",
               "says that https://example.com has https://example.com/other");
  expect_fault("change", "kind = 1 WHERE url = 'https://example.com/new'", "has a wrong kind");
  expect_fault("change", "kind = 0 WHERE kind = 1",
               "says that https://example.com has https://example.com/n1");
  expect_fault("change", "kind = 7 WHERE kind = 1", "has a wrong kind");
  expect_fault("section", "pages = pages + 1", "its record says");
  expect_fault("section", "bytes = bytes + 1", "its record says");
  expect_fault("section", "dictionary = 'nonsense'", "the dictionary of section blog of https://example.com");
  expect_fault("section", "dictionary = ''", "the dictionary of section blog of https://example.com");
  expect_fault("pack", "pages = pages + 1", "pages, and says");
  expect_clean(*open());
}

}  // namespace
}  // namespace sheaf::store
