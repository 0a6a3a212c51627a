// Collections through the public headers, as a user writes it.
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <sheaf/delta.h>
#include <sheaf/markdown.h>
#include <sheaf/reader.h>
#include <sheaf/validate.h>
#include <sheaf/writer.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace {

using sheaf::test::TempDir;

const std::string kExamples = std::string(SHEAF_SOURCE_DIR) + "/examples/";

sheaf::CollectionHead notes_head(std::string_view time) {
  sheaf::CollectionHead head;
  head.id = "notes-1";
  head.section = "notes";
  head.set_generated(sheaf::parse_time(time)->instant);
  return head;
}

sheaf::Page note(std::string_view url, std::string_view modified, std::span<const sheaf::Block> content) {
  sheaf::Page page;
  page.url = url;
  page.title = page.description = "A note";
  page.modified = modified;
  page.language = "en";
  page.content = content;
  return page;
}

TEST(PublicReader, GivesEveryPageAndThenNull) {
  auto reader = sheaf::Reader::open(kExamples + "monday.scp");
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->head().section, "all");
  std::vector<std::string> urls;
  while (true) {
    const auto page = reader->next();
    ASSERT_TRUE(page) << page.error().message;
    if (*page == nullptr) break;
    urls.emplace_back((*page)->url);
    EXPECT_TRUE(reader->json().starts_with("{\"url\":"));
    EXPECT_EQ(reader->line_number(), urls.size() + 1);
  }
  ASSERT_EQ(urls.size(), 6U);
  EXPECT_EQ(urls.back(), "https://shop.example/old-catalogue");
  EXPECT_EQ(reader->checksum(), sheaf::ChecksumVerdict::absent);
  EXPECT_EQ(reader->statistics().pages, 6U);
}

TEST(PublicReader, ErrorNamesFileAndLineAndIsFinal) {
  const std::string bytes = sheaf::test::read_file(kExamples + "monday.scp") + "{\"url\":\n";
  std::vector<sheaf::Finding> findings;
  auto reader = sheaf::Reader::open_bytes(
      bytes, {}, [&](const sheaf::Finding& finding) { findings.push_back(finding); });
  ASSERT_TRUE(reader);
  sheaf::Result<const sheaf::Page*> page = nullptr;
  do page = reader->next();
  while (page && *page != nullptr);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, sheaf::Errc::invalid_data);
  EXPECT_NE(page.error().message.find("8"), std::string::npos) << page.error().message;
  EXPECT_FALSE(reader->next());
  ASSERT_EQ(findings.size(), 1U) << "the fatal finding, once";
  EXPECT_EQ(findings[0].code, sheaf::FindingCode::invalid_json);
}

TEST(PublicReader, MissingFileIsNotFound) {
  const auto reader = sheaf::Reader::open("/no/such/file.scp");
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, sheaf::Errc::not_found);
}

TEST(PublicReader, ReadsAStream) {
  const std::string bytes = sheaf::test::read_file(kExamples + "monday.scp");
  std::size_t at = 0;
  auto reader = sheaf::Reader::open_stream(
      [&](std::span<char> out) -> sheaf::Result<std::size_t> {
        const std::size_t count = std::min({out.size(), bytes.size() - at, std::size_t{1000}});
        std::memcpy(out.data(), bytes.data() + at, count);
        at += count;
        return count;
      },
      "download");
  ASSERT_TRUE(reader) << reader.error().message;
  int pages = 0;
  while (reader->next().value() != nullptr) ++pages;
  EXPECT_EQ(pages, 6);
}

TEST(PublicWriter, WhatIsWrittenIsReadBack) {
  const TempDir folder;
  const sheaf::Block blocks[] = {{sheaf::HeadingBlock{1, "A note"}, {}}, {sheaf::TextBlock{"Its text."}, {}}};
  const sheaf::Page page = note("https://shop.example/a", "2026-03-01T08:00:00Z", blocks);
  auto writer = sheaf::Writer::create(notes_head("2026-03-02T00:00:00Z"), folder / "notes.scp.zst");
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE(writer->add(page));
  EXPECT_FALSE(std::filesystem::exists(folder / "notes.scp.zst")) << "a file appears whole or not at all";
  const auto written = writer->finish();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->pages, 1U);
  EXPECT_TRUE(written->head.checksum);

  auto reader = sheaf::Reader::open(folder / "notes.scp.zst");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto read = reader->next();
  ASSERT_TRUE(read && *read != nullptr);
  EXPECT_EQ((*read)->url, page.url);
  EXPECT_EQ((*read)->content, page.content);
  EXPECT_EQ(reader->json(), sheaf::page_json(page));
  EXPECT_EQ(reader->next().value(), nullptr);
  EXPECT_EQ(reader->checksum(), sheaf::ChecksumVerdict::verified);
}

