#include "sheaf/text/text_hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace sheaf::text {
namespace {

/// How many of the texts "PREFIX0", "PREFIX1" ... share their hash, or its last bits, with another.
struct Collisions {
  std::size_t whole = 0;
  std::size_t last_bits = 0;
};

Collisions count_collisions(std::string_view prefix, std::string_view suffix) {
  constexpr std::size_t kTexts = 25'000;
  std::unordered_set<std::uint64_t> whole;
  std::unordered_set<std::uint64_t> last_bits;
  for (std::size_t i = 0; i < kTexts; ++i) {
    const std::uint64_t hash = hash_text(std::string(prefix) + std::to_string(i) + std::string(suffix));
    whole.insert(hash);
    last_bits.insert(hash & 0xFFFF'FFFFU);
  }
  return {kTexts - whole.size(), kTexts - last_bits.size()};
}

TEST(SheafOnlyTextHash, NumberedTextsDiffer) {
  for (const std::string_view suffix : {"", " of 25000"})
    for (std::size_t size = 0; size <= 40; size += 3) {
      const std::string prefix =
          std::string("Title of a page of some manual, and then a longer name of it all, ").substr(0, size);
      const Collisions found = count_collisions(prefix, suffix);
      EXPECT_EQ(found.whole, 0U) << prefix << "N" << suffix;
      // 25,000 random numbers of 32 bits share 0.07 values on average.
      EXPECT_LE(found.last_bits, 4U) << prefix << "N" << suffix;
    }
}

TEST(SheafOnlyTextHash, EveryByteAndTheSizeCount) {
  for (std::size_t size = 1; size <= 100; ++size) {
    const std::string text(size, 'a');
    std::set<std::uint64_t> hashes = {hash_text(text)};
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'b';
      hashes.insert(hash_text(other));
    }
    hashes.insert(hash_text(std::string(size + 1, 'a')));
    EXPECT_EQ(hashes.size(), size + 2) << size;
  }
}

}  // namespace
}  // namespace sheaf::text
