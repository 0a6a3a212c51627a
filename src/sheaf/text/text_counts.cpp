#include "sheaf/text/text_counts.h"

#include "sheaf/text/scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sheaf::text {
namespace {

// The portable version packs all counts into one 64-bit number with a field of 8 bits for each, so that one
// addition per byte updates all counts. These are the units of the fields.
constexpr std::uint64_t kCharOne = 1;
constexpr std::uint64_t kWideOne = 1ULL << 8U;  // first byte of three: mostly Chinese, Japanese, Korean
constexpr std::uint64_t kDigitOne = 1ULL << 16U;
constexpr std::uint64_t kCapitalOne = 1ULL << 24U;
constexpr std::uint64_t kMarkOne = 1ULL << 32U;
constexpr std::uint64_t kCommaOne = 1ULL << 40U;
constexpr std::uint64_t kHandleOne = 1ULL << 48U;
constexpr std::uint64_t kSpaceOne = 1ULL << 56U;
constexpr std::size_t kFieldLimit = 255;  // maximum number of bytes before a field could overflow

constexpr std::array<std::uint64_t, 256> kByteCounts = [] {
  std::array<std::uint64_t, 256> counts{};
  counts.fill(kCharOne);
  for (unsigned c = 0x80; c < 0xC0; ++c) counts[c] = 0;  // continuation bytes
  for (unsigned c = 0xE3; c < 0xF0; ++c) counts[c] |= kWideOne;
  for (unsigned c = '0'; c <= '9'; ++c) counts[c] |= kDigitOne;
  for (unsigned c = 'A'; c <= 'Z'; ++c) counts[c] |= kCapitalOne;
  for (const char c : std::string_view(".!?")) counts[static_cast<unsigned char>(c)] |= kMarkOne;
  for (const char c : std::string_view(",;")) counts[static_cast<unsigned char>(c)] |= kCommaOne;
  counts['@'] |= kHandleOne;
  for (const char c : std::string_view(" \t\n\r\f")) counts[static_cast<unsigned char>(c)] = kSpaceOne;
  return counts;
}();

constexpr std::uint32_t field(std::uint64_t counts, std::uint64_t one) {
  return static_cast<std::uint32_t>((counts / one) & 0xFFU);
}

/// Adds the counts that cannot be derived from single bytes: wide characters count two, and Chinese and
/// Japanese have their own full stops, question marks, exclamation marks and commas.
void add_wide(std::string_view text, std::uint32_t wide, TextCounts& counts) {
  counts.chars += wide;
  for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
    if (text[at] != '\xE3' && text[at] != '\xEF') continue;
    const std::string_view character = text.substr(at, 3);
    if (character == "\u3002" || character == "\uFF01" || character == "\uFF1F") ++counts.marks;
    if (character == "\u3001" || character == "\uFF0C" || character == "\uFF1B") ++counts.commas;
  }
}

#if defined(__x86_64__)

enum class Counted : std::uint8_t { all, chars };

constexpr std::size_t kBlock = 32;
constexpr char kNothing = '\x80';  // a byte that is not counted

// Each helper needs the target attribute, because GCC does not inline a function into one with another
// target.
#define SHEAF_AVX2 __attribute__((target("avx2,popcnt,bmi"), always_inline)) inline

SHEAF_AVX2 __m256i is_between(__m256i bytes, char first, char last) {
  const __m256i offset = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(offset, _mm256_set1_epi8(static_cast<char>(last - first))),
                           offset);
}
SHEAF_AVX2 __m256i is_byte(__m256i bytes, char byte) {
  return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte));
}
SHEAF_AVX2 std::uint32_t mask_of(__m256i flags) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(flags));
}
SHEAF_AVX2 std::uint32_t count_of(__m256i flags) {
  return static_cast<std::uint32_t>(_mm_popcnt_u32(mask_of(flags)));
}

/// Loads the block at `p`, a pointer into the text. Bytes after the text are replaced with kNothing.
SHEAF_AVX2 __m256i load_block(PaddedText text, const char* p) {
  const auto size = static_cast<std::size_t>(text.end() - p);
  if (text.can_read(p, kBlock)) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    if (size >= kBlock) return bytes;
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                                            19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    const __m256i within = _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(size)), places);
    return _mm256_blendv_epi8(_mm256_set1_epi8(kNothing), bytes, within);
  }
  alignas(kBlock) std::array<char, kBlock> copy;
  copy.fill(kNothing);
  std::memcpy(copy.data(), p, std::min(size, kBlock));
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(copy.data()));
}

