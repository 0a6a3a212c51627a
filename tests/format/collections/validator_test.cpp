#include "sheaf/format/collections/validator.h"

#include "sheaf/format/collections/state_digest.h"
#include "support/collection_text.h"
#include "support/reading.h"
#include "support/sources.h"

#include <gtest/gtest.h>

namespace sheaf::format {
namespace {

using test::collection_text;
using test::PageText;

std::uint64_t count(const ValidationReport& report, Code code) {
  return report.counts[static_cast<std::size_t>(code)];
}

ValidationReport validate_text(std::string_view text, const ValidateOptions& options = {}) {
  return validate(base::buffer_source(text, "a.scp"), options);
}

std::string page(int number, std::string_view content = R"([{"type":"text","text":"ok"}])") {
  PageText text;
  text.url = "https://example.com/" + std::to_string(number);
  text.content = content;
  return text.str();
}

TEST(SpecValidator, CleanFileIsStrictlyValid) {
  const auto report = validate_text(test::with_checksum(collection_text({page(1), page(2)})));
  EXPECT_EQ(report.file, "a.scp");
  EXPECT_FALSE(report.fatal);
  EXPECT_TRUE(report.is_valid());
  EXPECT_TRUE(report.is_strictly_valid());
  EXPECT_FALSE(report.is_unreadable());
  EXPECT_EQ(report.pages, 2U);
  EXPECT_EQ(report.checksum, ChecksumVerdict::verified);
  EXPECT_EQ(report.head->id, "c1");
  EXPECT_TRUE(report.findings.empty());
}

// Readings, table: duplicate-url, within one collection.
TEST(SpecValidator, FindsDuplicateUrls) {
  const auto report = validate_text(collection_text({page(1), page(2), page(1), page(1)}));
  EXPECT_TRUE(report.is_valid());
  EXPECT_FALSE(report.is_strictly_valid());
  EXPECT_EQ(report.pages, 2U);
  EXPECT_EQ(report.statistics.pages, 4U);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].code, Code::duplicate_url);
  EXPECT_EQ(report.findings[0].line, 4U);
  EXPECT_EQ(report.findings[0].url, "https://example.com/1");
  EXPECT_EQ(report.findings[1].line, 5U);
}

std::string head_with_state(std::string_view type, std::string_view state) {
  return R"({"collection":{"id":"c1","section":"all","generated":"2026-01-15T00:00:00Z","version":"0.1",)"
         R"("since":"2026-01-14T00:00:00Z","type":")" +
         std::string(type) + R"(","state":")" + std::string(state) + "\"}}\n";
}

std::string state_of(int first, int last) {
  StateDigest state;
  for (int i = first; i <= last; ++i)
    state.add("https://example.com/" + std::to_string(i), PageText().modified);
  return state.to_string();
}

// Readings, "State digest": a snapshot's `state` is the sum over its pages.
TEST(SpecValidator, ChecksTheStateOfASnapshot) {
  const std::string pages = page(1) + "\n" + page(2) + "\n";
  EXPECT_TRUE(validate_text(head_with_state("snapshot", state_of(1, 2)) + pages).is_strictly_valid());
  const auto wrong = validate_text(head_with_state("snapshot", state_of(1, 3)) + pages);
  EXPECT_TRUE(wrong.is_valid());
  EXPECT_FALSE(wrong.is_strictly_valid());
  ASSERT_EQ(count(wrong, Code::state_mismatch), 1U);
  EXPECT_NE(wrong.findings.back().message.find(state_of(1, 2)), std::string::npos);
  EXPECT_NE(wrong.findings.back().message.find(state_of(1, 3)), std::string::npos);
}

TEST(SpecValidator, StateOfADeltaIsNotThatOfItsPages) {
  EXPECT_TRUE(validate_text(head_with_state("delta", state_of(1, 9)) + page(1) + "\n").is_strictly_valid());
}

// Which of two pages counts is not kept, and the file is not strictly valid anyway.
TEST(SheafOnlyValidator, StateIsNotCheckedWithDuplicates) {
  const auto report =
      validate_text(head_with_state("snapshot", state_of(1, 1)) + page(1) + "\n" + page(1) + "\n");
  EXPECT_EQ(count(report, Code::state_mismatch), 0U);
  EXPECT_EQ(count(report, Code::duplicate_url), 1U);
}

