#include "sheaf/search/search_index.h"

#include "search/index_fixture.h"
#include "sheaf/store/open/open_store.h"
#include "support/collection_text.h"
#include "support/page_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::search {
namespace {

class LocalIndex : public Index {};

INSTANTIATE_TEST_SUITE_P(Stores, Index, store::kEveryStore, store::kind_name);
INSTANTIATE_TEST_SUITE_P(Stores, LocalIndex, testing::Values(store::StoreKind::local), store::kind_name);

TEST_P(Index, FindsWhatThereIs) {
  put({{"a", "Opening hours", "The shop opens at nine."}, {"b", "Prices", "What an opening costs."}});
  const IndexSummary summary = update();
  EXPECT_EQ(summary.indexed, 2U);
  EXPECT_EQ(summary.pages, 2U);
  EXPECT_TRUE(summary.is_rebuilt);
  const SearchResults shown = results({.query = "opening"});
  ASSERT_EQ(shown.hits.size(), 2U);
  EXPECT_EQ(shown.hits[0].title, "Opening hours");  // titles weigh more
  EXPECT_EQ(shown.hits[0].url, kExample + "/a");
  EXPECT_EQ(shown.hits[0].site, kExample);
  EXPECT_EQ(shown.hits[0].section, "html");
  EXPECT_EQ(shown.total, 2U);
  EXPECT_EQ(shown.behind, 0U);
  EXPECT_EQ(shown.next, "");
  EXPECT_EQ(found("nine"), Names{"a"});
  EXPECT_EQ(found("opening -nine"), Names{"b"});
  EXPECT_EQ(found("\"an opening\""), Names{"b"});
  EXPECT_EQ(found("pric* OR nine").size(), 2U);
  EXPECT_EQ(names({.query = "opening", .title_only = true}), Names{"a"});
}

TEST_P(Index, WordsThatFollowEachOtherInATitleWeighMore) {
  put({{"a", "Values mutable default", "Some text about it."},
       {"b", "Mutable default values", "Some text about it."},
       {"c", "Values default mutable", "Some text about it."}});
  update();
  EXPECT_EQ(found("mutable default values").front(), "b");
  EXPECT_EQ(found("values default mutable").front(), "c");
  EXPECT_EQ(found("mutable default values").size(), 3U) << "the others are found too";
}

TEST_P(Index, FollowsTheFeed) {
  put({{"a", "A", "apple"}, {"b", "B", "banana"}});
  update();
  put({{"a", "A", "cherry"}, {"c", "C", "apple"}});
  remove("b");
  EXPECT_EQ(results({.query = "cherry OR apple"}).behind, 3U);
  const IndexSummary summary = update();
  EXPECT_FALSE(summary.is_rebuilt);
  EXPECT_EQ(summary.indexed, 2U);
  EXPECT_EQ(summary.removed, 1U);
  EXPECT_EQ(summary.pages, 2U);
  EXPECT_EQ(found("apple"), Names{"c"});
  EXPECT_EQ(found("cherry"), Names{"a"});
  EXPECT_EQ(found("banana"), Names{});
  EXPECT_EQ(update().indexed, 0U);
}

TEST_P(Index, ThreadsShareAReaderDuringUpdates) {
  put({{"a", "A", "apple"}});
  update();
  const auto index = open_index(location());
  ASSERT_TRUE(index) << index.error().message;
  std::atomic<bool> done = false;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 3; ++i)
      clients.emplace_back([&] {
        std::size_t before = 1;
        while (!done) {
          const auto shown = (*index)->search(*store_, {.query = "apple", .limit = 50});
          if (!shown) {
            ADD_FAILURE() << shown.error().message;
            return;
          }
          EXPECT_GE(shown->hits.size(), before);
          before = shown->hits.size();
        }
      });
    for (int i = 0; i < 10; ++i) {
      put({{"b" + std::to_string(i), "B", "apple"}});
      update();
    }
    done = true;
  }
  EXPECT_EQ((*index)->search(*store_, {.query = "apple", .limit = 50})->hits.size(), 11U);
}

