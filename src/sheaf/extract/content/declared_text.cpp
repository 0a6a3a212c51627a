#include "sheaf/extract/content/declared_text.h"

#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxThrees = 50'000;
constexpr std::uint32_t kComparedWords = 20;  // the first words of a text

/// Hashes each word together with the two words before it.
class TrigramHasher {
 public:
  /// nullopt for the first two words; never 0.
  std::optional<std::uint32_t> add(std::uint32_t word) {
    const std::uint64_t three = text::mix_hash(text::mix_hash(before_last_, last_), word);
    before_last_ = last_;
    last_ = word;
    return ++count_ > 2 ? std::optional(std::max(static_cast<std::uint32_t>(three), 1U)) : std::nullopt;
  }

 private:
  std::uint32_t before_last_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace

void DeclaredText::read(std::string_view text) {
  trigrams_.clear();
  text::each_word(text, [this, last = TrigramHasher()](std::uint32_t word) mutable {
    if (const auto three = last.add(word)) trigrams_.push_back(*three);
    return trigrams_.size() < kMaxThrees;
  });
  // A hash table, because the sequences of many texts are looked up in it.
  slots_.assign(std::bit_ceil(trigrams_.size() * 2 + 1), 0);
  for (const std::uint32_t three : trigrams_)
    if (std::uint32_t& slot = slots_[slot_of(three)]; slot == 0) slot = three;
}

/// The slot that has the hash, or the free slot where it would be.
std::size_t DeclaredText::slot_of(std::uint32_t three) const {
  return text::find_slot(three, slots_.size(),
                         [&](std::size_t at) { return slots_[at] == three || slots_[at] == 0; });
}

float DeclaredText::share_of(text::PaddedText text) const {
  std::uint32_t words = 0;
  std::uint32_t found = 0;
  text::each_word(text, [&, last = TrigramHasher()](std::uint32_t word) mutable {
    const auto three = last.add(word);
    if (three && slots_[slot_of(*three)] == *three) ++found;
    return ++words < kComparedWords;
  });
  return words > 2 ? static_cast<float>(found) / static_cast<float>(words - 2) : 0;
}

}  // namespace sheaf::extract
