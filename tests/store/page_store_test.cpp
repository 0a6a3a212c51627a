#include "store_fixture.h"

#include <filesystem>
#include <set>
#include <string>

namespace sheaf::store {
namespace {

class PageStoreContract : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, PageStoreContract, kEveryStore, kind_name);
class SpecApply : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, SpecApply, kEveryStore, kind_name);

TEST_P(PageStoreContract, ASnapshotAndADelta) {
  const StorePlace dir(GetParam());
  {
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    const auto first = apply(
        store,
        {"snapshot", 100, 0, {{"a", 1}, {"b", 2}, {"c", 3}}, {}, digest_of({{"a", 1}, {"b", 2}, {"c", 3}})});
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->outcome, ApplyOutcome::applied);
    EXPECT_EQ(first->added, 3U);
    EXPECT_EQ(first->proven, true);
    const auto second = apply(store, {"delta",
                                      200,
                                      100,
                                      {{"b", 150}, {"d", 160}, {"c", 3}},
                                      {"a", "nobody"},
                                      digest_of({{"b", 150}, {"c", 3}, {"d", 160}})});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->added, 1U);
    EXPECT_EQ(second->changed, 1U);
    EXPECT_EQ(second->unchanged, 1U);
    EXPECT_EQ(second->removed, 1U);
    EXPECT_EQ(second->proven, true);
  }
  const auto store_owner = must_open(dir / "store");
  const PageStore& store = *store_owner;
  EXPECT_EQ(pages_of(store), expected({{"b", 150}, {"c", 3}, {"d", 160}}));
  const auto state = store.section(kSite, "blog");
  ASSERT_TRUE(state && *state);
  EXPECT_EQ((*state)->pages, 3U);
  EXPECT_EQ(format_time((*state)->generated), test::time_text(200));
  EXPECT_EQ(format_time(*(*state)->snapshot), test::time_text(100));
  EXPECT_EQ((*state)->proven, true);
  EXPECT_EQ(format_time((*store.get(kSite, "blog", TestCollection::url("c")))->as_of), test::time_text(100));
  expect_clean(store);
}

TEST_P(PageStoreContract, TheChangeFeedHasEverythingInOrder) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 200, 100, {{"b", 150}}, {"a"}, {}}));
  const auto changes = changes_of(store);
  ASSERT_EQ(changes.size(), 4U);
  for (std::size_t i = 0; i < changes.size(); ++i) EXPECT_EQ(changes[i].sequence, i + 1);
  EXPECT_EQ(store.newest_change()->total(), 4U);
  const auto later = changes_of(store, position(store, 2));
  ASSERT_EQ(later.size(), 2U);
  for (const StoreChange& change : later) {
    EXPECT_EQ(change.site, kSite);
    EXPECT_EQ(change.section, "blog");
    if (change.kind != ChangeKind::removed) {
      EXPECT_EQ(change.url, TestCollection::url("b"));
      EXPECT_EQ(change.old_modified, test::time_text(2));
      EXPECT_EQ(change.new_modified, test::time_text(150));
    } else {
      EXPECT_EQ(change.url, TestCollection::url("a"));
      EXPECT_EQ(change.old_modified, test::time_text(1));
      EXPECT_EQ(change.new_modified, "");
    }
  }
  EXPECT_TRUE(changes_of(store, position(store, 4)).empty());
  const auto beyond = store.changes(position(store, 400), [](const StoreChange&) { return true; });
  ASSERT_FALSE(beyond) << "a cursor of another store";
}

TEST_P(SpecApply, ASnapshotDeletesOnlyWhatWasLearntBefore) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  ASSERT_TRUE(
      apply(store, {"delta", 300, 100, {{"late", 290}}, {}, digest_of({{"a", 1}, {"b", 2}, {"late", 290}})}));
  const auto between = apply(store, {"snapshot", 200, 0, {{"a", 1}}, {}, digest_of({{"a", 1}})});
  ASSERT_TRUE(between) << between.error().message;
  EXPECT_EQ(between->removed, 1U);
  EXPECT_EQ(between->unchanged, 1U);
  EXPECT_EQ(pages_of(store), expected({{"a", 1}, {"late", 290}}));
  // The digest of the newest collection counts, which includes b.
  EXPECT_EQ(between->proven, false);
  const auto state = *store.section(kSite, "blog");
  EXPECT_EQ(format_time(state->generated), test::time_text(300));
  EXPECT_EQ(format_time(*state->snapshot), test::time_text(200));
  EXPECT_EQ(apply(store, {"snapshot", 150, 0, {}, {}, {}})->outcome, ApplyOutcome::older);
  EXPECT_EQ(pages_of(store).size(), 2U);
  expect_clean(store);
}