// Readings: --strict turns every warning, dropped block and skipped page into an invalid verdict.
TEST(SpecValidator, StrictCountsEveryFinding) {
  for (const std::string& bad : {page(1, "[]"), page(1, "[5]"), test::page_with(R"("url":"nowhere")"),
                                 test::page_with(R"("robots":["noindex"])")}) {
    const auto report = validate_text(collection_text({page(2), bad}));
    EXPECT_TRUE(report.is_valid());
    EXPECT_FALSE(report.is_strictly_valid()) << bad;
  }
}

TEST(SheafOnlyValidator, CountsAllAndKeepsABoundedNumber) {
  std::vector<std::string> pages;
  for (int i = 0; i < 500; ++i)
    pages.push_back(page(i, R"([5,{"type":"heading","level":9,"text":""},{"type":"widget"}])"));
  ValidateOptions options;
  options.findings_per_code = 7;
  for (const unsigned threads : {1U, 2U, 3U}) {
    options.threads = threads;
    const auto report = validate_text(collection_text(pages), options);
    EXPECT_EQ(report.findings.size(), 21U);
    EXPECT_EQ(count(report, Code::malformed_block), 500U);
    EXPECT_EQ(count(report, Code::heading_clamped), 500U);
    EXPECT_EQ(count(report, Code::unknown_block), 500U);
    EXPECT_EQ(count(report, Code::empty_content), 0U);
    for (std::size_t i = 1; i < report.findings.size(); ++i)
      EXPECT_LE(report.findings[i - 1].line, report.findings[i].line);
  }
  options.findings_per_code = 0;
  EXPECT_TRUE(validate_text(collection_text(pages), options).findings.empty());
}

TEST(SheafOnlyValidator, FatalEndsTheFileButKeepsWhatWasSeen) {
  const auto report = validate_text(collection_text({page(1), page(2, "[5]"), "{", page(3)}));
  EXPECT_FALSE(report.is_valid());
  EXPECT_EQ(report.fatal->code, Code::invalid_json);
  EXPECT_EQ(report.fatal->line, 4U);
  EXPECT_EQ(report.pages, 2U);
  EXPECT_TRUE(report.head);
  EXPECT_EQ(report.checksum, ChecksumVerdict::unchecked);
  EXPECT_EQ(count(report, Code::malformed_block), 1U);
  EXPECT_EQ(validate_text("").fatal->code, Code::empty_file);
  EXPECT_FALSE(validate_text("").head);
}

TEST(SheafOnlyValidator, UnreadableIsNotInvalid) {
  const auto report = validate(test::scripted(collection_text({page(1)}), {SIZE_MAX, std::nullopt, 50}), {});
  EXPECT_TRUE(report.is_unreadable());
  EXPECT_FALSE(report.is_valid());
  EXPECT_FALSE(validate_text("x").is_unreadable());
}

TEST(SheafOnlyValidator, HeadlessFilesAndProgress) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += page(i) + "\n";
  ValidateOptions options;
  EXPECT_EQ(validate_text(text, options).fatal->code, Code::missing_collection);
  options.head = HeadRule::optional;
  std::uint64_t calls = 0;
  std::uint64_t last_pages = 0;
  options.progress = [&](std::uint64_t bytes, std::uint64_t pages) {
    ++calls;
    EXPECT_GT(pages, last_pages);
    EXPECT_LE(bytes, text.size());
    last_pages = pages;
  };
  const auto report = validate_text(text, options);
  EXPECT_TRUE(report.is_strictly_valid());
  EXPECT_FALSE(report.head);
  EXPECT_EQ(report.pages, 1000U);
  EXPECT_GT(calls, 0U);
}

TEST(SheafOnlyFinding, EveryCodeHasANameAndALevel) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const auto code = static_cast<Code>(i);
    EXPECT_FALSE(to_string(code).empty());
    EXPECT_EQ(std::find(names.begin(), names.end(), to_string(code)), names.end()) << to_string(code);
    names.push_back(to_string(code));
  }
  EXPECT_EQ(level_of(Code::checksum_mismatch), Level::fatal);
  EXPECT_EQ(level_of(Code::invalid_url), Level::page);
  EXPECT_EQ(level_of(Code::noindex), Level::page);
  EXPECT_EQ(level_of(Code::malformed_block), Level::block);
  EXPECT_EQ(level_of(Code::unknown_block), Level::warning);
  EXPECT_EQ(to_string(Code::duplicate_url), "duplicate-url");
  EXPECT_EQ(to_string(Level::warning), "warning");
}

}  // namespace
}  // namespace sheaf::format
