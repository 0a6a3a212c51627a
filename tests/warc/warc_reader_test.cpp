#include "sheaf/warc/warc_reader.h"

#include "support/sources.h"
#include "warc/warc_text.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <random>

namespace sheaf::warc {
namespace {

/// What a reader made of a file: "type url block" of each record, and the faults.
struct Seen {
  std::vector<std::string> records;
  std::vector<std::string> faults;
};

Seen read_all(std::string_view bytes, WarcLimits limits = {}) {
  Seen seen;
  const auto source = base::buffer_source(bytes);
  WarcReader reader(*source, [&](const WarcFault& fault) { seen.faults.push_back(fault.message); }, limits);
  while (true) {
    const auto head = reader.next();
    EXPECT_TRUE(head) << head.error().message;
    if (!head || *head == nullptr) break;
    const auto block = reader.block();
    EXPECT_TRUE(block);
    seen.records.push_back(std::string(to_string((*head)->type)) + " " + (*head)->url + " " +
                           (block->is_too_large ? "too large" : std::string(block->bytes)) +
                           (block->is_cut ? " cut" : ""));
  }
  return seen;
}

using Records = std::vector<std::string>;

const Records kThree = {"response https://a.example/ one", "request https://b.example/ two",
                        "metadata https://c.example/ three"};

std::vector<std::string> three_texts() {
  return {record_text("response", "https://a.example/", "one"),
          record_text("request", "https://b.example/", "two"),
          record_text("metadata", "https://c.example/", "three")};
}

std::string join(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

TEST(WarcReader, PlainFile) {
  const Seen seen = read_all(join(three_texts()));
  EXPECT_EQ(seen.records, kThree);
  EXPECT_TRUE(seen.faults.empty());
}

TEST(WarcReader, AMemberOrFrameForEachRecord) {
  for (const format::Codec codec : {format::Codec::gzip, format::Codec::zstd}) {
    std::string bytes;
    for (const std::string& text : three_texts()) bytes += compressed(text, codec);
    const Seen seen = read_all(bytes);
    EXPECT_EQ(seen.records, kThree);
    EXPECT_TRUE(seen.faults.empty());
  }
}

TEST(WarcReader, OneMemberForAll) {
  for (const format::Codec codec : {format::Codec::gzip, format::Codec::zstd})
    EXPECT_EQ(read_all(compressed(join(three_texts()), codec)).records, kThree);
}

// A member may end anywhere: what counts is where records begin.
TEST(WarcReader, MembersThatEndWithinRecords) {
  const std::string all = join(three_texts());
  for (std::size_t at = 1; at < all.size(); at += 7) {
    const std::string bytes =
        compressed(all.substr(0, at), format::Codec::gzip) + compressed(all.substr(at), format::Codec::gzip);
    const Seen seen = read_all(bytes);
    EXPECT_EQ(seen.records, kThree) << at;
    EXPECT_TRUE(seen.faults.empty()) << at << " " << seen.faults.front();
  }
}

std::string dictionary_frame(std::string_view content) {
  std::string frame("\x5d\x2a\x4d\x18", 4);
  for (unsigned shift = 0; shift < 32; shift += 8) frame += static_cast<char>(content.size() >> shift);
  return frame + std::string(content);
}

TEST(WarcReader, ZstdWithADictionary) {
  const std::string dictionary =
      record_text("response", "https://a.example/", std::string(500, 'x') + "one two");
  std::string frames;
  ZSTD_CCtx* context = ZSTD_createCCtx();
  for (const std::string& text : three_texts()) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress_usingDict(context, out.data(), out.size(), text.data(), text.size(),
                                       dictionary.data(), dictionary.size(), 3));
    frames += out;
  }
  ZSTD_freeCCtx(context);
  EXPECT_EQ(read_all(dictionary_frame(dictionary) + frames).records, kThree);
  EXPECT_EQ(read_all(dictionary_frame(compressed(dictionary, format::Codec::zstd)) + frames).records, kThree);
}

TEST(WarcReader, DictionaryThatIsCut) {
  const std::string bytes = dictionary_frame(std::string(1000, 'x')).substr(0, 500);
  const auto source = base::buffer_source(bytes);
  WarcReader reader(*source, {});
  const auto head = reader.next();
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, base::Errc::invalid_data);
}

TEST(WarcReader, LengthThatIsTooSmall) {
  auto texts = three_texts();
  texts[1] = record_text("request", "https://b.example/", "two, and more", "3");
  const Seen seen = read_all(join(texts));
  EXPECT_EQ(seen.records, kThree);
  EXPECT_EQ(seen.faults.size(), 1U);
}