TEST_P(SpecApply, WithinACollectionTheNewestWinsAndTheLaterOnATie) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  std::string bytes =
      TestCollection{"snapshot", 100, 0, {{"a", 5}, {"a", 3}, {"b", 7}, {"b", 7}, {"a", 4}}, {}, {}}.str();
  const std::size_t last_b = bytes.rfind("https://example.com/b");
  bytes.replace(bytes.find("\"ok\"", last_b), 4, "\"OK\"");
  const std::string right =
      test::with_checksum(bytes.substr(0, bytes.find("\"checksum\"")) +
                          bytes.substr(bytes.find(',', bytes.find("\"checksum\"")) + 1));
  const auto summary = store.apply(kSite, "blog", base::buffer_source(right), apply_options());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->duplicates, 3U);
  EXPECT_EQ(summary->added, 2U);
  EXPECT_EQ(pages_of(store), expected({{"a", 5}, {"b", 7}}));
  EXPECT_NE((*store.get(kSite, "blog", TestCollection::url("b")))->json.find("OK"), std::string::npos);
  expect_clean(store);
}

TEST_P(SpecApply, GapsAndOldDeltasChangeNothing) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  EXPECT_EQ(apply(store, {"delta", 200, 100, {{"a", 1}}, {}, {}})->outcome, ApplyOutcome::gap);
  EXPECT_FALSE(*store.section(kSite, "blog"));
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  EXPECT_EQ(apply(store, {"delta", 200, 101, {{"b", 1}}, {}, {}})->outcome, ApplyOutcome::gap);
  EXPECT_EQ(apply(store, {"delta", 100, 50, {{"b", 1}}, {}, {}})->outcome, ApplyOutcome::older);
  EXPECT_EQ(pages_of(store), expected({{"a", 1}}));
  EXPECT_EQ(store.newest_change()->total(), 1U);
}

TEST_P(SpecApply, ASectionDoesNotShrinkByMoreThanHalf) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, many(21), {}, {}}));
  const auto held = apply(store, {"snapshot", 200, 0, many(10), {}, {}});
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_EQ(held->outcome, ApplyOutcome::shrink_held);
  EXPECT_EQ(held->removed, 11U);
  EXPECT_EQ(pages_of(store).size(), 21U);
  EXPECT_EQ(format_time((*store.section(kSite, "blog"))->generated), test::time_text(100));
  std::vector<std::string> removed;
  for (int i = 0; i < 11; ++i) removed.push_back("p" + std::to_string(i));
  EXPECT_EQ(apply(store, {"delta", 200, 100, {}, removed, {}})->outcome, ApplyOutcome::shrink_held);
  ApplyOptions options = apply_options();
  options.shrink = format::Shrink::allow;
  EXPECT_EQ(apply(store, {"snapshot", 200, 0, many(10), {}, {}}, options)->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store).size(), 10U);
  EXPECT_EQ(apply(store, {"snapshot", 300, 0, {}, {}, {}})->outcome, ApplyOutcome::shrink_held);
  EXPECT_EQ(apply(store, {"snapshot", 300, 0, many(5), {}, {}})->outcome, ApplyOutcome::applied);
  EXPECT_EQ(pages_of(store).size(), 5U);
  expect_clean(store);
}

TEST_P(PageStoreContract, ResynchronisingReplacesWhateverIsThere) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 300, 100, {{"b", 250}, {"c", 250}}, {}, {}}));
  ApplyOptions options = apply_options();
  options.resynchronise = true;
  const auto summary = apply(
      store, {"snapshot", 300, 0, {{"a", 1}, {"b", 150}}, {}, digest_of({{"a", 1}, {"b", 150}})}, options);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->unchanged, 1U);
  EXPECT_EQ(summary->changed, 1U);
  EXPECT_EQ(summary->removed, 1U);
  EXPECT_EQ(summary->proven, true);
  EXPECT_EQ(pages_of(store), expected({{"a", 1}, {"b", 150}}));
  EXPECT_EQ(format_time((*store.section(kSite, "blog"))->generated), test::time_text(300));
  expect_clean(store);
}

