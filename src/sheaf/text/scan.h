#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "sheaf/text/padded_text.h"
#include "sheaf/text/text_compare.h"

// Scans of text: the hot loops of the tokenizer and of extraction. Most texts of a page are short, so the
// first 16 bytes are scanned inline. Longer texts are scanned with the widest vectors that the processor
// supports, chosen once at run time. Tests compare each scan with a portable version.
//
// Scans that take pointers never read past `end`; scans that take a PaddedText may read its padding.
namespace sheaf::text::scan {

/// Instruction set levels. avx512 includes VBMI2, which can compress bytes: Intel since Ice Lake, AMD since
/// Zen 4.
enum class Level : std::uint8_t { portable, sse2, avx2, avx512 };

/// The highest level that this processor supports.
Level best_level();

/// The first byte of [p, end) that equals a, b, c or d; `end` if there is none. Tests use this overload to
/// select a level.
const char* find_any(Level level, const char* p, const char* end, char a, char b, char c, char d);

/// The first byte that is not HTML white space (tab, LF, FF, CR, space).
const char* skip_space(const char* p, const char* end);

using FindAny = const char* (*)(const char* p, const char* end, char a, char b, char c, char d);
extern const FindAny find_any_wide;

/// The same at the best level. To look for fewer than four bytes, repeat one.
inline const char* find_any(const char* p, const char* end, char a, char b, char c, char d) {
#if defined(__SSE2__)
  if (end - p >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i ab =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(a)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b)));
    const __m128i cd =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(d)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(ab, cd)));
    if (mask != 0) return p + std::countr_zero(mask);
    p += 16;
  }
#endif
  return find_any_wide(p, end, a, b, c, d);
}

#if defined(__SSE2__)
/// Sets all bits of each byte that is HTML white space, and clears all other bytes.
inline __m128i space_flags(__m128i bytes) {
  const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
  const __m128i controls =  // tab to CR, except vertical tab
      _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\v')),
                       _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8('\r' - '\t')), offset));
  return _mm_or_si128(controls, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
}
/// The same with one bit for each byte.
inline unsigned space_mask(__m128i bytes) {
  return static_cast<unsigned>(_mm_movemask_epi8(space_flags(bytes)));
}
#endif

/// The first byte of a text that is not white space; the end of the text if there is none. Optimised for
/// texts that rarely begin with white space, or that consist only of it.
inline const char* skip_space(PaddedText text) {
  const char* p = text.begin();
  const char* const end = text.end();
  if (p == end || !is_space(*p)) return p;
#if defined(__SSE2__)
  for (; p < end && text.can_read(p, 16); p += 16) {
    const unsigned other = space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))) ^ 0xFFFFU;
    if (other == 0) continue;
    const char* const found = p + std::countr_zero(other);
    return found < end ? found : end;
  }
  if (p >= end) return end;
#endif
  return skip_space(p, end);
}

/// The same, optimised for texts of which about half begin with white space: branch-free for most texts.
inline const char* skip_any_space(PaddedText text) {
#if defined(__SSE2__)
  if (text.can_read(text.data(), 16)) {
    const unsigned other =
        ~space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()))) & 0xFFFFU;
    if (other != 0) return std::min(text.data() + std::countr_zero(other), text.end());
  }
#endif
  return skip_space(text);
}

/// The first white space in a text at or after `p`, a pointer into the text; the end of the text if there is
/// none.
inline const char* find_space(PaddedText text, const char* p) {
#if defined(__SSE2__)
  for (; p < text.end() && text.can_read(p, 16); p += 16) {
    const unsigned spaces = space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    if (spaces != 0) return std::min(p + std::countr_zero(spaces), text.end());
  }
  if (p >= text.end()) return text.end();
#endif
  return std::find_if(p, text.end(), is_space);
}

/// Returns the start of the white space at the end of a text. The text must not begin with white space.
inline const char* trim_end(PaddedText text) {
  const char* const p = text.begin();
  const char* end = text.end();
#if defined(__SSE2__)
  // Handles the last block (or all of a short text) branch-free, because whether a text ends in white space
  // is unpredictable.
  const std::size_t size = text.size();
  const char* const block = size > 16 ? end - 16 : p;
  if (text.can_read(block, 16)) {
    const unsigned within = size < 16 ? (1U << static_cast<unsigned>(size)) - 1U : 0xFFFFU;
    const unsigned other = ~space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block))) & within;
    if (other != 0) return block + std::bit_width(other);
    end = block;
  }
#endif
  while (end != p && is_space(end[-1])) --end;
  return end;
}