// The length covers the next record, which is found all the same.
TEST(WarcReader, LengthThatIsTooLarge) {
  auto texts = three_texts();
  texts[0] = record_text("response", "https://a.example/", "one", "100");
  for (const format::Codec codec : {format::Codec::plain, format::Codec::gzip, format::Codec::zstd}) {
    std::string bytes;
    for (const std::string& text : texts) bytes += compressed(text, codec);
    const Seen seen = read_all(bytes);
    ASSERT_EQ(seen.records.size(), 3U);
    EXPECT_EQ(seen.records[1], kThree[1]);
    EXPECT_EQ(seen.records[2], kThree[2]);
    EXPECT_EQ(seen.faults.size(), 1U);
    EXPECT_EQ(seen.records[0], "response https://a.example/ one\r\n\r\n cut");
  }
}

TEST(WarcReader, LengthBeyondTheFile) {
  auto texts = three_texts();
  for (const std::string_view length : {"1000", "70000000", "9999999999999", "18446744073709551615"}) {
    texts[0] = record_text("response", "https://a.example/", "one", length);
    const Seen seen = read_all(join(texts));
    ASSERT_EQ(seen.records.size(), 3U) << length;
    EXPECT_EQ(seen.records[2], kThree[2]);
    EXPECT_EQ(seen.faults.size(), 1U);
  }
}

TEST(WarcReader, FileThatIsCutAnywhere) {
  const std::string all = join(three_texts());
  std::string members;
  for (const std::string& text : three_texts()) members += compressed(text, format::Codec::gzip);
  for (std::size_t size = 1; size < all.size(); ++size)
    EXPECT_LE(read_all(all.substr(0, size)).records.size(), 3U);
  for (std::size_t size = 4; size + 4 < members.size(); ++size) {
    const Seen seen = read_all(members.substr(0, size));
    EXPECT_LE(seen.records.size(), 3U);
    EXPECT_LE(seen.faults.size(), 2U) << size << ": the member that is cut, and its record";
  }
  const Seen seen = read_all(all.substr(0, all.size() - 6));
  EXPECT_EQ(seen.records.back(), "metadata https://c.example/ thr cut");
  EXPECT_EQ(seen.faults.size(), 1U);
}

TEST(WarcReader, DamagedMember) {
  std::vector<std::string> members;
  for (const std::string& text : three_texts()) members.push_back(compressed(text, format::Codec::gzip));
  for (std::size_t at = 10; at < members[1].size(); at += 3) {
    auto damaged = members;
    damaged[1][at] = static_cast<char>(damaged[1][at] ^ 0x55);
    const Seen seen = read_all(join(damaged));
    ASSERT_FALSE(seen.records.empty());
    EXPECT_EQ(seen.records.front(), kThree[0]) << at;
    EXPECT_EQ(seen.records.back(), kThree[2]) << at;
    EXPECT_FALSE(seen.faults.empty()) << at;
  }
}

