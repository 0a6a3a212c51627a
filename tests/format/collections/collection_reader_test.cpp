#include "sheaf/format/collections/collection_reader.h"

#include "sheaf/format/codecs/codec.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"
#include "support/sources.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <array>

namespace sheaf::format {
namespace {

using test::collection_text;
using test::compress;
using test::HeadText;
using test::PageText;
using test::read_text;
using test::Reading;
using test::scripted;
using test::with_checksum;

using Codes = std::vector<std::string>;

constexpr std::size_t kChunk = 256 * 1024;

std::string page(int number, std::size_t padding = 0) {
  PageText text;
  text.url = "https://example.com/" + std::to_string(number);
  text.title = std::string(padding, 'x');
  return text.str();
}

void expect_same(const Reading& a, const Reading& b, const std::string& what) {
  EXPECT_EQ(a.head, b.head) << what;
  EXPECT_EQ(a.raw, b.raw) << what;
  EXPECT_EQ(a.encoded, b.encoded) << what;
  EXPECT_EQ(a.lines, b.lines) << what;
  EXPECT_EQ(a.offsets, b.offsets) << what;
  EXPECT_EQ(a.findings, b.findings) << what;
  EXPECT_EQ(a.fatal, b.fatal) << what;
  EXPECT_EQ(a.checksum, b.checksum) << what;
  EXPECT_EQ(a.statistics.pages, b.statistics.pages) << what;
  EXPECT_EQ(a.statistics.skipped, b.statistics.skipped) << what;
  EXPECT_EQ(a.statistics.plain_bytes, b.statistics.plain_bytes) << what;
  EXPECT_EQ(a.statistics.longest_line, b.statistics.longest_line) << what;
  EXPECT_EQ(a.statistics.codec, b.statistics.codec) << what;
}

ReaderOptions with_threads(unsigned threads) {
  ReaderOptions options;
  options.threads = threads;
  return options;
}

TEST(SpecReader, ReadsHeadThenPages) {
  const std::string text = collection_text({page(1), page(2)});
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, text);
    const Reading reading = read_text(packed);
    EXPECT_EQ(reading.fatal, "");
    EXPECT_EQ(reading.head->section, "blog");
    EXPECT_EQ(reading.raw, (Codes{page(1), page(2)}));
    EXPECT_EQ(reading.lines, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(reading.checksum, ChecksumVerdict::absent);
    EXPECT_EQ(reading.statistics.codec, codec);
    EXPECT_EQ(reading.statistics.compressed_bytes, packed.size());
    EXPECT_EQ(reading.statistics.plain_bytes, text.size());
    EXPECT_EQ(reading.statistics.longest_line, page(1).size());
  }
}

// Readings, table: empty-file, no line at all.
TEST(SpecReader, EmptyFiles) {
  for (const std::string_view text : {"", "\n", " \n\t\r\n"})
    EXPECT_EQ(read_text(text).fatal_code(), "empty-file");
  for (const Codec codec : {Codec::gzip, Codec::zstd})
    EXPECT_EQ(read_text(compress(codec, "")).fatal_code(), "empty-file");
  EXPECT_EQ(read_text("\xef\xbb\xbf").fatal_code(), "empty-file");
}

// Readings, "Lines": a first line without a collection object is fatal (missing-collection).
TEST(SpecReader, FirstLineMustBeTheHead) {
  EXPECT_EQ(read_text(page(1) + "\n").fatal_code(), "missing-collection");
  EXPECT_EQ(read_text("{}\n").fatal_code(), "missing-collection");
  EXPECT_NE(read_text(page(1) + "\n").fatal.find("draft 1"), std::string::npos);
  EXPECT_EQ(read_text("{}\n").fatal.find("draft 1"), std::string::npos);
  EXPECT_EQ(read_text("[]\n").fatal_code(), "not-an-object");
  EXPECT_EQ(read_text("nonsense").fatal_code(), "invalid-json");
}

// Readings, "Lines": --allow-headerless reads the headerless files of draft 1.
TEST(SpecReader, HeaderlessFilesAreReadWhenAllowed) {
  ReaderOptions options;
  options.head = HeadRule::optional;
  for (const unsigned threads : {1U, 2U, 3U}) {
    options.threads = threads;
    const Reading reading = read_text(page(1) + "\n" + page(2) + "\n", options);
    EXPECT_EQ(reading.fatal, "");
    EXPECT_FALSE(reading.head);
    EXPECT_EQ(reading.raw, (Codes{page(1), page(2)}));
    EXPECT_EQ(reading.lines, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(reading.checksum, ChecksumVerdict::absent);
  }
  EXPECT_TRUE(read_text(collection_text({page(1)}), options).head);
  EXPECT_EQ(read_text("{}\n", options).fatal_code(), "missing-field");
  EXPECT_EQ(read_text("\xef\xbb\xbf\n" + page(1), options).codes(), (Codes{"bom", "blank-line"}));
}

// Readings, "Lines": LF ends a line; CR before it is white space to JSON and passes. The last line may lack
// its LF.
TEST(SpecLines, LineEndings) {
  const std::string text = HeadText().str() + "\r\n" + page(1) + "\r\n" + page(2);
  const Reading reading = read_text(text);
  EXPECT_EQ(reading.codes(), Codes());
  EXPECT_EQ(reading.raw, (Codes{page(1) + "\r", page(2)}));
  EXPECT_EQ(reading.offsets[1], text.size() - page(2).size());
  EXPECT_EQ(reading.statistics.plain_bytes, text.size());
}

// Readings, "Lines": a blank line is skipped; inside the file with a warning (blank-line), at its end
// silently.
TEST(SpecLines, BlankLines) {
  const std::string head = HeadText().str() + "\n";
  const std::string line = page(1) + "\n";
  EXPECT_EQ(read_text(head + line + "\n \t\r\n\n").codes(), Codes());
  EXPECT_EQ(read_text(head + line + "  ").codes(), Codes());
  const Reading inside = read_text(head + "\n" + line + " \n\t\n\r\n" + line);
  EXPECT_EQ(inside.codes(), (Codes{"blank-line", "blank-line"}));
  EXPECT_EQ(inside.all[0].line, 2U);
  EXPECT_EQ(inside.all[0].offset, head.size());
  EXPECT_EQ(inside.all[1].line, 4U);
  EXPECT_EQ(inside.all[1].offset, head.size() + 1 + line.size());
  EXPECT_NE(inside.all[1].message.find("3 blank lines"), std::string::npos);
  EXPECT_EQ(inside.lines, (std::vector<std::uint64_t>{3, 7}));
  const Reading before = read_text("\n\n" + head + line);
  EXPECT_EQ(before.codes(), Codes{"blank-line"});
  EXPECT_EQ(before.all[0].line, 1U);
  EXPECT_EQ(before.lines, std::vector<std::uint64_t>{4});
  EXPECT_EQ(read_text(head + "\n\n").codes(), Codes());
}

// Readings, "Lines": a byte-order mark at the start is skipped with a warning (bom).
TEST(SpecLines, ByteOrderMark) {
  const std::string text = "\xef\xbb\xbf" + collection_text({page(1)});
  const Reading reading = read_text(text);
  EXPECT_EQ(reading.codes(), Codes{"bom"});
  EXPECT_EQ(reading.all[0].line, 1U);
  EXPECT_EQ(reading.offsets[0], text.find(page(1)));
  EXPECT_EQ(read_text(HeadText().str() + "\n\xef\xbb\xbf" + page(1)).fatal_code(), "invalid-json");
  const Reading bad = read_text("\xef\xbb\xbf{x");
  EXPECT_EQ(bad.fatal_code(), "invalid-json");
  EXPECT_EQ(bad.failure->offset, 4U);
}

TEST(SpecLines, FindingsSayWhereTheyAre) {
  const std::string head = HeadText().str() + "\n";
  const std::string bad = "{\"url\":\"https://e.com/\",\"x\":tru}";
  const Reading reading = read_text(head + page(1) + "\n\n" + bad + "\n");
  EXPECT_EQ(reading.fatal_code(), "invalid-json");
  EXPECT_EQ(reading.failure->line, 4U);
  EXPECT_EQ(reading.failure->offset, head.size() + page(1).size() + 2 + bad.find("tru"));
  PageText clamped;
  clamped.content = R"([{"type":"heading","level":9,"text":""}])";
  const Reading warned = read_text(head + page(1) + "\n" + clamped.str());
  EXPECT_EQ(warned.codes(), Codes{"heading-clamped"});
  EXPECT_EQ(warned.all[0].line, 3U);
  EXPECT_EQ(warned.all[0].offset, head.size() + page(1).size() + 1);
  EXPECT_EQ(warned.all[0].url, "https://example.com/a");
  EXPECT_FALSE(warned.all[0].message.empty());
}

// Lines that end at, just before and just after the edge of a chunk, and lines over several chunks.
TEST(SheafOnlyLines, CrossChunkBoundaries) {
  const std::string head = HeadText().str() + "\n";
  const std::size_t frame = page(1).size() + 1;  // with its line feed
  for (int shift = -3; shift <= 3; ++shift) {
    const std::size_t padding =
        static_cast<std::size_t>(static_cast<int>(kChunk - head.size() - frame) + shift);
    const std::string text = head + page(1, padding) + "\n" + page(2) + "\n" + page(3, 3 * kChunk + 5) +
                             "\n\n" + page(4, kChunk) + "\n" + page(5);
    for (const unsigned threads : {1U, 2U, 3U}) {
      const Reading reading = read_text(text, with_threads(threads));
      EXPECT_EQ(reading.fatal, "");
      EXPECT_EQ(reading.raw,
                (Codes{page(1, padding), page(2), page(3, 3 * kChunk + 5), page(4, kChunk), page(5)}))
          << shift;
      EXPECT_EQ(reading.lines, (std::vector<std::uint64_t>{2, 3, 4, 6, 7}));
      for (std::size_t i = 0; i < reading.raw.size(); ++i)
        EXPECT_EQ(text.substr(reading.offsets[i], reading.raw[i].size()), reading.raw[i])
            << shift << " page " << i;
      EXPECT_EQ(reading.codes(), Codes{"blank-line"});
      EXPECT_EQ(reading.statistics.plain_bytes, text.size());
    }
  }
}

// A blank last line that ends exactly with a chunk, and a file that does.
TEST(SheafOnlyLines, FilesThatEndWithAChunk) {
  const std::string head = HeadText().str() + "\n";
  const std::size_t padding = kChunk - head.size() - page(1).size() - 1;
  const std::string exact = head + page(1, padding) + "\n";
  ASSERT_EQ(exact.size(), kChunk);
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(read_text(exact, with_threads(threads)).lines, std::vector<std::uint64_t>{2});
    EXPECT_EQ(read_text(exact.substr(0, exact.size() - 1), with_threads(threads)).lines,
              std::vector<std::uint64_t>{2});
    EXPECT_EQ(read_text(exact + "\n", with_threads(threads)).codes(), Codes());
    EXPECT_EQ(read_text(exact + page(2), with_threads(threads)).lines, (std::vector<std::uint64_t>{2, 3}));
  }
}

// Readings, table: page-too-large, the line is over 100 MiB (here less); it is passed over.
TEST(SpecLines, LinesOverTheLimitArePassedOver) {
  const std::string head = HeadText().str() + "\n";
  ReaderOptions options;
  for (const std::size_t limit : {std::size_t{1000}, kChunk, 2 * kChunk + 17}) {
    options.limits.page_bytes = limit;
    const std::size_t frame = page(1).size();
    const std::string at_limit = page(1, limit - frame);
    const std::string over = page(2, limit - frame + 1);
    ASSERT_EQ(at_limit.size(), limit);
    const std::string text = head + at_limit + "\n" + over + "\n" + page(3) + "\n" + page(4, 5 * limit) +
                             "\n" + page(5, 7) + "\n" + over;
    for (const unsigned threads : {1U, 2U, 3U}) {
      options.threads = threads;
      const Reading reading = read_text(text, options);
      EXPECT_EQ(reading.fatal, "");
      EXPECT_EQ(reading.raw, (Codes{at_limit, page(3), page(5, 7)}));
      EXPECT_EQ(reading.lines, (std::vector<std::uint64_t>{2, 4, 6}));
      EXPECT_EQ(reading.codes(), (Codes{"page-too-large", "page-too-large", "page-too-large"}));
      EXPECT_EQ(reading.all[0].line, 3U);
      EXPECT_EQ(reading.all[0].offset, head.size() + limit + 1);
      EXPECT_EQ(reading.all[2].line, 7U);
      EXPECT_EQ(reading.statistics.skipped, 3U);
    }
  }
  options.limits.page_bytes = 10;
  EXPECT_EQ(read_text(head, options).fatal_code(), "invalid-collection");
}

// Readings, "Checksum": over the uncompressed file with the checksum member cut out of line 1.
TEST(SpecChecksum, VerifiesAndFails) {
  const std::string text = with_checksum(collection_text({page(1), page(2, 2 * kChunk), page(3)}));
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd})
    for (const unsigned threads : {1U, 2U, 3U}) {
      const Reading good = read_text(compress(codec, text), with_threads(threads));
      EXPECT_EQ(good.fatal, "");
      EXPECT_EQ(good.checksum, ChecksumVerdict::verified);
      std::string altered = text;
      altered[text.size() - 20] = static_cast<char>(altered[text.size() - 20] ^ 1);
      const Reading bad = read_text(compress(codec, altered), with_threads(threads));
      EXPECT_EQ(bad.fatal_code(), "checksum-mismatch");
      EXPECT_EQ(bad.checksum, ChecksumVerdict::mismatch);
      EXPECT_EQ(bad.raw.size(), 3U);
    }
}

