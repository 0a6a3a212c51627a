#include "sheaf/format/collections/collection_writer.h"

#include "sheaf/format/pages/page_encoder.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

namespace sheaf::format {
namespace {

using test::read_file;
using test::read_text;
using test::TempDir;

std::vector<std::string> listing(const TempDir& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

model::CollectionHead plain_head() {
  model::CollectionHead head;
  head.id = "c1";
  head.section = "blog";
  head.set_generated(parse_time("2026-01-15T00:00:00Z")->instant);
  return head;
}

std::vector<test::DecodedPage> random_pages(std::uint64_t seed, int count) {
  test::PageGenerator generator(seed);
  std::vector<test::DecodedPage> pages;
  for (int i = 0; i < count; ++i) pages.push_back(test::decode_page(generator.page()));
  return pages;
}

base::Result<WriteSummary> write_pages(const std::vector<test::DecodedPage>& pages,
                                       std::vector<WriterTarget> targets, const WriterOptions& options = {}) {
  SHEAF_TRY_ASSIGN(auto writer, CollectionWriter::create(plain_head(), std::move(targets), options));
  for (const auto& page : pages) SHEAF_TRY(writer.add(page.page));
  return writer.finish();
}

/// A page with one valid text block, which tests make invalid.
struct SmallPage {
  std::vector<Block> blocks = {{TextBlock{"text"}, {}}};
  Page page;

  SmallPage() {
    page.url = "https://example.com/a";
    page.title = "T";
    page.description = "D";
    page.modified = "2026-01-10T12:00:00Z";
    page.modified_at = parse_time(page.modified)->instant;
    page.language = "en";
    page.content = List<Block>(blocks);
  }
};

TEST(SpecWriter, WhatIsWrittenReadsBackEqual) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TempDir folder;
    const auto pages = random_pages(seed, 120);
    const auto summary = write_pages(pages, {{folder / "a.scp.zst", Codec::zstd, {}},
                                             {folder / "a.scp.gz", Codec::gzip, {}},
                                             {folder / "a.scp", Codec::plain, {}}});
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->pages, pages.size());
    const std::string plain = read_file(folder / "a.scp");
    EXPECT_EQ(summary->plain_bytes, plain.size());
    EXPECT_EQ(listing(folder), (std::vector<std::string>{"a.scp", "a.scp.gz", "a.scp.zst"}));
    for (const WrittenFile& file : summary->files) {
      const std::string bytes = read_file(file.path);
      EXPECT_EQ(file.bytes, bytes.size());
      EXPECT_EQ(file.level, default_level(file.codec));
      const auto reading = read_text(bytes);
      EXPECT_EQ(reading.fatal, "");
      EXPECT_EQ(reading.checksum, ChecksumVerdict::verified);
      EXPECT_EQ(reading.statistics.codec, file.codec);
      EXPECT_EQ(reading.head, summary->head);
      ASSERT_EQ(reading.encoded.size(), pages.size());
      for (std::size_t i = 0; i < pages.size(); ++i) {
        std::string encoded;
        encode_page(pages[i].page, encoded);
        EXPECT_EQ(reading.encoded[i], encoded);
        EXPECT_EQ(test::decode_page(reading.raw[i]).page, pages[i].page);
      }
    }
  }
}

// Readings, "What we write": the same pages and options give the same bytes.
TEST(SpecWriter, BytesAreDeterministic) {
  const TempDir folder;
  const auto pages = random_pages(9, 200);
  std::vector<std::string> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    WriterOptions options;
    options.threads = threads;
    ASSERT_TRUE(write_pages(pages,
                            {{folder / "a.scp.zst", Codec::zstd, {}},
                             {folder / "a.scp.gz", Codec::gzip, {}},
                             {folder / "a.scp", Codec::plain, {}}},
                            options));
    const std::vector<std::string> files = {read_file(folder / "a.scp.zst"), read_file(folder / "a.scp.gz"),
                                            read_file(folder / "a.scp")};
    if (first.empty()) first = files;
    EXPECT_EQ(files, first);
  }
}