// Pages are prepared by another thread, some at a time.
TEST_P(Index, AThreadPreparesManyPages) {
  constexpr int kPages = 400;
  std::vector<TestPage> pages;
  for (int i = 0; i < kPages; ++i)
    pages.push_back({"p" + std::to_string(i), "Page",
                     "number" + std::to_string(i) + " common" + (i % 7 == 0 ? std::string(9'000, '.') : "")});
  put(pages);
  IndexOptions options;
  std::uint64_t told = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, static_cast<std::uint64_t>(kPages));
    told = done;
  };
  options.cancelled = [&] { return told >= 250; };
  const auto stopped = update_index(*store_, location(), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, base::Errc::refused);
  options.cancelled = {};
  const IndexSummary summary = update(options);
  EXPECT_EQ(summary.pages, static_cast<std::uint64_t>(kPages));
  EXPECT_EQ(told, static_cast<std::uint64_t>(kPages));
  for (int i = 0; i < kPages; i += 13)
    EXPECT_EQ(found("number" + std::to_string(i)), Names{"p" + std::to_string(i)});
  EXPECT_EQ(update().indexed, 0U);
}

TEST_P(Index, AShortenedFeedMeansALookAtEveryPage) {
  put({{"a", "A", "apple"}, {"b", "B", "banana"}});
  update();
  put({{"a", "A", "cherry"}});
  remove("b");
  put({{"d", "D", "date"}});
  ASSERT_TRUE(store_->gc({.keep_changes = 1}));
  const IndexSummary summary = update();
  EXPECT_TRUE(summary.is_rebuilt);
  EXPECT_EQ(summary.removed, 1U);
  EXPECT_EQ(found("apple OR banana"), Names{});
  EXPECT_EQ(found("cherry"), Names{"a"});
  EXPECT_EQ(found("date"), Names{"d"});
}

TEST_P(Index, APageOfSeveralSectionsIsOneResult) {
  put({{"a", "A", "apple old", "en", "2026-01-01T00:00:00Z"}}, "one");
  put({{"a", "A", "apple new", "en", "2026-02-01T00:00:00Z"}}, "two");
  EXPECT_EQ(update().pages, 1U);
  const SearchResults shown = results({.query = "apple"});
  ASSERT_EQ(shown.hits.size(), 1U);
  EXPECT_EQ(shown.hits[0].section, "two");
  EXPECT_EQ(found("old"), Names{});
  EXPECT_EQ(names({.query = "apple", .section = "one"}), Names{"a"});
  // Not in the feed, since another section still has the page.
  ASSERT_TRUE(store_->drop_section(kExample, "two", {1'800'000'000, 0}));
  update();
  EXPECT_EQ(found("new"), Names{});
  EXPECT_EQ(found("old"), Names{"a"});
  EXPECT_EQ(fault({.query = "apple", .section = "two"}), "the index has no page of the section two");
}

TEST_P(Index, Filters) {
  put({{"a", "A", "apple", "en", "2026-01-01T00:00:00Z"},
       {"b", "B", "apple", "de-AT", "2026-03-01T00:00:00Z"}});
  put({{"c", "C", "apple"}}, "html", "http://other.example:8080");
  update();
  EXPECT_EQ(found("apple").size(), 3U);
  EXPECT_EQ(names({.query = "apple", .site = "example.com"}).size(), 2U);
  EXPECT_EQ(found("apple site:docs.example.com lang:de"), Names{"b"});
  EXPECT_EQ(found("apple site:other.example"), Names{"c"});
  EXPECT_EQ(found("apple site:other.example:8080"), Names{"c"});
  EXPECT_EQ(found("apple site:http://other.example:8080"), Names{"c"});
  EXPECT_EQ(found("apple -site:example.com"), Names{"c"});
  EXPECT_EQ(found("site:other.example"), Names{"c"});
  EXPECT_EQ(names({.query = "apple", .language = "de-at"}), Names{"b"});
  EXPECT_EQ(names({.query = "apple", .since = Instant{1'771'000'000, 0}}), Names{"b"});
  EXPECT_EQ(fault({.query = "apple site:nowhere.example"}),
            "the index has no page of the site nowhere.example");
  EXPECT_EQ(fault({.query = "apple", .language = "fr"}), "the index has no page of the language fr");
}

TEST_P(Index, StemsByLanguageAndFoldsAccents) {
  put({{"de", "H\u00e4user", "Viele H\u00e4user in M\u00fcnchen", "de"},
       {"en", "Houses", "Many houses", "en"},
       {"ja", "\u6771\u4eac", "\u6771\u4eac\u90fd\u306e\u5929\u6c17", "ja"}});
  update();
  EXPECT_EQ(found("haus"), Names{"de"});
  EXPECT_EQ(found("munchen"), Names{"de"});
  EXPECT_EQ(found("house"), Names{"en"});
  EXPECT_EQ(found("\u5929\u6c17"), Names{"ja"});
  EXPECT_EQ(found("\u5929"), Names{"ja"});
}

TEST_P(Index, SuggestsWordsThatItHas) {
  put({{"a", "A", "the configuration of replication"}});
  update();
  EXPECT_EQ(results({.query = "configuraton"}).suggestion, "configuration");
  EXPECT_EQ(results({.query = "title:x repilcation"}).suggestion, "title:x replication");
  EXPECT_EQ(results({.query = "onfiguration"}).suggestion, "configuration");
  EXPECT_EQ(results({.query = "zzzzqqqq"}).suggestion, "");
  EXPECT_EQ(results({.query = "configuration"}).suggestion, "");
}

TEST_P(Index, PagesOfResultsAreStable) {
  std::vector<TestPage> pages;
  for (int i = 0; i < 25; ++i)
    pages.push_back({"p" + std::to_string(i), "T",
                     "apple" + std::string(static_cast<std::size_t>(i % 7), 'x') + " apple"});
  put(pages);
  update();
  Names all = names({.query = "apple", .limit = 100});
  ASSERT_EQ(all.size(), 25U);
  Names paged;
  SearchRequest request{.query = "apple", .limit = 4};
  bool changed = false;
  for (int guard = 0; guard < 20; ++guard) {
    const SearchResults page = results(request);
    for (const SearchHit& hit : page.hits) paged.push_back(hit.url.substr(hit.url.rfind('/') + 1));
    if (page.next.empty()) break;
    request.cursor = page.next;
    // A change elsewhere between two pages: nothing is shown twice.
    if (!std::exchange(changed, true)) {
      put({{"new", "N", "unrelated"}});
      update();
    }
  }
  std::ranges::sort(all);
  std::ranges::sort(paged);
  EXPECT_EQ(paged, all);
  request.query = "other";
  EXPECT_EQ(fault(request), "the cursor belongs to another search; give it with the same query and filters");
  request.cursor = "nonsense";
  EXPECT_EQ(fault(request), "the cursor was not returned by a search");
}

TEST_P(Index, TheOrderDoesNotDependOnHowManyAreAskedFor) {
  std::vector<TestPage> pages;
  for (int i = 0; i < 60; ++i)
    pages.push_back({"p" + std::to_string(i), i % 9 == 0 ? "Apple pie" : "Other",
                     std::string(static_cast<std::size_t>(i % 5 + 1) * 6, ' ') + "apple pie and " +
                         std::string(static_cast<std::size_t>(i % 7), 'x') + " more words"});
  put(pages);
  update();
  for (const std::string query : {"apple", "apple pie", "pie OR words", "appl*"}) {
    const Names all = names({.query = query, .limit = 100});
    ASSERT_EQ(all.size(), 60U);
    for (std::size_t limit = 1; limit < 20; ++limit)
      EXPECT_EQ(names({.query = query, .limit = limit}),
                Names(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit)))
          << query;
  }
}

TEST_P(Index, RequestsAreBounded) {
  put({{"a", "A", "apple"}});
  update();
  EXPECT_EQ(fault({.query = "apple", .limit = 101}), "a search returns 1 to 100 results at a time, not 101");
  EXPECT_EQ(fault({.query = "apple", .limit = 0}), "a search returns 1 to 100 results at a time, not 0");
  EXPECT_EQ(fault({.query = "apple", .site = std::string(2'000, 'x')}), "a filter has more than 1024 bytes");
  std::vector<TestPage> pages;
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (int k = 0; k < 100; ++k) text += "qa" + std::to_string(i * 100 + k) + " ";
    pages.push_back({"w" + std::to_string(i), "W", text});
  }
  put(pages);
  update();
  // PostgreSQL does not expand a prefix.
  if (GetParam() == store::StoreKind::local) {
    EXPECT_EQ(fault({.query = "qa*"}),
              "a word with * matches more than 5000 words; type more letters before the *");
  }
  EXPECT_EQ(found("qa59*").size(), 3U);
}

TEST_P(Index, APhraseIsLookedForInThePages) {
  std::vector<TestPage> pages;
  for (int i = 0; i < 300; ++i)
    pages.push_back({"p" + std::to_string(i), "T", i == 250 ? "red apple" : "apple red"});
  put(pages);
  update();
  EXPECT_EQ(found("\"red apple\""), Names{"p250"});
  EXPECT_FALSE(results({.query = "\"red apple\""}).is_cut);
}

TEST_P(Index, WithoutAnIndexItSaysHowToMakeOne) {
  const auto index = open_index(location());
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code, base::Errc::not_found);
  EXPECT_TRUE(index.error().message.ends_with("makes one"));
}

TEST_P(LocalIndex, OneUpdateAtATime) {
  put({{"a", "A", "apple"}});
  IndexOptions options;
  std::string second;
  options.progress = [&](std::uint64_t, std::uint64_t) {
    const auto other = update_index(*store_, location(), {});
    if (!other) second = other.error().message;
  };
  update(options);
  EXPECT_TRUE(second.ends_with("is being updated by another process or thread; try again when it is done"))
      << second;
}

TEST_P(Index, ACancelledUpdateContinuesLater) {
  put({{"a", "A", "apple"}, {"b", "B", "banana"}, {"c", "C", "cherry"}});
  IndexOptions options;
  int pages = 0;
  options.cancelled = [&] { return ++pages > 1; };
  const auto stopped = update_index(*store_, location(), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, base::Errc::refused);
  remove("a");
  update();
  EXPECT_EQ(found("apple OR banana OR cherry").size(), 2U);
}

class SharedIndexes : public Index {};
INSTANTIATE_TEST_SUITE_P(Stores, SharedIndexes, testing::Values(store::StoreKind::shared), store::kind_name);

TEST_P(SharedIndexes, WhoCommitsSecondIsRefused) {
  put({{"a", "A", "apple"}});
  IndexOptions options;
  options.progress = [&](std::uint64_t, std::uint64_t) {
    EXPECT_TRUE(update_index(*store_, location(), {}));
  };
  const auto outer = update_index(*store_, location(), options);
  ASSERT_FALSE(outer);
  EXPECT_EQ(outer.error().code, base::Errc::in_use) << outer.error().message;
  EXPECT_EQ(found("apple"), Names{"a"});
  EXPECT_EQ(update().pages, 1U);
}

TEST_P(SharedIndexes, AHugePageIsCutToWhatPostgresqlTakes) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "word" + std::to_string(i) + " ";
  put({{"huge", "Huge", text + "often often often"}});
  EXPECT_EQ(update().pages, 1U);
  EXPECT_EQ(found("often"), Names{"huge"});
}

TEST_P(LocalIndex, DamageIsReported) {
  put({{"a", "A", "apple"}});
  update();
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(location()) / "search"))
    if (file.path().extension() == ".glass") std::filesystem::resize_file(file.path(), 100);
  const auto index = open_index(location());
  const auto outcome = index ? (*index)->search(*store_, {.query = "apple"}) : std::unexpected(index.error());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, base::Errc::invalid_data) << outcome.error().message;
  EXPECT_EQ(update({.rebuild = true}).pages, 1U);
  EXPECT_EQ(found("apple"), Names{"a"});
}

TEST_P(Index, APageThatWentSinceIsNotShown) {
  put({{"a", "A", "apple"}, {"b", "B", "apple"}});
  update();
  remove("a");
  EXPECT_EQ(found("apple"), Names{"b"});
}

TEST_P(Index, StateTellsHowFarItIs) {
  put({{"a", "A", "apple"}, {"b", "B", "apple"}});
  update();
  const auto index = open_index(location());
  ASSERT_TRUE(index);
  const auto state = (*index)->state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->pages, 2U);
  EXPECT_EQ(state->sequence.total(), 2U);
  EXPECT_TRUE(state->is_complete);
  EXPECT_GT(state->disk_bytes, 0U);
}

TEST_P(Index, PagesInTheirOrder) {
  put({{"a", "A", "apple"}, {"b", "B", "apple"}, {"c", "C", "apple"}});
  update();
  const auto index = open_index(location());
  ASSERT_TRUE(index);
  const auto first = (*index)->pages(0, 2);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->size(), 2U);
  const auto rest = (*index)->pages(first->back().number, 2);
  ASSERT_TRUE(rest);
  ASSERT_EQ(rest->size(), 1U);
  EXPECT_EQ(rest->front().site, kExample);
  EXPECT_EQ((*index)->pages(~std::uint64_t{0}, 2)->size(), 0U);
}

TEST_P(Index, AnOpenIndexSeesAPackedOne) {
  put({{"first", "F", "apple"}});
  update();
  const auto index = open_index(location());
  ASSERT_TRUE(index);
  std::vector<TestPage> pages;
  for (int i = 0; i < 80; ++i)
    pages.push_back({"p" + std::to_string(i), "T", "apple number" + std::to_string(i)});
  put(pages);
  update();  // packs
  EXPECT_FALSE(std::filesystem::exists(location() + "/search.packed"));
  EXPECT_EQ((*index)->search(*store_, {.query = "apple"})->total, 81U);
  put({{"last", "L", "apple"}});
  update();
  EXPECT_EQ((*index)->search(*store_, {.query = "apple"})->total, 82U);
}

// Random pages: whatever is in them, the index agrees with the store.
TEST_P(Index, AnyPage) {
  test::PageGenerator generator(7);
  store::SectionEdit edit(kExample, "html");
  for (int i = 0; i < 100; ++i) {
    const std::string url = kExample + "/" + std::to_string(i);
    const std::string modified = test::time_text(i);
    edit.put_page(url, modified, generator.page(url, modified), {1'700'000'000, 0});
  }
  ASSERT_TRUE(store_->commit(edit));
  EXPECT_EQ(update().pages, 100U);
  EXPECT_EQ(results({.query = "site:example.com", .limit = 100}).hits.size(), 100U);
}

}  // namespace
}  // namespace sheaf::search