// Readings, "Checksum": every other byte counts as it stands, the line feeds included.
TEST(SpecChecksum, EveryByteCounts) {
  const std::string plain = collection_text({page(1)});
  const std::string text = with_checksum(plain);
  for (std::size_t at = 0; at < text.size(); ++at) {
    // Without its name the checksum is an unknown member: nothing is stated, so nothing is verified.
    const std::size_t name = text.find("checksum");
    if (at >= name && at < name + std::string_view("checksum").size()) continue;
    std::string altered = text;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    const Reading reading = read_text(altered);
    EXPECT_NE(reading.fatal, "") << at;
    EXPECT_NE(reading.checksum, ChecksumVerdict::verified) << at;
  }
  for (const std::string& other :
       {text + "\n", text.substr(0, text.size() - 1), text.substr(0, text.size() - 1) + "\r\n", "\n" + text,
        "\xef\xbb\xbf" + text, text + " "})
    EXPECT_EQ(read_text(other).fatal_code(), "checksum-mismatch");
}

// Blank lines before the head, a byte-order mark and a missing last line feed count like everything else.
TEST(SpecChecksum, CoversBytesBeforeTheHead) {
  for (const std::string& prefix :
       {std::string("\n\n"), std::string("\xef\xbb\xbf"), std::string("\xef\xbb\xbf\n \n")})
    for (const std::string& ending : {std::string("\n"), std::string()})
      for (const unsigned threads : {1U, 2U}) {
        const std::string body = collection_text({}) + page(1) + ending;
        const std::string sum = test::sha256_hex(prefix + body);
        std::string text = prefix + body;
        text.insert(prefix.size() + std::string_view(R"({"collection":{)").size(),
                    R"("checksum":"sha256:)" + sum + R"(",)");
        EXPECT_EQ(read_text(text, with_threads(threads)).checksum, ChecksumVerdict::verified);
      }
}