// Readings, "What we write": one JSON object per line, compact, LF after every line the last included.
TEST(SpecWriter, PlainFormOfAFile) {
  const TempDir folder;
  const SmallPage small;
  auto writer = CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, {}).value();
  ASSERT_TRUE(writer.add(small.page));
  ASSERT_TRUE(writer.finish());
  StateDigest state;
  state.add(small.page.url, small.page.modified);
  const std::string head_start =
      R"({"collection":{"id":"c1","section":"blog","type":"snapshot","generated":"2026-01-15T00:00:00Z","version":"0.1","state":")" +
      state.to_string() + "\"";
  const std::string body =
      "\n{\"url\":\"https://example.com/"
      "a\",\"title\":\"T\",\"description\":\"D\",\"modified\":\"2026-01-10T12:00:00Z\",\"language\":\"en\","
      "\"content\":[{\"type\":\"text\",\"text\":\"text\"}]}\n";
  EXPECT_EQ(read_file(folder / "a.scp"), head_start + R"(,"checksum":"sha256:)" +
                                             test::sha256_hex(head_start + "}}" + body) + R"("}})" + body);
}

// Readings, "State digest": the sum modulo 2^256 of SHA-256(url LF modified) over all pages.
TEST(SpecWriter, SnapshotsCarryTheStateOfTheirPages) {
  const TempDir folder;
  const auto pages = random_pages(3, 50);
  const auto summary = write_pages(pages, {{folder / "a.scp", Codec::plain, {}}}).value();
  StateDigest naive;
  for (const auto& page : pages) naive.add(page.page.url, page.page.modified);
  EXPECT_EQ(summary.head.state, naive.to_string());
}

TEST(SheafOnlyWriter, HeadCanBeChangedUntilFinish) {
  const TempDir folder;
  auto head = plain_head();
  head.type = model::CollectionType::delta;
  head.set_since({0, 0});
  auto writer = CollectionWriter::create(head, {{folder / "a.scp", Codec::plain, {}}}, {}).value();
  writer.head().removed = {"https://example.com/gone"};
  writer.head().extra = {{"x", "1"}};
  const auto summary = writer.finish().value();
  EXPECT_FALSE(summary.head.state);  // of a delta only its maker knows
  const auto reading = read_text(read_file(folder / "a.scp"));
  EXPECT_EQ(reading.head, summary.head);
  EXPECT_EQ(reading.head->removed.size(), 1U);
  EXPECT_EQ(reading.checksum, ChecksumVerdict::verified);
}

// Readings, "Limits": a publisher never writes what a reader would reject.
TEST(SpecWriter, RefusesPagesAReaderWouldNotTake) {
  const TempDir folder;
  WriterOptions options;
  options.limits.blocks = 3;
  options.limits.page_bytes = 2000;
  auto writer =
      CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, options).value();
  const std::string long_text(3000, 'x');
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  const std::vector<Text> noindex = {"noindex"};
  const std::vector<Member> deep_member = {{"x", deep}};
  const std::vector<Member> repeated = {{"title", "\"again\""}};
  const std::vector<Member> broken = {{"x", "[1"}};
  using Spoil = std::function<void(SmallPage&)>;
  const std::vector<std::pair<std::string_view, Spoil>> spoils = {
      {"bad url", [](SmallPage& p) { p.page.url = "ftp://example.com/"; }},
      {"bad time", [](SmallPage& p) { p.page.modified = "now"; }},
      {"too long", [&](SmallPage& p) { p.page.title = long_text; }},
      {"too many blocks",
       [](SmallPage& p) {
         p.blocks.assign(4, {TextBlock{"x"}, {}});
         p.page.content = List<Block>(p.blocks);
       }},
      {"too deep", [&](SmallPage& p) { p.page.extra = Members(deep_member); }},
      {"noindex", [&](SmallPage& p) { p.page.robots = List<Text>(noindex); }},
      {"unsafe link", [](SmallPage& p) { p.blocks[0].kind = LinkBlock{"javascript:x", "x", {}}; }},
      {"not UTF-8", [](SmallPage& p) { p.page.title = "\xff"; }},
      {"broken JSON", [&](SmallPage& p) { p.page.extra = Members(broken); }},
      {"schema is not an object", [](SmallPage& p) { p.page.schema = "5"; }},
      {"a line feed in raw JSON", [](SmallPage& p) { p.page.schema = "{\n}"; }},
      {"bad published", [](SmallPage& p) { p.page.published = "then"; }},
      {"bad canonical", [](SmallPage& p) { p.page.canonical = "/"; }},
      {"heading level", [](SmallPage& p) { p.blocks[0].kind = HeadingBlock{7, "x"}; }},
      {"unknown block that is none", [](SmallPage& p) { p.blocks[0].kind = UnknownBlock{"x", "5"}; }},
      {"a field twice", [&](SmallPage& p) { p.page.extra = Members(repeated); }},
  };
  for (const auto& [what, spoil] : spoils) {
    SmallPage small;
    spoil(small);
    const auto added = writer.add(small.page);
    ASSERT_FALSE(added) << what;
    EXPECT_EQ(added.error().code, base::Errc::refused) << what;
  }
  // The writer continues, and no refused page is in the file.
  const SmallPage small;
  ASSERT_TRUE(writer.add(small.page));
  EXPECT_EQ(writer.finish()->pages, 1U);
  const auto reading = read_text(read_file(folder / "a.scp"));
  EXPECT_EQ(reading.fatal, "");
  EXPECT_EQ(reading.findings, std::vector<std::string>());
  EXPECT_EQ(reading.raw.size(), 1U);
}