// What is left of a damaged member need not end with a line feed.
TEST(WarcReader, DamagedMemberThatEndsWithinALine) {
  const auto texts = three_texts();
  // Not a record, a head that does not end, a head that ends within a line, and nothing of a record at all.
  const std::vector<std::string> damaged = {"aaaa", "WARC/1.0\r\nX: " + std::string(5000, 'x'),
                                            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://x",
                                            std::string(200'000, 'z'),
                                            "WARC/1.0\r\nContent-Length: x\r\n\r\naa"};
  for (const format::Codec codec : {format::Codec::gzip, format::Codec::zstd})
    for (const std::string& text : damaged) {
      const Seen seen = read_all(compressed(texts[0], codec) + compressed(text, codec) +
                                 compressed(texts[1], codec) + compressed(texts[2], codec));
      EXPECT_EQ(seen.records, kThree) << text.substr(0, 100);
      EXPECT_EQ(seen.faults.size(), 1U) << text.substr(0, 100);
    }
}

TEST(WarcReader, GarbageBetweenRecords) {
  const auto texts = three_texts();
  const Seen seen =
      read_all(texts[0] + "garbage\r\nWARC/x\r\n" + texts[1] + std::string(200'000, 'z') + "\n" + texts[2]);
  EXPECT_EQ(seen.records, kThree);
  EXPECT_EQ(seen.faults.size(), 2U);
}

TEST(WarcReader, BadHeads) {
  const auto texts = three_texts();
  const std::string bad = "WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n";
  const std::string worse = "WARC/1.0\r\nContent-Length: -5\r\n\r\n";
  const Seen seen = read_all(texts[0] + bad + texts[1] + worse + texts[2]);
  EXPECT_EQ(seen.records, kThree);
  EXPECT_EQ(seen.faults.size(), 2U);
  WarcLimits limits;
  limits.head_bytes = 2000;
  const std::string endless = "WARC/1.0\r\nX: " + std::string(5000, 'x') + "\r\n" + texts[2];
  EXPECT_EQ(read_all(texts[0] + endless, limits).records, (Records{kThree[0], kThree[2]}));
}

// A line that begins a record is not a field of the head before it.
TEST(WarcReader, AHeadEndsWhereTheNextRecordBegins) {
  const auto texts = three_texts();
  const Seen seen =
      read_all("WARC/1.0\r\nA: b\r\n" + texts[0] + "WARC/1.0\nWARC/1.1\n" + texts[1] + texts[2]);
  EXPECT_EQ(seen.records, kThree);
  EXPECT_EQ(seen.faults.size(), 3U);
}

TEST(WarcReader, LineFeedsAndFoldedLines) {
  const Seen seen = read_all(
      "WARC/1.1\nwarc-type:response\nWARC-Target-URI: <https://a.example/>\nX-Long: a\n  b\nContent-Length: "
      "3\n\none\n\nWARC/1.0\nWARC-Type: request\nWARC-Target-URI: https://b.example/\nContent-Length: "
      "3\n\ntwo\n\n\n\n");
  EXPECT_EQ(seen.records, (Records{kThree[0], kThree[1]}));
  EXPECT_TRUE(seen.faults.empty());
}

TEST(SheafOnlyWarcReader, OfARepeatedFieldTheLastOneCounts) {
  const auto head = parse_record_head(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/\r\nWARC-Date: "
      "2026\r\nContent-Length: "
      "1\r\nWARC-Type: request\r\nWARC-Target-URI: https://b.example/\r\nWARC-Date: soon\r\nContent-Length: "
      "2\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->type, RecordType::request);
  EXPECT_EQ(head->url, "https://b.example/");
  EXPECT_FALSE(head->date);
  EXPECT_EQ(head->length, 2U);
}

// WARC 1.1, 5.4: a date may have reduced precision.
TEST(SpecWarcDate, ReducedPrecisionIsTheBeginningOfThePeriod) {
  const std::vector<std::pair<std::string_view, std::string_view>> dates = {
      {"2026", "2026-01-01T00:00:00Z"},
      {"2026-05", "2026-05-01T00:00:00Z"},
      {"2026-05-03", "2026-05-03T00:00:00Z"},
      {"2026-05-03T10:20Z", "2026-05-03T10:20:00Z"},
      {"2026-05-03T10:20+02:00", "2026-05-03T08:20:00Z"},
      {"2026-05-03T10:20:30Z", "2026-05-03T10:20:30Z"},
      {"2026-05-03T10:20:30.25Z", "2026-05-03T10:20:30.25Z"}};
  for (const auto& [text, time] : dates) {
    const auto date = parse_warc_date(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(format_time(*date), time);
  }
  for (const std::string_view text :
       {"", "x", "soon", "2026-13", "2026-02-30", "20260501100000", "2026-05-03T10Z", "99999-05-01T10:00:00Z",
        "-2026-05-01T10:00:00Z", "2026-05-01 10:00:00"})
    EXPECT_FALSE(parse_warc_date(text)) << text;
}

TEST(WarcReader, LargeBlocksAreSkipped) {
  WarcLimits limits;
  limits.block_bytes = 10'000;
  auto texts = three_texts();
  texts[1] = record_text("request", "https://b.example/", std::string(300'000, 'x'));
  for (const format::Codec codec : {format::Codec::plain, format::Codec::gzip, format::Codec::zstd}) {
    std::string bytes;
    for (const std::string& text : texts) bytes += compressed(text, codec);
    const Seen seen = read_all(bytes, limits);
    EXPECT_EQ(seen.records, (Records{kThree[0], "request https://b.example/ too large", kThree[2]}));
    EXPECT_TRUE(seen.faults.empty());
  }
}

TEST(WarcReader, NotAWarcFile) {
  for (const std::string_view bytes : {"", "\r\n\r\n", "hello", "<html>WARC/1.0</html>"}) {
    EXPECT_TRUE(read_all(bytes).records.empty());
  }
  EXPECT_EQ(read_all("hello").faults.size(), 1U);
}

// Reading ahead meets an error before the records in front of it were handed out.
TEST(WarcReader, AReadErrorComesAfterTheRecordsBeforeIt) {
  constexpr std::size_t kMegabyte = 1'000'000;
  std::mt19937 random(1);
  std::string bytes;
  std::size_t whole = 0;  // records in the first two megabytes
  while (bytes.size() < 4 * kMegabyte) {
    std::string block(50'000, '\0');
    for (char& byte : block) byte = static_cast<char>(random());
    bytes += compressed(record_text("resource", "https://a.example/", block), format::Codec::gzip);
    if (bytes.size() < 2 * kMegabyte) ++whole;
  }
  for (const unsigned threads : {1U, 2U, 4U}) {
    const auto source = test::scripted(bytes, {.size = {}, .fail_after = 3 * kMegabyte + 500'000});
    WarcReader reader(*source, [](const WarcFault&) {}, {.threads = threads});
    std::size_t records = 0;
    base::Result<const RecordHead*> head = reader.next();
    for (; head && *head != nullptr; head = reader.next()) {
      ASSERT_TRUE(reader.block());
      ++records;
    }
    ASSERT_FALSE(head);
    EXPECT_NE(head.error().message.find("Input/output error"), std::string::npos) << head.error().message;
    EXPECT_GE(records, whole) << threads;
  }
}

}  // namespace
}  // namespace sheaf::warc