TEST_P(PageStoreContract, BadCollectionsLeaveNothing) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const std::string good = TestCollection{"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}.str();
  std::string flipped = good;
  flipped[flipped.rfind("ok")] = 'x';
  const auto wrong = store.apply(kSite, "blog", base::buffer_source(flipped), apply_options());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, base::Errc::invalid_data);
  EXPECT_NE(wrong.error().message.find("checksum-mismatch"), std::string::npos) << wrong.error().message;
  const auto section = store.apply(kSite, "news", base::buffer_source(good), apply_options());
  ASSERT_FALSE(section);
  EXPECT_NE(section.error().message.find("not of news"), std::string::npos) << section.error().message;
  ApplyOptions early = apply_options();
  early.now = parse_time(test::time_text(100 - 24 * 3600 - 1))->instant;
  const auto future = store.apply(kSite, "blog", base::buffer_source(good), early);
  ASSERT_FALSE(future);
  EXPECT_EQ(future.error().code, base::Errc::invalid_data);
  ApplyOptions cancelled = apply_options();
  cancelled.cancelled = [] { return true; };
  const auto stopped = store.apply(kSite, "blog", base::buffer_source(good), cancelled);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, base::Errc::refused);
  EXPECT_TRUE(store.sections()->empty());
  EXPECT_EQ(store.newest_change()->total(), 0U);
  EXPECT_EQ(store.gc({})->orphans, 0U);
}

std::string page_json(const std::string& name, std::int64_t modified, const std::string& title = "A page") {
  test::PageText page;
  page.url = TestCollection::url(name);
  page.modified = test::time_text(modified);
  page.title = title;
  return page.str();
}

void put(SectionEdit& edit, const std::string& name, std::int64_t modified,
         const std::string& title = "A page") {
  edit.put_page(TestCollection::url(name), test::time_text(modified), page_json(name, modified, title),
                {modified, 0});
}

TEST_P(PageStoreContract, EditsChangePagesAndNotesAtOnce) {
  const StorePlace dir(GetParam());
  {
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    SectionEdit edit(kSite, "html");
    put(edit, "a", 1);
    put(edit, "b", 2);
    edit.put_note("etag/a", "one");
    edit.put_note("etag/b", "two");
    edit.put_note("frontier", "x");
    EXPECT_GT(edit.bytes(), 100U);
    const auto summary = store.commit(edit);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->added, 2U);
    EXPECT_EQ(edit.bytes(), 0U);
    put(edit, "a", 1);                   // identical: not reported
    put(edit, "b", 2, "Another title");  // changed under the same time
    edit.remove_page(TestCollection::url("nobody"));
    edit.remove_notes("etag/");
    edit.put_note("etag/c", "three");
    const auto second = store.commit(edit);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->added, 0U);
    EXPECT_EQ(second->changed, 1U);
    EXPECT_EQ(second->removed, 0U);
  }
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  EXPECT_EQ(pages_of(store, "html"), expected({{"a", 1}, {"b", 2}}));
  EXPECT_EQ((*store.section(kSite, "html"))->origin, Origin::html);
  EXPECT_EQ((*store.section(kSite, "html"))->proven, std::nullopt);
  EXPECT_NE((*store.get(TestCollection::url("b")))->json.find("Another title"), std::string::npos);
  EXPECT_EQ(changes_of(store).size(), 3U);
  std::vector<std::string> names;
  ASSERT_TRUE(store.each_note(kSite, "", [&](std::string_view name, std::string_view) {
    names.emplace_back(name);
    return true;
  }));
  EXPECT_EQ(names, (std::vector<std::string>{"etag/c", "frontier"}));
  EXPECT_EQ(*store.note(kSite, "etag/c"), "three");
  EXPECT_EQ(*store.note(kSite, "etag/a"), std::nullopt);
  EXPECT_EQ(*store.note("https://other.example", "frontier"), std::nullopt);
  expect_clean(store);
}