// Readings, "Checksum": hex digits compare without case.
TEST(SpecChecksum, UpperCaseDigitsCompareEqual) {
  std::string text = with_checksum(collection_text({page(1)}));
  const std::size_t at = text.find("sha256:") + 7;
  for (std::size_t i = at; i < at + 64; ++i)
    text[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
  EXPECT_EQ(read_text(text).checksum, ChecksumVerdict::verified);
}

// The hash is over the bytes as they came, not over a repaired metadata line.
TEST(SpecChecksum, LoneSurrogateInTheHeadIsHashedAsItCame) {
  HeadText head;
  head.more = R"(,"x":"\ud800")";
  const Reading reading = read_text(with_checksum(head.str() + "\n" + page(1) + "\n"));
  EXPECT_EQ(reading.fatal, "");
  EXPECT_EQ(reading.checksum, ChecksumVerdict::verified);
  EXPECT_EQ(reading.codes(), Codes{"invalid-field"});
}

// The digest is there for files without a checksum too, once they have ended.
TEST(SheafOnlyReader, DigestIsOverTheFileLessItsChecksum) {
  const std::string plain = collection_text({page(1)});
  for (const std::string& text : {plain, with_checksum(plain)}) {
    auto reader = CollectionReader::open(base::buffer_source(text), {}).value();
    while (reader.next().value()) EXPECT_EQ(reader.digest(), "");
    EXPECT_EQ(reader.digest(), test::sha256_hex(plain));
  }
}

TEST(SheafOnlyReader, ThreadsAndDetailMakeNoDifferenceOnVectors) {
  const auto files = test::conformance_files();
  ASSERT_GT(files.size(), 80U);
  for (const std::string& file : files) {
    const std::string bytes = test::read_file(file);
    const Reading one = read_text(bytes);
    for (const unsigned threads : {2U, 3U, 4U})
      expect_same(one, read_text(bytes, with_threads(threads)), file);
    ReaderOptions checks;
    checks.detail = Detail::checks;
    const Reading checked = read_text(bytes, checks);
    EXPECT_EQ(checked.findings, one.findings) << file;
    EXPECT_EQ(checked.fatal, one.fatal) << file;
    EXPECT_EQ(checked.raw, one.raw) << file;
    EXPECT_EQ(checked.checksum, one.checksum) << file;
  }
}

TEST(SheafOnlyReader, ThreadsMakeNoDifferenceOnGeneratedFiles) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    test::PageGenerator generator(seed);
    std::vector<std::string> lines;
    for (int i = 0; i < 400; ++i) {
      lines.push_back(generator.page());
      if (generator.chance(5)) lines.emplace_back(" ");
      if (generator.chance(5))
        lines.push_back(test::page_with_block(R"({"type":"link","text":"","url":"data:,"})"));
      if (generator.chance(3)) lines.push_back(page(i, 100'000));
      if (generator.chance(2)) lines.push_back(test::page_with(R"("robots":["noindex"])"));
    }
    std::string text = with_checksum(collection_text(lines));
    if (seed == 5) text[text.size() / 2] = '\xff';
    if (seed == 6) text[text.size() - 30] ^= 1;
    const std::string packed = compress(seed % 2 == 0 ? Codec::zstd : Codec::gzip, text);
    ReaderOptions options;
    options.limits.page_bytes = 80'000;
    options.threads = 1;
    const Reading one = read_text(packed, options);
    EXPECT_EQ(one.fatal.empty(), seed < 5) << one.fatal;
    for (const unsigned threads : {2U, 3U}) {
      options.threads = threads;
      expect_same(one, read_text(packed, options), std::to_string(seed));
      expect_same(one, test::read_all(scripted(packed, {777, packed.size(), std::nullopt}), options),
                  std::to_string(seed));
    }
  }
}

TEST(SheafOnlyReader, TwoReadersWithDifferentLimitsLiveSideBySide) {
  std::string text = HeadText().str() + "\n";
  for (int i = 0; i < 200; ++i) text += page(i, i % 2 == 0 ? 0 : 2000) + "\n";
  ReaderOptions strict;
  strict.limits.page_bytes = 1000;
  strict.threads = 2;
  auto small = CollectionReader::open(base::buffer_source(text), strict).value();
  auto large = CollectionReader::open(base::buffer_source(text), {}).value();
  std::uint64_t small_pages = 0;
  std::uint64_t large_pages = 0;
  bool more = true;
  while (more) {
    more = false;
    if (small.next().value()) {
      more = true;
      EXPECT_EQ(small.page().url, "https://example.com/" + std::to_string(2 * small_pages++));
    }
    if (large.next().value()) {
      more = true;
      EXPECT_EQ(large.page().url, "https://example.com/" + std::to_string(large_pages++));
    }
  }
  EXPECT_EQ(small_pages, 100U);
  EXPECT_EQ(large_pages, 200U);
  EXPECT_EQ(small.statistics().skipped, 100U);
}

TEST(SheafOnlyReader, CanBeDestroyedInTheMiddle) {
  std::string text = HeadText().str() + "\n";
  for (int i = 0; i < 2000; ++i) text += page(i, 5000) + "\n";
  const std::string packed = compress(Codec::zstd, text, 1);
  ReaderOptions options;
  options.limits.ratio = 100'000;
  for (const unsigned threads : {1U, 2U, 3U})
    for (const int pages : {0, 1, 60, 1000}) {
      options.threads = threads;
      auto reader = CollectionReader::open(base::buffer_source(packed), options);
      ASSERT_TRUE(reader);
      for (int i = 0; i < pages; ++i) ASSERT_TRUE(reader->next().value());
      auto moved = std::move(*reader);
      if (pages > 0) {
        EXPECT_EQ(moved.page().url, "https://example.com/" + std::to_string(pages - 1));
      }
    }
}

TEST(SheafOnlyReader, ErrorsAreGivenAgain) {
  const std::string text = collection_text({page(1), "{", page(2)});
  for (const unsigned threads : {1U, 2U, 3U}) {
    auto reader = CollectionReader::open(base::buffer_source(text), with_threads(threads)).value();
    ASSERT_TRUE(reader.next().value());
    const std::string first = test::describe(reader.next().error());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(test::describe(reader.next().error()), first);
    EXPECT_EQ(reader.checksum(), ChecksumVerdict::unchecked);
  }
  const std::string fine = collection_text({page(1)});
  auto reader = CollectionReader::open(base::buffer_source(fine), {}).value();
  ASSERT_TRUE(reader.next().value());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(reader.next().value());
}

TEST(SheafOnlyReader, ReadErrorsInTheMiddleAreReported) {
  std::string text = HeadText().str() + "\n";
  for (int i = 0; i < 300; ++i) text += page(i, 5000) + "\n";
  for (const unsigned threads : {1U, 2U, 3U}) {
    const Reading reading =
        test::read_all(scripted(text, {SIZE_MAX, text.size(), text.size() / 2}), with_threads(threads));
    EXPECT_EQ(reading.fatal_code(), "read-failed");
    EXPECT_NE(reading.fatal.find("Input/output error"), std::string::npos);
    EXPECT_EQ(test::read_all(scripted(text, {SIZE_MAX, std::nullopt, 0}), with_threads(threads)).fatal_code(),
              "read-failed");
  }
}

TEST(SheafOnlyReader, AShrinkingFileIsReported) {
  const test::TempDir folder;
  std::string text = HeadText().str() + "\n";
  for (int i = 0; i < 300; ++i) text += page(i, 5000) + "\n";
  const auto path = folder.write("a.scp", text);
  auto source = base::open_source(path).value();
  std::filesystem::resize_file(path, text.size() / 2);
  const Reading reading = test::read_all(std::move(source));
  EXPECT_EQ(reading.fatal_code(), "read-failed");
  EXPECT_NE(reading.fatal.find("shrank"), std::string::npos);
}

TEST(SheafOnlyReader, DamageShowsAsDamageNotAsBrokenJson) {
  std::string text = HeadText().str() + "\n";
  for (int i = 0; i < 50; ++i) text += page(i) + "\n";
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, text);
    for (std::size_t size = 4; size < packed.size(); size += 7)
      EXPECT_EQ(read_text(std::string_view(packed).substr(0, size)).fatal_code(), "decompress-failed")
          << size;
  }
}

