#include "search/index_fixture.h"
#include "sheaf/search/index_record.h"

#include <gtest/gtest.h>
#include <xapian.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::search {
namespace {

/// The shards of the index of a local store.
class IndexShards : public Index {
 protected:
  /// Texts of different lengths, so that hardly any two pages have the same score.
  void put_many(int number) {
    std::vector<TestPage> pages;
    for (int i = 0; i < number; ++i) {
      std::string text = "apple";
      for (int k = 0; k < i % 100; ++k) text += " filler" + std::to_string(k % 40);
      for (int k = 0; k < i % 5; ++k) text += " apple pie";
      pages.push_back({"p" + std::to_string(i), i % 9 == 0 ? "Apple pie" : "Other", text});
    }
    put(pages);
  }

  [[nodiscard]] std::size_t shards() const {
    const std::filesystem::directory_iterator files(std::filesystem::path(location()) / "search");
    return static_cast<std::size_t>(
        std::ranges::count_if(files, [](const auto& file) { return file.is_directory(); }));
  }

  Names all_names(const std::string& query) { return names({.query = query, .limit = 100}); }
};

INSTANTIATE_TEST_SUITE_P(Stores, IndexShards, testing::Values(store::StoreKind::local), store::kind_name);

TEST_P(IndexShards, AnswerAsOneDatabaseDoes) {
  put_many(90);
  const std::vector<std::string> queries{"apple",    "apple pie",   "\"apple pie\"", "pie OR filler7",
                                         "filler3*", "title:apple", "pie -filler20", "filler39"};
  EXPECT_EQ(update({.shards = 1}).pages, 90U);
  EXPECT_EQ(shards(), 1U);
  std::vector<Names> expected;
  for (const std::string& query : queries) expected.push_back(all_names(query));
  const std::string suggestion = results({.query = "aplpe"}).suggestion;
  EXPECT_EQ(suggestion, "apple");
  for (const std::size_t number : {2U, 4U, 7U}) {
    EXPECT_EQ(update({.rebuild = true, .shards = number}).pages, 90U);
    EXPECT_EQ(shards(), number);
    for (std::size_t i = 0; i < queries.size(); ++i)
      EXPECT_EQ(all_names(queries[i]), expected[i]) << queries[i];
    EXPECT_EQ(results({.query = "aplpe"}).suggestion, suggestion);
  }
}

TEST_P(IndexShards, AnIndexKeepsTheirNumber) {
  put_many(60);
  update({.shards = 3});
  put({{"p7", "New", "cherry"}, {"more", "More", "cherry"}});
  remove("p8");
  const IndexSummary summary = update({.shards = 5});
  EXPECT_EQ(shards(), 3U);
  EXPECT_EQ(summary.indexed, 2U);
  EXPECT_EQ(summary.removed, 1U);
  EXPECT_EQ(summary.pages, 60U);
  EXPECT_EQ(found("cherry").size(), 2U);
  EXPECT_EQ(all_names("apple").size(), 58U);
}

TEST_P(IndexShards, AnOpenIndexSeesOneWithMoreOfThem) {
  put_many(20);
  update({.shards = 2});
  const auto index = open_index(location());
  ASSERT_TRUE(index);
  EXPECT_EQ((*index)->search(*store_, {.query = "apple"})->total, 20U);
  update({.rebuild = true, .shards = 4});
  EXPECT_EQ((*index)->search(*store_, {.query = "apple"})->total, 20U);
  put({{"last", "L", "apple"}});
  update();
  EXPECT_EQ((*index)->search(*store_, {.query = "apple"})->total, 21U);
}

TEST_P(IndexShards, AnIndexOfAnotherVersionIsMadeAnew) {
  put_many(10);
  update();
  const std::string folder = location() + "/search";
  {
    Xapian::WritableDatabase head(folder, Xapian::DB_OPEN);
    head.set_metadata("sheaf", encode(IndexPosition{.version = 2, .sequence = store::FeedCursor(10)}));
    head.commit();
  }
  const auto index = open_index(location());
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().message,
            "the index in " + folder + " is of another version; `sheaf index` builds it");
  std::vector<std::string> notices;
  const IndexOptions options{.on_notice = [&](const std::string& sentence) { notices.push_back(sentence); }};
  EXPECT_EQ(update(options).indexed, 10U);
  EXPECT_EQ(notices,
            std::vector{"the search index of " + location() + " is of another version; it is rebuilt"});
  EXPECT_EQ(all_names("apple").size(), 10U);
  update(options);
  EXPECT_EQ(notices.size(), 1U);
}

TEST_P(IndexShards, DamageOfOneIsReported) {
  put_many(20);
  update({.shards = 2});
  std::filesystem::resize_file(location() + "/search/1/postlist.glass", 100);
  const auto index = open_index(location());
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code, base::Errc::invalid_data);
  EXPECT_TRUE(index.error().message.ends_with("`sheaf index --rebuild` rebuilds it"));
  EXPECT_EQ(update({.rebuild = true}).pages, 20U);
  EXPECT_EQ(all_names("apple").size(), 20U);
}

// Pages of a run that ended early are there, with their words.
TEST_P(IndexShards, ThreadsOfACancelledUpdateLeaveWholePages) {
  put_many(800);
  IndexOptions options{.shards = 4};
  std::uint64_t told = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t) { told = done; };
  options.cancelled = [&] { return told >= 700; };
  ASSERT_FALSE(update_index(*store_, location(), options));
  EXPECT_EQ(results({.query = "aplpe"}).suggestion, "apple");
  EXPECT_EQ(update().pages, 800U);
  EXPECT_EQ(results({.query = "apple"}).total, 800U);
}

}  // namespace
}  // namespace sheaf::search