TEST_P(PageStoreContract, EditsRefuseInvalidPages) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const auto refused = [&](std::string_view url, std::string_view modified, std::string_view json) {
    SectionEdit edit(kSite, "html");
    edit.put_page(url, modified, json, {1, 0});
    const auto result = store.commit(edit);
    return !result && result.error().code == base::Errc::invalid_argument;
  };
  const std::string url = TestCollection::url("a");
  const std::string time = test::time_text(1);
  EXPECT_TRUE(refused(url, time, "{"));
  EXPECT_TRUE(refused(url, time, "{}"));
  EXPECT_TRUE(refused(url, time, page_json("b", 1)));
  EXPECT_TRUE(refused(url, time, page_json("a", 2)));
  EXPECT_TRUE(refused(url, time, page_json("a", 1) + "\n"));
  EXPECT_TRUE(refused(url, "yesterday", page_json("a", 1)));
  EXPECT_TRUE(store.sections()->empty());
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  SectionEdit edit(kSite, "blog");
  put(edit, "b", 1);
  const auto result = store.commit(edit);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Errc::refused);
}

TEST_P(PageStoreContract, CollectionsTakeOverFromHtml) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  SectionEdit edit(kSite, "blog");
  put(edit, "a", 1000);
  put(edit, "gone", 1000);
  ASSERT_TRUE(store.commit(edit));
  EXPECT_EQ(apply(store, {"delta", 2000, 500, {{"a", 1500}}, {}, {}})->outcome, ApplyOutcome::out_of_order);
  const auto summary =
      apply(store, {"snapshot", 500, 0, {{"a", 1}, {"b", 2}}, {}, digest_of({{"a", 1}, {"b", 2}})});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->changed, 1U);
  EXPECT_EQ(summary->added, 1U);
  EXPECT_EQ(summary->removed, 1U);
  EXPECT_EQ(summary->proven, true);
  EXPECT_EQ((*store.section(kSite, "blog"))->origin, Origin::collections);
  EXPECT_EQ(pages_of(store), expected({{"a", 1}, {"b", 2}}));
  expect_clean(store);
}

TEST_P(PageStoreContract, GcShortensTheFeedAndSaysSo) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, many(10), {}, {}}));
  GcOptions options;
  options.keep_changes = 3;
  const auto summary = store.gc(options);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->changes, 7U);
  EXPECT_EQ(changes_of(store, position(store, 7)).size(), 3U);
  const auto refused = store.changes(position(store, 6), [](const StoreChange&) { return true; });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_NE(refused.error().message.find("begins with 8"), std::string::npos) << refused.error().message;
  EXPECT_EQ(store.newest_change()->total(), 10U);
  EXPECT_EQ(pages_of(store).size(), 10U);
  expect_clean(store);
}

/// Enough pages that data, index and feed are ingested as files.
Named large(int count, std::int64_t modified) {
  Named pages;
  for (int i = 0; i < count; ++i)
    pages.emplace_back("a/folder/with/a/name/that/makes/the/index/large/sooner/" + std::to_string(i),
                       modified);
  return pages;
}

TEST_P(PageStoreContract, LargeCollectionsAreTheSameAsSmallOnes) {
  const StorePlace dir(GetParam());
  // Enough for files of their own, or for staged rows.
  const int count = GetParam() == StoreKind::local ? 20000 : 4000;
  const auto all = static_cast<std::uint64_t>(count);
  const std::uint64_t half = (all - 500) / 2;
  {
    const auto store_owner = must_open(dir / "store");
    PageStore& store = *store_owner;
    const auto pages = large(count, 1);
    const auto first = apply(store, {"snapshot", 100, 0, pages, {}, digest_of(pages)});
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->added, all);
    EXPECT_EQ(first->proven, true);
    // Half of them stay, some are removed, the rest are new.
    auto later = large(count - 500, 1);
    for (std::size_t i = 0; i < later.size(); i += 2) later[i].second = 150;
    const auto second = apply(store, {"snapshot", 200, 0, later, {}, digest_of(later)});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->changed, half);
    EXPECT_EQ(second->unchanged, half);
    EXPECT_EQ(second->removed, 500U);
    EXPECT_EQ(second->proven, true);
    EXPECT_EQ(store.newest_change()->total(), all + half + 500);
    // A collection that is truncated after much was written leaves nothing.
    const std::string bytes = TestCollection{"snapshot", 300, 0, large(count, 250), {}, {}}.str();
    const std::string cut = bytes.substr(0, bytes.size() - 3);
    const auto failed = store.apply(kSite, "blog", base::buffer_source(cut), apply_options());
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, base::Errc::invalid_data);
    EXPECT_EQ(store.gc({})->orphans, 0U);
    EXPECT_EQ(store.newest_change()->total(), all + half + 500);
    if (GetParam() == StoreKind::local) {
      EXPECT_TRUE(std::filesystem::is_empty(dir / "store/incoming"));
    }
  }
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  EXPECT_EQ((*store.section(kSite, "blog"))->pages, all - 500);
  std::uint64_t next = 1;
  for (const StoreChange& change : changes_of(store)) ASSERT_EQ(change.sequence, next++);
  expect_clean(store);
  EXPECT_EQ(*store.drop_section(kSite, "blog", {1, 0}), all - 500);
  EXPECT_TRUE(store.sections()->empty());
  EXPECT_EQ(store.newest_change()->total(), 2 * all + half);
  expect_clean(store);
}