TEST(SheafOnlyReader, OneByteAtATimeMakesNoDifference) {
  for (const std::string& file : test::conformance_files()) {
    const std::string bytes = test::read_file(file);
    Reading whole = read_text(bytes);
    Reading bytewise = test::read_all(scripted(bytes, {1, bytes.size(), std::nullopt}));
    if (whole.failure && whole.failure->line == 0) {
      // Damage and bombs are met in whole blocks of output, so how far into the file depends on the pace.
      EXPECT_EQ(whole.fatal_code(), bytewise.fatal_code()) << file;
      continue;
    }
    expect_same(whole, bytewise, file);
  }
}

/// The lines of next_lines(), and how it ended.
struct LinesRead {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> offsets;
  std::optional<Code> fatal;
  std::size_t batches = 0;
  std::size_t borrowed = 0;
};

LinesRead read_lines(std::string_view text, const ReaderOptions& options = {}) {
  LinesRead read;
  auto reader = CollectionReader::open(base::buffer_source(text), options).value();
  std::array<LineBatch, 3> batches;  // those of the last calls stay, as if other threads decoded them
  while (true) {
    LineBatch& batch = batches[read.batches % batches.size()];
    const auto more = reader.next_lines(batch);
    if (!more) read.fatal = more.error().code;
    if (!more || !*more) return read;
    ++read.batches;
    read.borrowed += batch.borrows_from_reader() ? 1 : 0;
    for (const Line& line : batch.lines()) {
      read.texts.emplace_back(line.text);
      read.numbers.push_back(line.number);
      read.offsets.push_back(line.offset);
    }
  }
}

