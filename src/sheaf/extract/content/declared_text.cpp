#include "sheaf/extract/content/declared_text.h"

#include "sheaf/text/text_hash.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMostThrees = 50'000;
constexpr std::uint32_t kComparedWords = 20;  // of a text

/// Three words in a row, as one hash.
class ThreeWords {
 public:
  /// nullopt for the first two words.
  std::optional<std::uint32_t> add(std::uint32_t word) {
    const std::uint64_t three = text::mix_hash(text::mix_hash(before_last_, last_), word);
    before_last_ = last_;
    last_ = word;
    return ++count_ > 2 ? std::optional(static_cast<std::uint32_t>(three)) : std::nullopt;
  }

 private:
  std::uint32_t before_last_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace

void DeclaredText::read(std::string_view text) {
  threes_.clear();
  text::each_word(text, [this, last = ThreeWords()](std::uint32_t word) mutable {
    if (const auto three = last.add(word)) threes_.push_back(*three);
    return threes_.size() < kMostThrees;
  });
  std::ranges::sort(threes_);
}

float DeclaredText::share_of(text::PaddedText text) const {
  std::uint32_t words = 0;
  std::uint32_t found = 0;
  text::each_word(text, [&, last = ThreeWords()](std::uint32_t word) mutable {
    const auto three = last.add(word);
    if (three && std::ranges::binary_search(threes_, *three)) ++found;
    return ++words < kComparedWords;
  });
  return words > 2 ? static_cast<float>(found) / static_cast<float>(words - 2) : 0;
}

}  // namespace sheaf::extract
