#include "sheaf/pull/section_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

Instant at(std::int64_t seconds) { return {seconds, 0}; }

SeenCollection seen(std::string_view url, std::int64_t advertised, std::int64_t generated,
                    CollectionType type = CollectionType::snapshot) {
  return {.type = type,
          .url = std::string(url),
          .advertised = at(advertised),
          .generated = at(generated),
          .validators = {"\"v1\"", "Sun, 06 Nov 1994 08:49:37 GMT"},
          .bytes = 100,
          .pages = 7};
}

AdvertisedCollection offer(std::string_view url, std::int64_t generated) {
  AdvertisedCollection collection;
  collection.section = "all";
  collection.url = url;
  collection.generated = at(generated);
  return collection;
}

TEST(SectionMemory, ComesBackAsItWasWritten) {
  SectionMemory memory;
  memory.put(seen("https://example.com/a", 10, 5));
  memory.put({.type = CollectionType::delta, .url = "https://example.com/b", .since = at(3)});
  memory.snapshot_checked = at(77);
  memory.failures = 2;
  memory.failing_since = at(66);
  memory.stands_in = true;
  memory.was_crawled = true;
  EXPECT_EQ(decode_section_memory(encode(memory)), memory);
  EXPECT_EQ(decode_section_memory(encode(SectionMemory{})), SectionMemory{});
}

TEST(SectionMemory, DamagedBytesCountAsMissing) {
  SectionMemory memory;
  memory.put(seen("https://example.com/a", 10, 5));
  const std::string bytes = encode(memory);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_section_memory(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_section_memory(bytes + "x"));
}

TEST(SectionMemory, AValidatorWithAControlCharacterIsNeitherKeptNorSent) {
  SectionMemory memory;
  SeenCollection bad = seen("https://example.com/a", 10, 5);
  bad.validators = {"\"a\x01\"", "yesterday"};
  memory.put(bad);
  EXPECT_TRUE(decode_section_memory(encode(memory))->seen.front().validators.empty());
}

TEST(SectionMemory, AFileIsRememberedOnce) {
  SectionMemory memory;
  memory.put(seen("https://example.com/a", 10, 5));
  memory.put(seen("https://example.com/a", 20, 15));
  ASSERT_EQ(memory.seen.size(), 1U);
  EXPECT_EQ(memory.find("https://example.com/a")->generated, at(15));
  EXPECT_EQ(memory.find("https://example.com/b"), nullptr);
}

TEST(SectionMemory, CollectionsNoLongerOfferedAreForgotten) {
  SectionMemory memory;
  memory.put(seen("https://example.com/a", 10, 10));
  memory.put(seen("https://example.com/b", 20, 20));
  memory.keep_offered(std::vector{offer("https://example.com/b", 20)});
  ASSERT_EQ(memory.seen.size(), 1U);
  EXPECT_EQ(memory.seen.front().url, "https://example.com/b");
}

TEST(SectionMemory, HoweverManyDeltasCameItStaysSmallAndKeepsTheSnapshot) {
  SectionMemory memory;
  std::vector<AdvertisedCollection> offers = {offer("https://example.com/s", 0)};
  memory.put(seen("https://example.com/s", 0, 0));
  for (int i = 1; i < 5000; ++i) {
    const std::string url = fmt::format("https://example.com/d{}", i);
    offers.push_back(offer(url, i));
    memory.put(seen(url, i, i, CollectionType::delta));
    ASSERT_LE(memory.seen.size(), 400U);
  }
  memory.keep_offered(offers);
  EXPECT_EQ(memory.seen.size(), 200U);
  EXPECT_NE(memory.find("https://example.com/s"), nullptr);
  EXPECT_NE(memory.find("https://example.com/d4999"), nullptr);
  EXPECT_EQ(memory.find("https://example.com/d1"), nullptr);
  const SectionMemory once = memory;
  memory.keep_offered(offers);
  EXPECT_EQ(memory, once) << "a pull without news writes nothing";
}

TEST(SectionMemory, AnEntryThatIsAFewSecondsOffTakesTheTimeOfItsFile) {
  SectionMemory memory;
  memory.put(seen("https://example.com/s.zst", 1005, 1000));
  std::vector offers = {offer("https://example.com/s.zst", 1005), offer("https://example.com/s.gz", 1005),
                        offer("https://example.com/t.zst", 2000)};
  const AdvertisedTimes advertised = correct_times(offers, memory);
  EXPECT_EQ(offers[0].generated, at(1000));
  EXPECT_EQ(offers[1].generated, at(1000)) << "the other codec of the same collection";
  EXPECT_EQ(offers[2].generated, at(2000));
  EXPECT_EQ(advertised.size(), 2U);
  EXPECT_EQ(advertised.at("https://example.com/s.zst"), at(1005));
}

TEST(SectionMemory, AnEntryThatChangedOrWhoseFileIsStaleKeepsItsTime) {
  SectionMemory memory;
  memory.put(seen("https://example.com/s.zst", 1005, 1000));
  memory.put(seen("https://example.com/old.zst", 9000, 10));
  std::vector offers = {offer("https://example.com/s.zst", 1006), offer("https://example.com/old.zst", 9000)};
  EXPECT_TRUE(correct_times(offers, memory).empty());
  EXPECT_EQ(offers[0].generated, at(1006));
  EXPECT_EQ(offers[1].generated, at(9000));
}

TEST(SectionMemory, StaleIsOverAnHourBehindTheEntryOrOlderThanTheStore) {
  EXPECT_FALSE(is_stale(at(10'000), at(6'400), {}));
  EXPECT_TRUE(is_stale(at(10'000), at(6'399), {}));
  EXPECT_FALSE(is_stale({}, at(10), {}));
  EXPECT_TRUE(is_stale({}, at(10), at(11)));
  EXPECT_FALSE(is_stale({}, at(11), at(11))) << "the file that was applied";
  EXPECT_TRUE(is_stale(at(2'000), at(900), at(1'000))) << "promised to be newer than the store, and is older";
  EXPECT_FALSE(is_stale(at(900), at(900), at(1'000))) << "a snapshot from before the last delta";
}

}  // namespace
}  // namespace sheaf::pull