TEST(SheafOnlyWriter, KeepsWhatOnlyWarns) {
  const TempDir folder;
  auto writer = CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, {}).value();
  SmallPage small;
  small.page.language = "English";
  small.page.modified = "2026-01-10T12:00:00";
  small.blocks[0].kind = UnknownBlock{"widget", R"({"type":"widget"})"};
  EXPECT_TRUE(writer.add(small.page));
  small.page.content = {};
  EXPECT_TRUE(writer.add(small.page));
  EXPECT_TRUE(writer.finish());
}

// Readings, "What we write": a strict writer refuses what only warns elsewhere.
TEST(SpecWriter, AStrictOneRefusesWhatAStrictReaderRejects) {
  const TempDir folder;
  const std::vector<std::pair<std::string_view, std::function<void(SmallPage&)>>> spoils = {
      {"language", [](SmallPage& p) { p.page.language = "en_US"; }},
      {"naive time", [](SmallPage& p) { p.page.published = "2026-01-10T12:00:00"; }},
      {"empty", [](SmallPage& p) { p.page.content = {}; }},
      {"unknown block",
       [](SmallPage& p) {
         p.blocks.assign(1, {UnknownBlock{"widget", R"({"type":"widget"})"}, {}});
         p.page.content = List<Block>(p.blocks);
       }},
      {"unsafe URL", [](SmallPage& p) { p.page.schema = R"({"url":"javascript:x"})"; }},
  };
  for (const bool strict : {false, true}) {
    WriterOptions options;
    options.strict = strict;
    auto writer =
        CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, options).value();
    for (const auto& [what, spoil] : spoils) {
      SmallPage page;
      spoil(page);
      EXPECT_EQ(writer.add(page.page).has_value(), !strict) << what;
    }
    auto head = plain_head();
    head.extra = {{"x", R"("javascript:x")"}};
    EXPECT_EQ(CollectionWriter::create(head, {{folder / "a.scp", Codec::plain, {}}}, options).has_value(),
              !strict);
  }
}

