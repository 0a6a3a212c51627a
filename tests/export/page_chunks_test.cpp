#include "sheaf/export/page_chunks.h"

#include "sheaf/export/chunk_export.h"
#include "sheaf/format/deltas/page_diff.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "store/store_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

namespace sheaf::exporting {
namespace {

/// A page made of blocks that live as long as it does.
class BlockPage {
 public:
  BlockPage& heading(int level, std::string_view text) { return add(HeadingBlock{level, arena_.copy(text)}); }
  BlockPage& text(std::string_view text) { return add(TextBlock{arena_.copy(text)}); }
  [[nodiscard]] Page page() const {
    Page page;
    page.url = "https://a.example/1";
    page.title = "A page";
    page.content = std::span<const Block>(blocks_);
    return page;
  }
  [[nodiscard]] std::vector<PageChunk> chunks(const ChunkRules& rules = {}) const {
    const Page made = page();
    return chunk_page("https://a.example", made, rules);
  }

 private:
  template <class Kind>
  BlockPage& add(Kind kind) {
    blocks_.push_back({kind, {}});
    return *this;
  }
  Arena arena_;
  std::vector<Block> blocks_;
};

std::set<std::string> ids_of(const std::vector<PageChunk>& chunks) {
  std::set<std::string> ids;
  for (const PageChunk& chunk : chunks) ids.insert(chunk_id_text(chunk.id));
  return ids;
}

// docs/chunks.md promises that an edit changes only the chunks below its own heading.
TEST(PageChunks, EditsOfOnePageInAHundredChangeFewIds) {
  std::size_t before = 0;
  std::size_t changed = 0;
  for (int number = 0; number < 300; ++number) {
    const auto make = [&](bool is_edited) {
      BlockPage page;
      for (int part = 0; part < 4 + number % 9; ++part) {
        page.heading(2, fmt::format("Part {} of {}", part, number));
        for (int line = 0; line < 1 + (number + part) % 5; ++line)
          page.text(fmt::format("Sentence {} of part {}. {}", line, part, std::string(300, 'x')) +
                    (is_edited && part == 2 && line == 0 ? " One more sentence." : ""));
      }
      return ids_of(page.chunks());
    };
    const auto old_ids = make(false);
    const auto new_ids = make(number % 100 == 7);
    before += old_ids.size();
    for (const std::string& id : old_ids) changed += new_ids.contains(id) ? 0 : 1;
  }
  EXPECT_GT(changed, 0U);
  EXPECT_LE(changed * 50, before);  // at most 2 %
}

TEST(PageChunks, AHeadingBeginsAChunkAndIsPartOfThePath) {
  BlockPage page;
  page.text("Before")
      .heading(1, "One")
      .text("a")
      .text("b")
      .heading(2, "Two")
      .text("c")
      .heading(1, "Three")
      .text("d");
  const auto chunks = page.chunks();
  ASSERT_EQ(chunks.size(), 4U);
  EXPECT_EQ(chunks[0].text, "Before");
  EXPECT_TRUE(chunks[0].headings.empty());
  EXPECT_EQ(chunks[1].text, "a\n\nb");
  EXPECT_EQ(chunks[2].headings, (std::vector<std::string_view>{"One", "Two"}));
  EXPECT_EQ(chunks[3].headings, std::vector<std::string_view>{"Three"});
  EXPECT_EQ(chunks[3].position, 3U);
  EXPECT_EQ(chunks[3].first_block, 7U);
}

TEST(PageChunks, LongBlocksAreCutAtWhiteSpaceAndNothingIsLost) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "w\xC3\xB6rd" + std::to_string(i) + " ";
  BlockPage page;
  page.text("short").text(text);
  ChunkRules rules;
  rules.max_chars = 200;
  std::string joined;
  for (const PageChunk& chunk : page.chunks(rules)) {
    EXPECT_LE(std::ranges::count_if(chunk.text,
                                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }),
              200);
    joined += chunk.text + " ";
  }
  EXPECT_EQ(joined, "short " + text);
  // Without white space it is cut between characters.
  std::string dense;
  for (int i = 0; i < 300; ++i) dense += "\xE4\xB8\xAD";
  BlockPage other;
  other.text(dense);
  const auto chunks = other.chunks(rules);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].text + chunks[1].text, dense);
}

TEST(PageChunks, AnEditChangesTheChunksOfItsHeadingOnly) {
  const auto make = [](std::string_view changed) {
    BlockPage page;
    for (int i = 0; i < 20; ++i)
      page.heading(2, "Section " + std::to_string(i))
          .text(i == 7 ? std::string(changed) : "Text " + std::to_string(i))
          .text("The same everywhere.");
    return ids_of(page.chunks());
  };
  const auto before = make("old");
  const auto after = make("new, and longer than before");
  EXPECT_EQ(before.size(), 20U);
  std::size_t kept = 0;
  for (const std::string& id : after) kept += before.contains(id) ? 1U : 0U;
  EXPECT_EQ(kept, 19U);
}

