#include "sheaf/quality/quality_report.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::quality {
namespace {

Block paragraph(std::string_view text) { return {.kind = TextBlock{text}, .extra = {}}; }

std::string written(const QualityReport& report) {
  std::string text;
  EXPECT_TRUE(report.write("https://example.com/", [&](std::string_view piece) -> base::Result<void> {
    text += piece;
    return {};
  }));
  return text;
}

/// `number` makes its text unique.
PageQuality page_of(std::string_view text, std::uint64_t shown = 0) {
  PageQuality quality;
  quality.chars = count_characters(text);
  quality.shown_chars = shown;
  return quality;
}

TEST(PageQuality, CountsWhatAPageSays) {
  const std::vector<Text> items = {"A first thing to do", "A first thing to do", "short"};
  const Block blocks[] = {paragraph("We paint houses."),
                          {.kind = HeadingBlock{1, "Houses we paint"}, .extra = {}},
                          {.kind = ListBlock{false, items}, .extra = {}},
                          {.kind = CodeBlock{std::nullopt, "int main() {}"}, .extra = {}}};
  Page page;
  page.content = blocks;
  const PageQuality quality = measure_page(page);
  EXPECT_EQ(quality.chars, 16U + 15U + 19U + 19U + 5U + 13U);
  EXPECT_EQ(quality.texts.size(), 2U)
      << "headings, code and short texts recur by nature, and each counts once";
  EXPECT_FALSE(quality.has_media);
  EXPECT_EQ(count_characters("\xE6\xB8\xAC\xE8\xA9\xA6"), 4U);
  EXPECT_EQ(count_characters("\xC3\xBC"), 1U);
}

TEST(QualityReport, NamesWhatIsWrong) {
  QualityReport report;
  const std::string long_text(400, 'x');
  for (int i = 0; i < 30; ++i)
    ASSERT_TRUE(report.add_page("blog", "https://example.com/" + std::to_string(i),
                                "Title " + std::to_string(i), page_of(long_text, 450)));
  ASSERT_TRUE(report.add_page("blog", "https://example.com/tiny", "Tiny", page_of("Soon.")));
  PageQuality picture = page_of("");
  picture.has_media = true;
  ASSERT_TRUE(report.add_page("blog", "https://example.com/picture", "Picture", picture));
  ASSERT_TRUE(report.add_page("shop", "https://example.com/twin", "Title 3", page_of(long_text, 450)));
  ASSERT_TRUE(report.add_page("shop", "https://example.com/lost", "Lost", page_of(long_text, 9000)));
  PageQuality untitled = page_of(long_text, 450);
  untitled.has_own_title = false;
  ASSERT_TRUE(report.add_page("shop", "https://example.com/untitled", "Title 4", untitled));
  ASSERT_TRUE(report.skip({.section = "shop", .item = "a \"draft\"\n.md", .reason = "draft"}));
  ASSERT_TRUE(report.skip({.section = "shop", .item = "copy", .reason = "duplicate", .detail = "of /1"}));
  report.count_unread();
  const auto summary = report.finish();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->pages, 35U);
  EXPECT_EQ(summary->unread, 1U);
  EXPECT_EQ(summary->skipped, 2U);
  EXPECT_EQ(summary->near_empty, 1U);
  EXPECT_EQ(summary->missing_titles, 1U);
  EXPECT_EQ(summary->duplicate_titles, 2U);
  EXPECT_EQ(summary->low_share, 1U);
  EXPECT_EQ(summary->high_share, 0U);
  EXPECT_TRUE(summary->has_findings());
  EXPECT_EQ(
      written(report),
      R"({"schemaVersion":1,"report":"quality","site":"https://example.com/","summary":{"pages":35,"unread":1,"skipped":2,"nearEmpty":1,"missingTitle":1,"duplicateTitle":2,"repeatedText":0,"lowShare":1,"highShare":0},)"
      R"("keptShare":{"median":0.888,"low":0.638,"high":1.000},)"
      R"("nearEmpty":[{"section":"blog","url":"https://example.com/tiny","characters":5}],)"
      R"("missingTitle":[{"section":"shop","url":"https://example.com/untitled","characters":400,"share":0.888}],)"
      R"("unusualShare":[{"section":"shop","url":"https://example.com/lost","characters":400,"share":0.044}],)"
      R"("duplicateTitle":[{"title":"Title 3","urls":["https://example.com/3","https://example.com/twin"]}],)"
      R"("repeatedText":[],)"
      R"("skipped":[{"section":"shop","item":"a \"draft\"\n.md","reason":"draft"},{"section":"shop","item":"copy","reason":"duplicate","detail":"of /1"}]})");
  EXPECT_EQ(describe(*summary).size(), 4U);
}

