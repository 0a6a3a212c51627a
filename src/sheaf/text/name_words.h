#pragma once

#include "sheaf/text/text_words.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Splits class names and ids into words: "post-content", "postContent" and "post_content" have two words
// each. The rules differ from text_words.h: a capital begins a new word, and digits are never part of a word.
namespace sheaf::text {

namespace words {

/// Whether non-ASCII bytes in a name are letters, which count as lowercase, or separate words.
enum class Beyond : std::uint8_t { letters, between_words };

constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_name_letter(char c, Beyond beyond) {
  const char lower = lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') ||
         (beyond == Beyond::letters && static_cast<unsigned char>(c) >= 0x80);
}

/// The length of the word at the start of a text. The first `known` bytes are known to be part of the word.
inline std::size_t name_word_size(std::string_view text, std::size_t known, Beyond beyond) {
  std::size_t size = known;
  while (size < text.size() && is_name_letter(text[size], beyond) &&
         (!is_capital(text[size]) || is_capital(text[size - 1])))
    ++size;
  return size;
}

#if defined(__SSE2__)

struct NameBits {
  std::uint64_t letters = 0;
  std::uint64_t capitals = 0;
};

/// Bit masks of the letters and the capitals among the first 64 bytes.
inline NameBits name_bits(PaddedText text, Beyond beyond) {
  const std::size_t left = text.size();
  NameBits bits;
  for (std::size_t at = 0; at < kWindow && at < left; at += kBlock) {
    const __m128i bytes = load(text, text.data() + at);
    const auto letters = static_cast<std::uint32_t>(_mm_movemask_epi8(letters_of(bytes)));
    const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
    // Bit 5 is set in lowercase letters. The shift moves it to bit 7, which movemask reads.
    const auto small = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 2)));
    bits.letters |= std::uint64_t{beyond == Beyond::letters ? letters | high : letters} << at;
    bits.capitals |= std::uint64_t{letters & ~small} << at;
  }
  if (left < kWindow) bits.letters &= (std::uint64_t{1} << left) - 1U;
  return bits;
}

#endif

}  // namespace words

/// Calls `use(PaddedText word)` for each word of a class or id. A word is a run of letters; a capital after
/// a lowercase letter begins a new word.
template <words::Beyond beyond, class Use>
void each_name_word(PaddedText name, Use use) {
  const char* p = name.begin();
  const char* const end = name.end();
#if defined(__SSE2__)
  while (p < end) {
    const auto left = static_cast<std::size_t>(end - p);
    const char* next = left > words::kWindow ? p + words::kWindow : end;
    const auto [letters, capitals] = words::name_bits(name.from(p), beyond);
    std::uint64_t begins = letters & (~(letters << 1U) | (capitals & ~(capitals << 1U)));
    const std::uint64_t stops = begins | ~letters;
    for (; begins != 0; begins &= begins - 1) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(begins));
      const std::uint64_t after = stops >> begin >> 1U;
      auto size = after == 0 ? words::kWindow - begin : static_cast<std::size_t>(std::countr_zero(after)) + 1;
      if (begin + size == words::kWindow && left > words::kWindow) {
        // The word may continue after this window, so the next window begins with it. If the word fills the
        // whole window, its end is searched byte by byte instead.
        next = p + begin;
        if (begin > 0) break;
        size = words::name_word_size({p, left}, size, beyond);
        next = p + size;
      }
      use(name.part(p + begin, p + begin + size));
    }
    p = next;
  }
#else
  while (p < end) {
    if (!words::is_name_letter(*p, beyond)) {
      ++p;
      continue;
    }
    const std::size_t size = words::name_word_size({p, end}, 1, beyond);
    use(name.part(p, p + size));
    p += size;
  }
#endif
}

}  // namespace sheaf::text