TEST_P(PageStoreContract, AnEditOfManyMegabytes) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  const std::string text(64 * 1024, 'x');
  for (const int round : {1, 2}) {
    SectionEdit edit(kSite, "html");
    for (int i = 0; i < 100; ++i) {
      const std::string url = TestCollection::url("p" + std::to_string(i));
      const std::string modified = test::time_text(round);
      edit.put_page(url, modified,
                    R"({"url":")" + url + R"(","title":"T","description":"D","modified":")" + modified +
                        R"(","language":"en","content":[{"type":"text","text":")" + text + R"("}]})",
                    {round, 0});
    }
    const auto done = store.commit(edit);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->added, round == 1 ? 100U : 0U);
    EXPECT_EQ(done->changed, round == 1 ? 0U : 100U);
  }
  EXPECT_EQ((*store.section(kSite, "html"))->pages, 100U);
  expect_clean(store);
}

TEST_P(PageStoreContract, AReaderKeepsItsFilesWhileTheWriterPacks) {
  const StorePlace dir(GetParam());
  const int count = GetParam() == StoreKind::local ? 20000 : 3000;
  const auto writer_owner = must_open(dir / "store");
  PageStore& writer = *writer_owner;
  ASSERT_TRUE(apply(writer, {"snapshot", 100, 0, large(count, 1), {}, {}}));
  const auto reader_owner = must_open(dir / "store", StoreAccess::read);
  const PageStore& reader = *reader_owner;
  ASSERT_TRUE(apply(writer, {"snapshot", 200, 0, large(count, 2), {}, {}}));
  ASSERT_TRUE(writer.gc({}));
  expect_clean(reader);
  EXPECT_EQ((*reader.get(TestCollection::url(large(1, 1)[0].first)))->modified, test::time_text(1));
  EXPECT_EQ(reader.newest_change()->total(), static_cast<std::uint64_t>(count));
}

/// The names of the database's files of entries.
std::set<std::string> entry_files(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "pages"))
    if (entry.path().extension() == ".sst") names.insert(entry.path().filename().string());
  return names;
}

TEST(PageStore, PackedPagesAreNotPackedAgain) {
  const test::TempDir dir;
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  TestCollection collection{"snapshot", 100, 0, many(60), {}, {}};
  for (std::uint64_t i = 0; i < 60000; ++i)
    collection.text += static_cast<char>('a' + (i * i * 7 + i / 3) % 26);
  ASSERT_TRUE(apply(store, collection));
  const auto applied = entry_files(dir / "store");
  ASSERT_EQ(applied.size(), 1U) << "the pages went by a file";
  const std::uint64_t before = *store.disk_bytes();
  EXPECT_FALSE(*store.pack()) << "so little is not worth it";
  EXPECT_EQ(*store.disk_bytes(), before);
  std::vector<StoreProgress> told;
  EXPECT_TRUE(*store.pack(1, 2, [&](const StoreProgress& progress) { told.push_back(progress); }));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back().stage, StoreProgress::Stage::pack);
  EXPECT_GT(told.back().total, 0U);
  EXPECT_EQ(told.back().done, told.back().total) << "the bytes of all files";
  EXPECT_FALSE(*store.pack(1)) << "nothing is left";
  const auto summary = store.gc({});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_LT(summary->bytes_after, before);
  const auto packed = entry_files(dir / "store");
  ASSERT_EQ(packed.size(), 2U) << "pages and index";
  EXPECT_FALSE(packed.contains(*applied.begin())) << "it was packed";
  ASSERT_TRUE(store.gc({}));
  EXPECT_TRUE(entry_files(dir / "store").contains(*packed.begin())) << "and is as it was";
  expect_clean(store);
}

}  // namespace
}  // namespace sheaf::store