// Every chunk repeats them.
TEST(PageChunks, LongHeadingsAndTitlesAreCut) {
  BlockPage made;
  made.heading(2, std::string(999, 'a') + "\xe6\xbc\xa2" + "b").text("One.");
  const std::vector<PageChunk> chunks = made.chunks();
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].headings.front(), std::string(999, 'a') + "\xe6\xbc\xa2");
  Page page = made.page();
  const std::string title(5'000, 't');
  const std::string url = "https://a.example/" + std::string(10'000, 'u');
  page.title = title;
  page.url = url;
  std::string json;
  append_chunk_json(json, chunks[0], {"https://a.example", "all"}, page, {});
  EXPECT_LT(json.size(), 11'000U);
  // Pages whose URLs begin alike have different ids.
  const std::string other = url + "v";
  Page second = page;
  second.url = other;
  EXPECT_NE(chunk_page("https://a.example", page, {})[0].id,
            chunk_page("https://a.example", second, {})[0].id);
}

TEST(PageChunks, EqualTextsHaveDifferentIds) {
  BlockPage page;
  page.heading(1, "One").text("same").heading(1, "One").text("same").heading(1, "One").text("same");
  EXPECT_EQ(ids_of(page.chunks()).size(), 3U);
}

TEST(PageChunks, AnOverlapRepeatsTheEndOfTheChunkBefore) {
  BlockPage page;
  page.text(std::string(90, 'a') + " tail").text(std::string(50, 'b')).heading(1, "Next").text("fresh");
  ChunkRules rules;
  rules.max_chars = 100;
  rules.overlap = 10;
  const auto chunks = page.chunks(rules);
  ASSERT_EQ(chunks.size(), 3U);
  EXPECT_EQ(chunks[1].text, "tail\n\n" + std::string(50, 'b'));
  EXPECT_EQ(chunks[2].text, "fresh");
}

std::vector<std::string> changes_of(const store::PageStore& store, const std::filesystem::path& state,
                                    const ChunkRules& rules, ChunkChanges* counts = nullptr) {
  std::vector<std::string> lines;
  const auto changes =
      export_chunk_changes(store, "id", state, rules, [&](std::string_view line) -> base::Result<void> {
        lines.emplace_back(line);
        return {};
      });
  EXPECT_TRUE(changes) << changes.error().message;
  if (changes && counts != nullptr) *counts = *changes;
  return lines;
}

std::string collection_of(int pages, const std::set<int>& edited, bool delta) {
  std::string out =
      delta
          ? R"({"collection":{"id":"d","section":"blog","type":"delta","generated":"2026-02-02T00:00:00Z","since":"2026-02-01T00:00:00Z","version":"0.1"}})"
          : R"({"collection":{"id":"s","section":"blog","type":"snapshot","generated":"2026-02-01T00:00:00Z","version":"0.1"}})";
  out += '\n';
  for (int i = 0; i < pages; ++i) {
    if (delta && !edited.contains(i)) continue;
    out += R"({"url":"https://example.com/)" + std::to_string(i) +
           R"(","title":"T","description":"","modified":"2026-0)" + (delta ? "2-02" : "1-01") +
           R"(T00:00:00Z","language":"en","content":[)";
    for (int block = 0; block < 12; ++block)
      out += std::string(block > 0 ? "," : "") + R"({"type":"heading","level":2,"text":"H)" +
             std::to_string(block) + R"("},{"type":"text","text":"Text )" + std::to_string(i * 100 + block) +
             (delta && block == 5 ? " edited" : "") + "\"}";
    out += "]}\n";
  }
  return out;
}

// The promise: after an edit of 1 % of the pages at most 2 % of the ids change.
TEST(ChunkChanges, AnEditOfOnePercentChangesAtMostTwoPercentOfTheIds) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store->apply(store::kSite, "blog", base::buffer_source(collection_of(1'000, {}, false)),
                           store::apply_options()));
  ChunkChanges all;
  EXPECT_EQ(changes_of(*store, dir / "state", {}, &all).size(), 12'000U);
  EXPECT_EQ(all.added, 12'000U);
  EXPECT_TRUE(changes_of(*store, dir / "state", {}).empty());
  std::set<int> edited;
  for (int i = 0; i < 10; ++i) edited.insert(i * 97);
  ASSERT_TRUE(store->apply(store::kSite, "blog", base::buffer_source(collection_of(1'000, edited, true)),
                           store::apply_options()));
  ChunkChanges some;
  const auto lines = changes_of(*store, dir / "state", {}, &some);
  EXPECT_EQ(some.added, 10U);
  EXPECT_EQ(some.removed, 10U);
  EXPECT_EQ(some.kept, 110U);
  EXPECT_LE((some.added + some.removed) * 100, all.added * 2);
  EXPECT_EQ(lines.size(), 20U);
  EXPECT_TRUE(lines[0].starts_with(R"({"op":"add","id":")")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(R"({"op":"remove","id":")")) << lines[1];
  EXPECT_TRUE(changes_of(*store, dir / "state", {}).empty());
  // What is gone takes its chunks along.
  ASSERT_TRUE(store->drop_section(store::kSite, "blog", {2'000'000'000, 0}));
  ChunkChanges none;
  changes_of(*store, dir / "state", {}, &none);
  EXPECT_EQ(none.removed, 12'000U);
  EXPECT_EQ(none.added, 0U);
}

TEST(ChunkChanges, BlocksAreReportedOneByOne) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  ASSERT_TRUE(store->apply(store::kSite, "blog", base::buffer_source(collection_of(2, {}, false)),
                           store::apply_options()));
  ChunkRules rules;
  rules.unit = ChunkRules::Unit::blocks;
  const auto lines = changes_of(*store, dir / "state", rules);
  ASSERT_EQ(lines.size(), 48U);
  EXPECT_NE(lines[0].find(R"("type":"heading")"), std::string::npos) << lines[0];
}

TEST(ChunkState, OtherRulesStoresAndVersionsAreRefused) {
  const test::TempDir dir;
  auto state = ChunkState::open(dir / "state", {}, "id");
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->is_new());
  const std::vector<ChunkId> ids = {ChunkId{1}, ChunkId{2}};
  ASSERT_TRUE(state->replace("https://a.example", "https://a.example/1", ids));
  ASSERT_TRUE(state->commit(17));
  const auto again = ChunkState::open(dir / "state", {}, "id");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->cursor(), 17U);
  EXPECT_EQ(again->ids_of("https://a.example", "https://a.example/1"), ids);
  EXPECT_TRUE(again->ids_of("https://a.example", "https://a.example/2")->empty());
  ChunkRules other;
  other.max_chars = 500;
  const auto refused = ChunkState::open(dir / "state", other, "id");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  const auto foreign = ChunkState::open(dir / "state", {}, "another id");
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, base::Errc::refused);
  EXPECT_NE(foreign.error().message.find("another store"), std::string::npos) << foreign.error().message;
  std::ofstream(dir / "former") << "sheafck1" << std::string(32, '\0');
  const auto former = ChunkState::open(dir / "former", {}, "id");
  ASSERT_FALSE(former);
  EXPECT_EQ(former.error().code, base::Errc::refused);
  std::ofstream(dir / "other") << std::string(100, 'x');
  EXPECT_FALSE(ChunkState::open(dir / "other", {}, "id"));
}

TEST(ChunkState, AFileThatIsCutOrChangedAnywhereIsDamaged) {
  const test::TempDir dir;
  auto state = ChunkState::open(dir / "state", {}, "id");
  ASSERT_TRUE(state);
  ASSERT_TRUE(
      state->replace("https://a.example", "https://a.example/1", std::vector{ChunkId{1}, ChunkId{2}}));
  ASSERT_TRUE(state->commit(std::uint64_t{1'234}));
  std::ifstream file(dir / "state", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto expect_damaged = [&](const std::string& content, std::size_t place) {
    std::ofstream(dir / "damaged", std::ios::binary) << content;
    const auto opened = ChunkState::open(dir / "damaged", {}, "id");
    ASSERT_FALSE(opened) << place;
    EXPECT_EQ(opened.error().code, base::Errc::invalid_data) << place << opened.error().message;
  };
  for (std::size_t size = 0; size < bytes.size(); ++size) expect_damaged(bytes.substr(0, size), size);
  for (std::size_t place = 8; place < bytes.size(); ++place) {
    std::string flipped = bytes;
    flipped[place] = static_cast<char>(flipped[place] ^ 1);
    expect_damaged(flipped, place);
  }
  expect_damaged(bytes + "x", bytes.size());
}

TEST(PageDiff, TheFewestBlocks) {
  BlockPage older;
  older.text("a").text("b").text("c").text("d").text("e");
  BlockPage newer;
  newer.text("a").text("x").text("c").text("e").text("f");
  const Page old_page = older.page();
  const Page new_page = newer.page();
  std::string edits;
  for (const format::BlockEdit& edit : format::diff_blocks(old_page.content, new_page.content))
    edits += (edit.op == format::DiffOp::add ? "+" : "-") + std::to_string(edit.position) +
             std::string(std::get<TextBlock>(edit.block->kind).text) + " ";
  EXPECT_EQ(edits, "-1b +1x -3d +4f ");
  EXPECT_TRUE(format::diff_blocks(old_page.content, old_page.content).empty());
  EXPECT_EQ(format::diff_blocks({}, new_page.content).size(), 5U);
}

TEST(PageDiff, PagesOfTwoCollections) {
  const test::TempDir dir;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(dir / name) << text;
    return format::reopenable_source((dir / name).string(), {}).value();
  };
  const auto older = write("old.scp", collection_of(3, {}, false));
  const auto newer = write("new.scp", collection_of(4, {0, 2, 3}, true));
  std::string found;
  const auto summary = format::diff_pages(
      older, newer, {}, [&](const format::PageDifference& difference) -> base::Result<void> {
        found += std::string(difference.url.substr(difference.url.size() - 2)) + " " +
                 std::to_string(static_cast<int>(difference.fate)) + " " +
                 std::to_string(difference.edits.size()) + "\n";
        return {};
      });
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(found, "/0 2 2\n/1 1 0\n/2 2 2\n/3 0 0\n");
  EXPECT_EQ(summary->changed, 2U);
}

}  // namespace
}  // namespace sheaf::exporting