template <Counted counted>
__attribute__((target("avx2,popcnt,bmi"))) TextCounts count_avx2(PaddedText text) {
  TextCounts counts;
  std::uint32_t wide = 0;
  std::uint32_t after_space = 0;  // whether the byte before the block is white space
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end; p += kBlock) {
    const auto left = static_cast<std::size_t>(end - p);
    const __m256i bytes = load_block(text, p);
    const __m256i space = _mm256_or_si256(
        is_byte(bytes, ' '), _mm256_andnot_si256(is_byte(bytes, '\v'), is_between(bytes, '\t', '\r')));
    const __m256i inside = _mm256_cmpgt_epi8(_mm256_set1_epi8('\xC0'), bytes);  // 80 to BF: not a first byte
    const std::uint32_t spaces = mask_of(space);
    const std::uint32_t firsts = ~(spaces | mask_of(inside));
    counts.chars += static_cast<std::uint32_t>(_mm_popcnt_u32(firsts));
    const std::uint32_t within = left >= kBlock ? ~0U : (1U << left) - 1U;
    counts.word_gaps +=
        static_cast<std::uint32_t>(_mm_popcnt_u32(within & ~spaces & ((spaces << 1U) | after_space)));
    after_space = spaces >> 31U;
    wide += count_of(is_between(bytes, '\xE3', '\xEF'));
    if constexpr (counted == Counted::chars) continue;
    counts.digits += count_of(is_between(bytes, '0', '9'));
    counts.capitals += count_of(is_between(bytes, 'A', 'Z'));
    counts.marks += count_of(
        _mm256_or_si256(is_byte(bytes, '.'), _mm256_or_si256(is_byte(bytes, '!'), is_byte(bytes, '?'))));
    counts.commas += count_of(_mm256_or_si256(is_byte(bytes, ','), is_byte(bytes, ';')));
    counts.handles += count_of(is_byte(bytes, '@'));
  }
  if (wide > 0) add_wide(text, wide, counts);
  return counts;
}

#define SHEAF_AVX512 __attribute__((target("avx512bw,popcnt,bmi"), always_inline)) inline

SHEAF_AVX512 std::uint64_t mask_between(__m512i bytes, char first, char last) {
  const __m512i offset = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first));
  return _mm512_cmple_epu8_mask(offset, _mm512_set1_epi8(static_cast<char>(last - first)));
}
SHEAF_AVX512 std::uint64_t mask_byte(__m512i bytes, char byte) {
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte));
}
SHEAF_AVX512 std::uint32_t count_bits(std::uint64_t mask) {
  return static_cast<std::uint32_t>(_mm_popcnt_u64(mask));
}

/// Like count_avx2() with blocks of 64 bytes, so most texts fit in one block. Masked loads need no padding.
template <Counted counted>
__attribute__((target("avx512bw,popcnt,bmi"))) TextCounts count_avx512(PaddedText text) {
  TextCounts counts;
  std::uint32_t wide = 0;
  std::uint64_t after_space = 0;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end; p += 64) {
    const std::uint64_t within = end - p >= 64 ? ~0ULL : (1ULL << static_cast<unsigned>(end - p)) - 1U;
    const __m512i bytes = _mm512_maskz_loadu_epi8(within, p);  // the rest is 0, which is not counted
    const std::uint64_t spaces =
        mask_byte(bytes, ' ') | (mask_between(bytes, '\t', '\r') & ~mask_byte(bytes, '\v'));
    const std::uint64_t inside = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8('\xC0'));
    counts.chars += count_bits(within & ~(spaces | inside));
    counts.word_gaps += count_bits(within & ~spaces & ((spaces << 1U) | after_space));
    after_space = spaces >> 63U;
    wide += count_bits(mask_between(bytes, '\xE3', '\xEF'));
    if constexpr (counted == Counted::chars) continue;
    counts.digits += count_bits(mask_between(bytes, '0', '9'));
    counts.capitals += count_bits(mask_between(bytes, 'A', 'Z'));
    counts.marks += count_bits(mask_byte(bytes, '.') | mask_byte(bytes, '!') | mask_byte(bytes, '?'));
    counts.commas += count_bits(mask_byte(bytes, ',') | mask_byte(bytes, ';'));
    counts.handles += count_bits(mask_byte(bytes, '@'));
  }
  if (wide > 0) add_wide(text, wide, counts);
  return counts;
}

using CountText = TextCounts (*)(PaddedText text);

template <Counted counted>
CountText at_level(scan::Level level) {
  if (level == scan::Level::avx512) return count_avx512<counted>;
  if (level == scan::Level::avx2 && __builtin_cpu_supports("popcnt") != 0) return count_avx2<counted>;
  return [](PaddedText text) { return count_text_portable(text); };
}

const CountText best_count = at_level<Counted::all>(scan::best_level());
const CountText best_chars_count = at_level<Counted::chars>(scan::best_level());

#endif

}  // namespace

TextCounts count_text_portable(std::string_view text) {
  TextCounts counts;
  std::uint32_t wide = 0;
  std::uint64_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(at + kFieldLimit, text.size());
    std::uint64_t sums = 0;
    for (; at < end; ++at) {
      const std::uint64_t byte = kByteCounts[static_cast<unsigned char>(text[at])];
      sums += byte;
      counts.word_gaps +=
          static_cast<std::uint32_t>((before & ~byte) >> 56U);  // the first byte after a space
      before = byte;
    }
    counts.chars += field(sums, kCharOne);
    wide += field(sums, kWideOne);
    counts.digits += field(sums, kDigitOne);
    counts.capitals += field(sums, kCapitalOne);
    counts.marks += field(sums, kMarkOne);
    counts.commas += field(sums, kCommaOne);
    counts.handles += field(sums, kHandleOne);
  }
  if (wide > 0) add_wide(text, wide, counts);
  return counts;
}

TextCounts count_text(PaddedText text) {
#if defined(__x86_64__)
  return best_count(text);
#else
  return count_text_portable(text);
#endif
}

TextCounts count_chars(PaddedText text) {
#if defined(__x86_64__)
  return best_chars_count(text);
#else
  return count_text(text);
#endif
}

TextCounts count_text(scan::Level level, PaddedText text) {
#if defined(__x86_64__)
  return at_level<Counted::all>(level)(text);
#else
  (void)level;
  return count_text(text);
#endif
}

}  // namespace sheaf::text