TEST(SpecWriter, RefusesHeadsAReaderWouldNotTake) {
  const TempDir folder;
  using Spoil = std::function<void(model::CollectionHead&)>;
  const std::vector<std::pair<std::string_view, Spoil>> spoils = {
      {"id", [](auto& head) { head.id = "a b"; }},
      {"section", [](auto& head) { head.section = ""; }},
      {"generated", [](auto& head) { head.generated = "now"; }},
      {"since", [](auto& head) { head.type = model::CollectionType::delta; }},
      {"version", [](auto& head) { head.version = "1.0"; }},
      {"removed", [](auto& head) { head.removed = {"javascript:x"}; }},
      {"state", [](auto& head) { head.state = "sum256:"; }},
      {"extra", [](auto& head) { head.extra = {{"x", "{"}}; }},
      {"repeated", [](auto& head) { head.extra = {{"id", "\"x\""}}; }},
      {"line feed", [](auto& head) { head.extra = {{"x", "[\n]"}}; }},
  };
  for (const auto& [what, spoil] : spoils) {
    auto head = plain_head();
    spoil(head);
    const auto at_start = CollectionWriter::create(head, {{folder / "a.scp", Codec::plain, {}}}, {});
    ASSERT_FALSE(at_start) << what;
    EXPECT_EQ(at_start.error().code, base::Errc::refused) << what;
    auto writer = CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, {}).value();
    spoil(writer.head());
    EXPECT_FALSE(writer.finish()) << what;
  }
  WriterOptions options;
  options.limits.page_bytes = 300;
  auto head = plain_head();
  for (int i = 0; i < 20; ++i) head.removed.push_back("https://example.com/" + std::to_string(i));
  EXPECT_FALSE(CollectionWriter::create(head, {{folder / "a.scp", Codec::plain, {}}}, options));
  EXPECT_EQ(listing(folder), std::vector<std::string>());
}

// The checksum makes the line longer than the one that was checked.
TEST(SheafOnlyWriter, TheHeadWithItsChecksumFitsTheLimit) {
  for (std::uint64_t limit = 150; limit < 450; ++limit) {
    const TempDir folder;
    WriterOptions options;
    options.limits.page_bytes = limit;
    auto writer = CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, options);
    if (!writer || !writer->finish()) continue;
    ReaderOptions reader_options;
    reader_options.limits = options.limits;
    ASSERT_EQ(read_text(read_file(folder / "a.scp"), reader_options).fatal, "") << limit;
  }
}

TEST(SheafOnlyWriter, NothingIsLeftBehindOnFailure) {
  const TempDir folder;
  folder.write("a.scp", "old");
  const auto pages = random_pages(4, 20);
  WriterOptions small;
  small.limits.decompressed_bytes = 1000;
  const std::vector<WriterTarget> targets = {{folder / "a.scp", Codec::plain, {}},
                                             {folder / "b.scp.zst", Codec::zstd, {}}};
  EXPECT_EQ(write_pages(pages, targets, small).error().code, base::Errc::refused);
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
  small = {};
  small.limits.compressed_bytes = 1000;
  EXPECT_EQ(write_pages(pages, targets, small).error().code, base::Errc::refused);
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
  EXPECT_EQ(
      write_pages(pages, {{folder / "a.scp", Codec::plain, {}}, {folder / "missing/b.scp", Codec::plain, {}}})
          .error()
          .code,
      base::Errc::not_found);
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
  {
    auto abandoned = CollectionWriter::create(plain_head(), targets, {}).value();
  }
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
  EXPECT_EQ(read_file(folder / "a.scp"), "old");
  EXPECT_EQ(CollectionWriter::create(plain_head(), {}, {}).error().code, base::Errc::invalid_argument);
  EXPECT_EQ(CollectionWriter::create(plain_head(), {{folder.path(), Codec::plain, {}}}, {}).error().code,
            base::Errc::is_a_directory);
}

TEST(SheafOnlyWriter, ReplacesAnExistingFileAtOnce) {
  const TempDir folder;
  folder.write("a.scp", "old");
  auto writer = CollectionWriter::create(plain_head(), {{folder / "a.scp", Codec::plain, {}}}, {}).value();
  const SmallPage small;
  ASSERT_TRUE(writer.add(small.page));
  EXPECT_EQ(read_file(folder / "a.scp"), "old");
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(read_text(read_file(folder / "a.scp")).checksum, ChecksumVerdict::verified);
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
}

