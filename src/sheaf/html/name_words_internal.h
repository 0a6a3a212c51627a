#pragma once

#include "sheaf/html/text_words_internal.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The words of classes and ids: "post-content", "postContent" and "post_content" have two.
namespace sheaf::html {

namespace words {

/// What bytes beyond ASCII are to a name; as letters they are small ones.
enum class Beyond : std::uint8_t { letters, between_words };

constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_name_letter(char c, Beyond beyond) {
  const char lower = lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') ||
         (beyond == Beyond::letters && static_cast<unsigned char>(c) >= 0x80);
}

/// How long the word is that a text begins with, of which `known` bytes are known to be part of it.
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

/// A bit for each byte of the next 64.
inline NameBits name_bits(const char* p, std::size_t left, const char* readable_end, Beyond beyond) {
  NameBits bits;
  for (std::size_t at = 0; at < kWindow && at < left; at += kBlock) {
    const __m128i bytes = load(p + at, left - at, readable_end);
    const auto letters = static_cast<std::uint32_t>(_mm_movemask_epi8(letters_of(bytes)));
    const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
    // The bit that makes a letter small, moved to where it is taken from.
    const auto small = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 2)));
    bits.letters |= std::uint64_t{beyond == Beyond::letters ? letters | high : letters} << at;
    bits.capitals |= std::uint64_t{letters & ~small} << at;
  }
  if (left < kWindow) bits.letters &= (std::uint64_t{1} << left) - 1U;
  return bits;
}

#endif

}  // namespace words

/// Calls `use` with each word of a class or id: letters, up to anything else or a capital after a small one.
/// Memory after the name may be read up to `readable_end`, and does not count.
template <words::Beyond beyond, class Use>
void each_name_word(std::string_view name, const char* readable_end, Use use) {
  const char* p = name.data();
  const char* const end = p + name.size();
#if defined(__SSE2__)
  while (p < end) {
    const auto left = static_cast<std::size_t>(end - p);
    const char* next = left > words::kWindow ? p + words::kWindow : end;
    const auto [letters, capitals] = words::name_bits(p, left, readable_end, beyond);
    std::uint64_t begins = letters & (~(letters << 1U) | (capitals & ~(capitals << 1U)));
    const std::uint64_t stops = begins | ~letters;
    for (; begins != 0; begins &= begins - 1) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(begins));
      const std::uint64_t after = stops >> begin >> 1U;
      auto size = after == 0 ? words::kWindow - begin : static_cast<std::size_t>(std::countr_zero(after)) + 1;
      if (begin + size == words::kWindow && left > words::kWindow) {
        // It may go on in the next window. That begins with the word, unless it fills this one.
        next = p + begin;
        if (begin > 0) break;
        size = words::name_word_size({p, left}, size, beyond);
        next = p + size;
      }
      use(std::string_view(p + begin, size));
    }
    p = next;
  }
#else
  (void)readable_end;
  while (p < end) {
    if (!words::is_name_letter(*p, beyond)) {
      ++p;
      continue;
    }
    const std::size_t size = words::name_word_size({p, end}, 1, beyond);
    use(std::string_view(p, size));
    p += size;
  }
#endif
}

}  // namespace sheaf::html
