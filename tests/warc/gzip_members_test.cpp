#include "sheaf/warc/compressed_members.h"
#include "sheaf/warc/warc_reader.h"
#include "warc/warc_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sheaf::warc {
namespace {

/// Bytes that deflate cannot shrink, so it stores them as they are.
std::string noise(std::mt19937& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string gzip(std::string_view text) { return compressed(text, format::Codec::gzip); }

struct Outcome {
  std::string bytes;
  std::vector<std::size_t> ends;
  std::size_t consumed = 0;
  bool operator==(const Outcome&) const = default;
};

/// Decodes in pieces of about `piece_bytes`.
Outcome decode(std::string_view in, unsigned threads, std::size_t piece_bytes = 100) {
  const DecodedMembers decoded = MemberDecoder(threads, piece_bytes).decode(in);
  Outcome outcome{{}, {}, decoded.consumed};
  for (const MemberPiece& piece : decoded.pieces) {
    for (const std::size_t end : piece.ends) outcome.ends.push_back(outcome.bytes.size() + end);
    outcome.bytes += piece.bytes.bytes();
  }
  return outcome;
}

TEST(GzipMembers, ThreadsDecodeWhatOneDoes) {
  std::mt19937 random(1);
  std::string in;
  Outcome expected;
  for (int i = 0; i < 200; ++i) {
    const std::string text = i % 3 == 0 ? noise(random, random() % 5000) : std::string(random() % 9000, 'x');
    in += gzip(text);
    expected.bytes += text;
    expected.ends.push_back(expected.bytes.size());
  }
  expected.consumed = in.size();
  for (const unsigned threads : {1U, 2U, 3U, 4U})
    for (const std::size_t piece_bytes : {1U, 1000U, 50'000U, 1U << 30U})
      EXPECT_EQ(decode(in, threads, piece_bytes), expected) << threads << " " << piece_bytes;
}

// No thread may use the input after the decoder is gone.
TEST(GzipMembers, WhatHasBegunNeedNotBeFinished) {
  for (int i = 0; i < 50; ++i) {
    std::optional<std::string> in = gzip("one") + gzip("two") + gzip(std::string(100'000, 'x'));
    std::optional<MemberDecoder> decoder(std::in_place, 3U, std::size_t{1});
    decoder->begin(*in);
    EXPECT_TRUE(decoder->has_begun());
    if (i % 2 == 0) EXPECT_EQ(decoder->finish().consumed, in->size());
    EXPECT_EQ(decoder->has_begun(), i % 2 != 0);
    decoder.reset();
    in.reset();
  }
}

TEST(GzipMembers, BuffersAreUsedAgain) {
  const std::string in = gzip("one") + gzip("two");
  MemberDecoder decoder(2, 1);
  DecodedMembers decoded = decoder.decode(in);
  ASSERT_EQ(decoded.pieces.size(), 2U);
  const std::string_view place = decoded.pieces[1].bytes.bytes();
  std::vector<StreamBuffer> spare;
  spare.emplace_back();  // too small
  spare.push_back(std::move(decoded.pieces[1].bytes));
  decoded = decoder.decode(gzip("six"), std::move(spare));
  ASSERT_EQ(decoded.pieces.size(), 1U);
  EXPECT_EQ(decoded.pieces[0].bytes.bytes(), "six");
  EXPECT_EQ(decoded.pieces[0].bytes.bytes().data(), place.data());
}

// An archive of archives: what looks like the start of a member is in the middle of another one.
TEST(GzipMembers, AMemberWithinAMemberIsNotOne) {
  std::mt19937 random(2);
  const std::string inner = gzip(noise(random, 1000));
  const std::string text = noise(random, 3000) + inner + noise(random, 1000);
  const std::string in = gzip(text) + gzip("last");
  ASSERT_NE(in.find(inner), std::string::npos) << "the inner members must be stored as they are";
  const Outcome expected{text + "last", {text.size(), text.size() + 4}, in.size()};
  for (const unsigned threads : {1U, 2U, 4U})
    for (const std::size_t piece_bytes : {1U, 2000U, 1U << 20U})
      EXPECT_EQ(decode(in, threads, piece_bytes), expected) << threads << " " << piece_bytes;
}

TEST(GzipMembers, StopsBeforeWhatIsNotWhole) {
  const std::string good = gzip("one") + gzip("two");
  std::string damaged = gzip("three and more");
  damaged[damaged.size() - 6] ^= '\x20';  // its checksum
  std::string with_checked_header = gzip("four");
  with_checked_header[3] = '\x02';
  for (const std::string& tail :
       {std::string(), damaged, gzip("cut off").substr(0, 15), with_checked_header, std::string("garbage")})
    for (const unsigned threads : {1U, 3U})
      EXPECT_EQ(decode(good + tail, threads), (Outcome{"onetwo", {3, 6}, good.size()})) << tail.size();
  const std::string dense = gzip(std::string(std::size_t{1} << 20U, 'x'));
  EXPECT_EQ(decode(dense + good, 2).consumed, 0U) << "a thousand times as large";
}

// The whole reader: a member of several megabytes, small ones, damage, and many threads.
TEST(GzipMembers, AReaderGivesTheSameRecordsWithAnyNumberOfThreads) {
  std::mt19937 random(3);
  std::string file;
  std::vector<std::string> urls;
  for (int i = 0; i < 400; ++i) {
    const std::string url = "https://a.example/" + std::to_string(i);
    const std::size_t size = i == 100 ? std::size_t{3} << 20U : 1 + random() % 20'000;
    const std::string member = gzip(record_text("resource", url, noise(random, size)));
    file += i == 200 ? member.substr(0, member.size() / 2) : member;
    if (i != 200) urls.push_back(url);
  }
  for (const unsigned threads : {1U, 2U, 4U}) {
    std::vector<std::string> found;
    std::size_t bytes = 0;
    const auto source = base::buffer_source(file);
    WarcReader reader(*source, {}, {.threads = threads});
    while (true) {
      const auto head = reader.next();
      ASSERT_TRUE(head);
      if (*head == nullptr) break;
      const auto block = reader.block();
      ASSERT_TRUE(block);
      if (block->is_cut) continue;
      EXPECT_EQ(block->bytes.size(), (*head)->length);
      bytes += block->bytes.size();
      found.push_back((*head)->url);
    }
    EXPECT_EQ(found, urls) << threads;
    EXPECT_GT(reader.faults(), 0U);
    EXPECT_GT(bytes, std::size_t{3} << 20U);
  }
}

}  // namespace
}  // namespace sheaf::warc
