#include "sheaf/text/text_compare.h"

#include <gtest/gtest.h>

#include <cstdint>
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

}  // namespace
}  // namespace sheaf::text