TEST(QualityReport, OfNothingIsComplete) {
  QualityReport report;
  const auto summary = report.finish();
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->has_findings());
  EXPECT_TRUE(describe(*summary).empty());
  EXPECT_NE(written(report).find(R"("keptShare":null)"), std::string::npos);
}

TEST(QualityReport, ListsEveryPageOfALargeSite) {
  constexpr std::uint64_t kPages = 50'000;
  test::TempDir folder;
  QualityReport report(folder.path());
  for (std::uint64_t i = 0; i < kPages; ++i) {
    const std::string url = "https://example.com/a/path/that/is/some/way/down/" + std::to_string(i);
    ASSERT_TRUE(report.add_page("all", url, "Title " + std::to_string(i / 2), page_of("Soon.")));
    ASSERT_TRUE(report.skip({.section = "all", .item = url, .reason = "noindex"}));
  }
  const auto summary = report.finish();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->near_empty, kPages);
  EXPECT_EQ(summary->duplicate_titles, kPages);
  const std::string text = written(report);
  const auto count = [&](std::string_view part) {
    std::uint64_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(R"("characters":5)"), kPages);
  EXPECT_EQ(count(R"({"title":)"), kPages / 2);
  EXPECT_EQ(count(R"("reason":"noindex")"), kPages);
}

TEST(QualityReport, AFolderThatIsNotThereIsAnError) {
  QualityReport report("/nonexistent/folder");
  base::Result<void> added;
  for (int i = 0; i < 100'000 && added; ++i)
    added = report.skip({.section = "all", .item = "an item of some length", .reason = "noindex"});
  EXPECT_FALSE(added);
}

TEST(TextCounter, FindsWhatRecursInBoundedMemory) {
  TextCounter counter;
  for (int page = 0; page < 400; ++page) {
    std::vector<std::string> texts;
    for (int i = 0; i < 200; ++i)
      texts.push_back("own text " + std::to_string(page) + " " + std::to_string(i));
    if (page % 4 != 0) texts.emplace_back("a menu that stands on most pages");
    if (page % 4 == 0) texts.emplace_back("a notice that stands on some pages");
    std::vector<RecurringText> recurring;
    for (const std::string& text : texts) recurring.push_back({std::hash<std::string>()(text), text});
    counter.add("https://example.com/" + std::to_string(page), recurring);
  }
  EXPECT_LE(counter.size(), TextCounter::kMaxTexts);
  const auto found = counter.most_frequent();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "a menu that stands on most pages");
  EXPECT_EQ(found[0].pages, 300U);
  EXPECT_EQ(found[0].first_page, "https://example.com/1");
}

TEST(KeptShareHistogram, UnusualIsWhatIsFarFromTheMedian) {
  KeptShareHistogram shares;
  for (int i = 0; i < 15; ++i) shares.add(900);
  EXPECT_FALSE(shares.usual()) << "too few pages";
  for (int i = 0; i < 15; ++i) shares.add(890);
  shares.add(100);
  const auto usual = shares.usual();
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->low, 640U);
  EXPECT_EQ(usual->high, 1000U);
  EXPECT_EQ(shares.below(usual->low), 1U);
  EXPECT_EQ(shares.above(usual->high), 0U);
  EXPECT_FALSE(KeptShareHistogram::share(10, 100)) << "a page that shows so little tells nothing";
  EXPECT_EQ(KeptShareHistogram::share(5000, 1000), 1000U);
}

TEST(RecordSpool, KeepsRecordsOfAnySize) {
  test::TempDir folder;
  RecordSpool spool(folder.path());
  std::vector<std::string> records = {"", "short", std::string(3 << 20, 'x'), std::string(100'000, 'y'), ""};
  for (int i = 0; i < 1000; ++i) records.emplace_back(static_cast<std::size_t>(i) * 7, 'z');
  std::vector<std::uint64_t> places;
  for (const std::string& record : records) places.push_back(spool.append(record).value());
  std::vector<std::string> read;
  ASSERT_TRUE(spool.each([&](std::string_view record) -> base::Result<void> {
    read.emplace_back(record);
    return {};
  }));
  EXPECT_TRUE(read == records);
  for (std::size_t i = 0; i < records.size(); ++i) EXPECT_TRUE(spool.at(places[i]) == records[i]) << i;
  EXPECT_EQ(spool.records(), records.size());
}

TEST(QualityRecord, DamagedBytesAreAnError) {
  const std::string bytes = encode(MeasuredPage{.section = "a", .url = "b", .title = "c"});
  EXPECT_TRUE(decode_page(bytes));
  EXPECT_FALSE(decode_page(bytes.substr(1)));
  EXPECT_FALSE(decode_skipped("x"));
}

}  // namespace
}  // namespace sheaf::quality