TEST(PublicWriter, RefusedPageLeavesTheWriterUsable) {
  const TempDir folder;
  const sheaf::Block blocks[] = {{sheaf::TextBlock{"Its text."}, {}}};
  auto writer = sheaf::Writer::create(notes_head("2026-03-02T00:00:00Z"), folder / "notes.scp");
  ASSERT_TRUE(writer);
  const auto refused = writer->add(note("ftp://shop.example/a", "2026-03-01T08:00:00Z", blocks));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sheaf::Errc::refused);
  EXPECT_TRUE(writer->add(note("https://shop.example/a", "2026-03-01T08:00:00Z", blocks)));
  EXPECT_EQ(writer->finish()->pages, 1U);
}

TEST(PublicWriter, NameWithoutCodecIsInvalid) {
  const auto writer = sheaf::Writer::create(notes_head("2026-03-02T00:00:00Z"), "notes.txt");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, sheaf::Errc::invalid_argument);
}

TEST(PublicParser, PageFromItsJson) {
  const sheaf::Block blocks[] = {{sheaf::TextBlock{"Its text."}, {}}};
  const std::string json = sheaf::page_json(note("https://shop.example/a", "2026-03-01T08:00:00Z", blocks));
  sheaf::PageParser parser;
  const auto page = parser.parse(json);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(sheaf::page_json(**page), json);
  EXPECT_EQ(sheaf::page_markdown(**page), "# A note\n\nIts text.\n");
  const auto wrong = parser.parse("{}");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, sheaf::Errc::invalid_data);
}

TEST(PublicPage, CopyOutlivesItsReader) {
  sheaf::Arena arena;
  sheaf::Page kept;
  {
    auto reader = sheaf::Reader::open(kExamples + "monday.scp");
    ASSERT_TRUE(reader);
    kept = copy(**reader->next(), arena);
  }
  EXPECT_EQ(kept.url, "https://shop.example/");
  EXPECT_EQ(sheaf::type_name(kept.content[0]), "heading");
}

TEST(PublicValidate, ValidFileAndBrokenFile) {
  const auto valid = sheaf::validate(kExamples + "monday.scp");
  ASSERT_TRUE(valid);
  EXPECT_TRUE(valid->is_valid());
  EXPECT_EQ(valid->pages, 6U);

  const TempDir folder;
  const auto broken = sheaf::validate(folder.write("broken.scp", "{\"collection\":"));
  ASSERT_TRUE(broken) << "a broken file has a report";
  EXPECT_FALSE(broken->is_valid());
  EXPECT_EQ(broken->fatal->code, sheaf::FindingCode::invalid_json);

  const auto missing = sheaf::validate(folder / "missing.scp");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, sheaf::Errc::not_found);
}

TEST(PublicDelta, DiffAndMergeGiveTheNewerSnapshot) {
  const TempDir folder;
  const auto diff = sheaf::diff_collections(kExamples + "monday.scp", kExamples + "tuesday.scp",
                                            {{folder / "delta.scp.gz", sheaf::Codec::gzip, {}}});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_EQ(diff->added, 1U);
  EXPECT_EQ(diff->removed, 1U);
  const auto merged = sheaf::merge_collections(kExamples + "monday.scp", {folder / "delta.scp.gz"},
                                               {{folder / "merged.scp", sheaf::Codec::plain, {}}});
  ASSERT_TRUE(merged) << merged.error().message;
  const auto converted = sheaf::convert_collection(kExamples + "tuesday.scp",
                                                   {{folder / "tuesday.scp", sheaf::Codec::plain, {}}});
  ASSERT_TRUE(converted) << converted.error().message;
  EXPECT_EQ(merged->written.head.state, converted->written.head.state);
}

TEST(PublicDelta, InputsInTheWrongOrderAreInvalid) {
  const TempDir folder;
  const auto diff = sheaf::diff_collections(kExamples + "tuesday.scp", kExamples + "monday.scp",
                                            {{folder / "delta.scp", sheaf::Codec::plain, {}}});
  ASSERT_FALSE(diff);
  EXPECT_EQ(diff.error().code, sheaf::Errc::invalid_data);
  EXPECT_FALSE(std::filesystem::exists(folder / "delta.scp"));
}

}  // namespace