TEST(SheafOnlyWriter, RightsFollowTheUmask) {
  const TempDir folder;
  const mode_t before = umask(027);
  const auto summary = write_pages({}, {{folder / "a.scp", Codec::plain, {}}});
  umask(before);
  ASSERT_TRUE(summary);
  struct stat status{};
  ASSERT_EQ(stat((folder / "a.scp").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

/// Pages so alike that they compress far better than 100:1.
base::Result<WriteSummary> write_alike(const TempDir& folder, Codec codec, std::optional<int> level,
                                       const Limits& limits, const std::string& title) {
  WriterOptions options;
  options.limits = limits;
  const auto path = folder / "a.scp";
  SHEAF_TRY_ASSIGN(auto writer, CollectionWriter::create(plain_head(), {{path, codec, level}}, options));
  SmallPage small;
  small.page.title = title;
  for (int i = 0; i < 40; ++i) SHEAF_TRY(writer.add(small.page));
  return writer.finish();
}

// Readings, "Limits": a file that compresses better than 100:1 is an error that says what to do, or is
// written with a weaker setting.
TEST(SpecWriter, NeverWritesABomb) {
  const TempDir folder;
  const std::string title(50'000, 'x');
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    const auto summary = write_alike(folder, codec, {}, {}, title);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_LT(summary->files[0].level, default_level(codec));
    EXPECT_EQ(read_text(read_file(folder / "a.scp")).fatal, "");
    std::filesystem::remove(folder / "a.scp");
  }
  // Even zstd's weakest level finds the repetition, so the file is stored.
  EXPECT_EQ(write_alike(folder, Codec::gzip, {}, {}, title)->files[0].level, kGzipStored);
  EXPECT_EQ(write_alike(folder, Codec::zstd, {}, {}, title)->files[0].level, kZstdStored);
  EXPECT_EQ(read_text(read_file(folder / "a.scp")).fatal, "");
  const auto plain = write_alike(folder, Codec::plain, {}, {}, title);
  ASSERT_TRUE(plain);
  EXPECT_EQ(read_text(read_file(folder / "a.scp")).fatal, "");
}

TEST(SheafOnlyWriter, TriesAWeakerLevelFirst) {
  const TempDir folder;
  // Compresses a little better at the level asked for than at a weaker one; the limit stands between the two.
  std::string title;
  for (int i = 0; i < 3000; ++i) title += std::to_string(i * i % 977) + " ";
  const auto strong = write_alike(folder, Codec::gzip, 9, {}, title).value();
  const auto weak = write_alike(folder, Codec::gzip, 1, {}, title).value();
  ASSERT_LT(strong.files[0].bytes, weak.files[0].bytes);
  Limits limits;
  limits.ratio_from = 1;
  limits.ratio = static_cast<std::uint32_t>(weak.plain_bytes / weak.files[0].bytes + 1);
  ASSERT_TRUE(exceeds_ratio(strong.plain_bytes, strong.files[0].bytes, limits));
  const auto written = write_alike(folder, Codec::gzip, 9, limits, title).value();
  EXPECT_EQ(written.files[0].level, 1);
  EXPECT_EQ(written.files[0].bytes, weak.files[0].bytes);
}

TEST(SheafOnlyWriter, LargeBodiesGoThroughTheSpool) {
  const TempDir folder;
  const TempDir spool;
  WriterOptions options;
  options.spool_folder = spool.path();
  auto writer =
      CollectionWriter::create(plain_head(), {{folder / "a.scp.zst", Codec::zstd, 1}}, options).value();
  SmallPage small;
  std::vector<std::string> urls;
  for (int i = 0; i < 60; ++i) {
    const std::string url = "https://example.com/" + std::to_string(i);
    std::string title;
    for (int j = 0; j < 5000; ++j) title += std::to_string((i * 7919 + j * 104729) % 999983);
    small.page.url = url;
    small.page.title = title;
    ASSERT_TRUE(writer.add(small.page));
    urls.push_back(url);
  }
  ASSERT_TRUE(writer.finish());
  EXPECT_TRUE(listing(spool).empty());
  const auto reading = read_text(read_file(folder / "a.scp.zst"));
  EXPECT_EQ(reading.urls, urls);
  EXPECT_EQ(reading.checksum, ChecksumVerdict::verified);
}

}  // namespace
}  // namespace sheaf::format