TEST(SheafOnlyLineBatches, AreTheLinesOfThePages) {
  const auto many = [](int count, std::size_t padding) {
    std::vector<std::string> pages;
    for (int i = 0; i < count; ++i) pages.push_back(page(i, padding + static_cast<std::size_t>(i)));
    return pages;
  };
  const std::string large = page(7, 3 << 20);
  const std::string small = collection_text(many(3000, 300));
  const std::vector<std::string> texts = {
      collection_text({}),
      collection_text({page(1)}),
      collection_text({page(1), page(2)}).substr(0, collection_text({page(1), page(2)}).size() - 1),
      small,
      collection_text(many(20, kChunk - 200)),
      collection_text({page(1), large, page(2), large, large, page(3)}),
      collection_text({large}),
      // Blank lines that lead from one chunk to the next, after lines and before them.
      small + std::string(2 * kChunk, '\n') + page(1) + "\n" + std::string(kChunk, '\n') + page(2) + "\n\n" +
          large,
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Reading expected = read_text(texts[i]);
    const LinesRead found = read_lines(texts[i]);
    EXPECT_TRUE(found.texts == expected.raw) << i;
    EXPECT_EQ(found.numbers, expected.lines) << i;
    EXPECT_EQ(found.offsets, expected.offsets) << i;
    EXPECT_FALSE(found.fatal) << i;
    EXPECT_LE(found.batches, 2 + texts[i].size() / 1000) << i;
  }
  EXPECT_EQ(read_lines(texts[5]).borrowed, 3U);
}

TEST(SheafOnlyLineBatches, HeaderlessFiles) {
  ReaderOptions options;
  options.head = HeadRule::optional;
  for (const std::size_t size : {std::size_t{10}, kChunk, std::size_t{3} << 20U}) {
    const std::string text = "\xef\xbb\xbf" + page(1, size) + "\n" + page(2) + "\n";
    EXPECT_TRUE(read_lines(text, options).texts == read_text(text, options).raw) << size;
  }
}

TEST(SheafOnlyLineBatches, LinesBeforeAnErrorComeFirst) {
  std::vector<std::string> pages;
  for (int i = 0; i < 2000; ++i) pages.push_back(page(i, 300));
  const std::string text = collection_text(pages);
  std::string wrong = with_checksum(text);
  wrong[wrong.size() - 3] = ' ';
  EXPECT_EQ(read_lines(wrong).texts.size(), pages.size());
  EXPECT_EQ(read_lines(wrong).fatal, Code::checksum_mismatch);
  const std::string packed = compress(Codec::zstd, text);
  const LinesRead cut = read_lines(std::string_view(packed).substr(0, packed.size() - 20));
  EXPECT_TRUE(cut.fatal);
}

}  // namespace
}  // namespace sheaf::format
