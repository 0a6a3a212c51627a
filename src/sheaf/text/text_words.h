#pragma once

#include "sheaf/text/padded_text.h"
#include "sheaf/text/text_compare.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Splits a text into words, mostly to hash them without regard to case. Extraction compares words with tables
// of hints, with the title and with declared text, and hashes compare faster than texts. A word is a run of
// ASCII letters, ASCII digits and non-ASCII bytes.
namespace sheaf::text {

namespace words {

inline constexpr std::size_t kBlock = 16;
inline constexpr std::size_t kWindow = 64;  // number of bytes that are split at a time: one bit mask

enum class Digits : std::uint8_t { in_words, between_words };

constexpr bool is_word_byte(unsigned char c, Digits digits) {
  return (digits == Digits::in_words && c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c >= 0x80;
}

/// Adds one block of a word to a hash. The block is given as two little-endian numbers, padded with zeros.
constexpr std::uint32_t add_block(std::uint32_t hash, std::uint64_t low, std::uint64_t high) {
  std::uint64_t mixed = (low ^ hash) * 0x9E3779B97F4A7C15U;
  mixed ^= mixed >> 32U;
  mixed = (mixed ^ high) * 0xD6E8FEB86659FD93U;
  return static_cast<std::uint32_t>(mixed >> 32U);
}

constexpr std::uint32_t hash_portable(std::string_view word) {
  std::uint32_t hash = 0;
  for (std::size_t at = 0; at < word.size(); at += kBlock) {
    std::array<std::uint64_t, 2> halves{};
    for (std::size_t i = 0; i < kBlock && at + i < word.size(); ++i)
      halves[i / 8] |= std::uint64_t{static_cast<unsigned char>(lower_ascii(word[at + i]))} << (i % 8 * 8);
    hash = add_block(hash, halves[0], halves[1]);
  }
  return hash;
}

#if defined(__SSE2__)

/// Loads the block at `p`, a pointer into the text. Bytes after the text are padding or zero.
inline __m128i load(PaddedText text, const char* p) {
  if (text.can_read(p, kBlock)) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const auto left = static_cast<std::size_t>(text.end() - p);
  std::array<char, kBlock> copy{};
  std::memcpy(copy.data(), p, left < kBlock ? left : kBlock);
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(copy.data()));
}

inline __m128i is_between(__m128i bytes, char first, char last) {
  const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
  return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(static_cast<char>(last - first))), offset);
}

/// Keeps the first `size` bytes and clears the others.
inline __m128i keep_first(__m128i bytes, std::size_t size) {
  alignas(16) static constexpr std::array<unsigned char, 2 * kBlock> kOnes = [] {
    std::array<unsigned char, 2 * kBlock> ones{};
    for (std::size_t i = 0; i < kBlock; ++i) ones[i] = 0xFF;
    return ones;
  }();
  const auto* mask = reinterpret_cast<const __m128i*>(kOnes.data() + (kBlock - size));
  return _mm_and_si128(bytes, _mm_loadu_si128(mask));
}

inline std::uint32_t add_block(std::uint32_t hash, __m128i bytes) {
  const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
  const auto high = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(bytes, bytes)));
  return add_block(hash, low, high);
}

inline __m128i letters_of(__m128i bytes) {
  return is_between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
}

/// A bit mask of the bytes that are part of a word, among the first 64 bytes of a text.
inline std::uint64_t word_bytes(PaddedText text, Digits allowed) {
  const std::size_t left = text.size();
  std::uint64_t mask = 0;
  for (std::size_t at = 0; at < kWindow && at < left; at += kBlock) {
    const __m128i bytes = load(text, text.data() + at);
    const __m128i digits = allowed == Digits::in_words ? is_between(bytes, '0', '9') : _mm_setzero_si128();
    const auto part = static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters_of(bytes), digits), bytes)));
    mask |= std::uint64_t{part} << at;
  }
  return left < kWindow ? mask & ((std::uint64_t{1} << left) - 1U) : mask;
}

inline std::uint32_t hash_word(PaddedText word) {
  std::uint32_t hash = 0;
  std::size_t size = word.size();
  for (const char* p = word.data();; p += kBlock, size -= kBlock) {
    const __m128i bytes = load(word, p);
    const __m128i lower = _mm_or_si128(bytes, _mm_and_si128(letters_of(bytes), _mm_set1_epi8(0x20)));
    hash = add_block(hash, keep_first(lower, size < kBlock ? size : kBlock));
    if (size <= kBlock) return hash;
  }
}

#endif

/// A faster hash_text_word(), with the same result.
inline std::uint32_t hash_of(PaddedText word) {
#if defined(__SSE2__)
  return hash_word(word);
#else
  return hash_portable(word);
#endif
}

}  // namespace words

/// The hash of a word. It ignores ASCII case.
constexpr std::uint32_t hash_text_word(std::string_view word) { return words::hash_portable(word); }

/// Calls `use(PaddedText word)` for each word of a text until `use` returns false.
template <words::Digits digits, class Use>
void each_word_text(PaddedText text, Use use) {
  const char* p = text.begin();
  const char* const end = text.end();
#if defined(__SSE2__)
  while (p < end) {
    const auto left = static_cast<std::size_t>(end - p);
    const char* next = left > words::kWindow ? p + words::kWindow : end;
    for (std::uint64_t mask = words::word_bytes(text.from(p), digits); mask != 0;) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(mask));
      auto size = static_cast<std::size_t>(std::countr_one(mask >> begin));
      mask &= mask + (std::uint64_t{1} << begin);  // the carry clears the word's bits
      if (begin + size == words::kWindow && left > words::kWindow) {
        // The word may continue after this window, so the next window begins with it. If the word fills the
        // whole window, its end is searched byte by byte instead.
        next = p + begin;
        if (begin > 0) break;
        while (size < left && words::is_word_byte(static_cast<unsigned char>(p[size]), digits)) ++size;
        next = p + size;
      }
      if (!use(text.part(p + begin, p + begin + size))) return;
    }
    p = next;
  }
#else
  while (p < end) {
    const char* const begin = p;
    while (p < end && words::is_word_byte(static_cast<unsigned char>(*p), digits)) ++p;
    if (p != begin && !use(text.part(begin, p))) return;
    if (p < end) ++p;
  }
#endif
}

/// Calls `use(std::uint32_t hash)` with the hash of each word until `use` returns false.
template <class Use>
void each_word(PaddedText text, Use use) {
  each_word_text<words::Digits::in_words>(text, [&](PaddedText word) { return use(words::hash_of(word)); });
}

// Splits class names and ids into words: "post-content", "postContent" and "post_content" have two words
// each. The rules differ from those above: a capital begins a new word, and digits are never part of a word.

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