/// A text without the white space at its start and end; empty if it has only white space.
inline PaddedText trim(PaddedText text) {
  const char* const p = text.data();
#if defined(__SSE2__)
  // Checks the first and the last block (the same block for short texts) with one branch instead of four
  // unpredictable branches.
  if (text.can_read(p, 16)) {
    const std::size_t size = std::min<std::size_t>(text.size(), 16);
    const unsigned within = (1U << size) - 1U;
    const char* const block = p + (text.size() - size);
    const unsigned first = ~space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))) & within;
    const unsigned last = ~space_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block))) & within;
    if (first != 0 && last != 0) return text.part(p + std::countr_zero(first), block + std::bit_width(last));
    if (text.size() == size) return {};
  }
#endif
  const PaddedText rest = text.from(skip_space(text));
  return rest.part(rest.begin(), trim_end(rest));
}

struct Collapsed {
  char* end;           // end of the copy
  bool ends_in_space;  // whether the text ends in white space; the copy never does
};

/// copy_collapsed() for any processor. Writes up to 16 bytes after the copy.
inline Collapsed copy_collapsed_narrow(PaddedText text, char* to) {
  const char* p = text.begin();
  const char* const end = text.end();
  // Skips a run of white space at `p` and writes one space if more text follows.
  const auto pass_space = [&] {
    p = skip_space(text.from(p));
    if (p != end) *to++ = ' ';
  };
  while (p < end) {
#if defined(__SSE2__)
    if (text.can_read(p, 16)) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i is_white = space_flags(bytes);
      const auto size = end - p < 16 ? static_cast<unsigned>(end - p) : 16U;
      // Stores the block with each white space character replaced by a space; excess bytes are overwritten
      // later.
      _mm_storeu_si128(
          reinterpret_cast<__m128i*>(to),
          _mm_or_si128(_mm_andnot_si128(is_white, bytes), _mm_and_si128(is_white, _mm_set1_epi8(' '))));
      const auto white = static_cast<unsigned>(_mm_movemask_epi8(is_white));
      // White space that is followed by more white space, or by the end of the block, where more may follow.
      const unsigned stops = white & ((white >> 1U) | (1U << (size - 1U))) & ((1U << size) - 1U);
      const unsigned plain = stops == 0 ? size : static_cast<unsigned>(std::countr_zero(stops));
      p += plain;
      to += plain;
      if (stops == 0) continue;
      pass_space();
      if (p == end) return {to, true};
      continue;
    }
#endif
    if (!is_space(*p)) {
      *to++ = *p++;
      continue;
    }
    pass_space();
    if (p == end) return {to, true};
  }
  return {to, false};
}

using CopyCollapsed = Collapsed (*)(const char* p, const char* end, char* to);
/// A version that collapses 64 bytes at a time; nullptr if the processor does not support it.
extern const CopyCollapsed copy_collapsed_wide;
inline constexpr std::size_t kCopyRoom = 64;

/// Copies a text and replaces each run of white space with one space. The text must not begin with white
/// space. `to` must have room for the text and kCopyRoom more bytes.
inline Collapsed copy_collapsed(PaddedText text, char* to) {
  if (copy_collapsed_wide != nullptr) return copy_collapsed_wide(text.begin(), text.end(), to);
  return copy_collapsed_narrow(text, to);
}

/// Whether a text has two consecutive digits.
inline bool has_two_digits(PaddedText text) {
  const char* p = text.begin();
  const char* const end = text.end();
  bool after_digit = false;
#if defined(__SSE2__)
  for (; p < end && text.can_read(p, 16); p += 16) {
    const __m128i offset =
        _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(9)), offset);
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(digits));
    if (end - p < 16) mask &= (1U << static_cast<unsigned>(end - p)) - 1U;
    if ((mask & ((mask << 1U) | (after_digit ? 1U : 0U))) != 0) return true;
    after_digit = (mask & 0x8000U) != 0;
  }
#endif
  for (; p < end; ++p) {
    const bool digit = *p >= '0' && *p <= '9';
    if (digit && after_digit) return true;
    after_digit = digit;
  }
  return false;
}

/// The end of a run of plain text: the next `<`, `&`, CR or NUL.
inline const char* find_text_end(const char* p, const char* end) {
  return find_any(p, end, '<', '&', '\r', '\0');
}

/// The position where a quoted value ends or must be changed: the next quote, `&`, CR or NUL.
inline const char* find_value_end(const char* p, const char* end, char quote) {
  return find_any(p, end, quote, '&', '\r', '\0');
}

/// The position where raw text must be changed: the next CR or NUL.
inline const char* find_raw_change(const char* p, const char* end) {
  return find_any(p, end, '\r', '\0', '\0', '\0');
}

inline const char* find_byte(const char* p, const char* end, char byte) {
  const void* found = p == end ? nullptr : std::memchr(p, byte, static_cast<std::size_t>(end - p));
  return found == nullptr ? end : static_cast<const char*>(found);
}

inline bool is_all_space(const char* p, const char* end) {
  return p == end || (is_space(*p) && skip_space(p, end) == end);
}

}  // namespace sheaf::text::scan
