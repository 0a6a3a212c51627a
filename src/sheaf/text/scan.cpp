#include "sheaf/text/scan.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sheaf::text::scan {
namespace {

const char* find_any_portable(const char* p, const char* end, char a, char b, char c, char d) {
  while (p != end && *p != a && *p != b && *p != c && *p != d) ++p;
  return p;
}

#if defined(__x86_64__)

const char* find_any_sse2(const char* p, const char* end, char a, char b, char c, char d) {
  const __m128i va = _mm_set1_epi8(a);
  const __m128i vb = _mm_set1_epi8(b);
  const __m128i vc = _mm_set1_epi8(c);
  const __m128i vd = _mm_set1_epi8(d);
  for (; end - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i ab = _mm_or_si128(_mm_cmpeq_epi8(bytes, va), _mm_cmpeq_epi8(bytes, vb));
    const __m128i cd = _mm_or_si128(_mm_cmpeq_epi8(bytes, vc), _mm_cmpeq_epi8(bytes, vd));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(ab, cd)));
    if (mask != 0) return p + std::countr_zero(mask);
  }
  return find_any_portable(p, end, a, b, c, d);
}

__attribute__((target("avx2"))) const char* find_any_avx2(const char* p, const char* end, char a, char b,
                                                          char c, char d) {
  const __m256i va = _mm256_set1_epi8(a);
  const __m256i vb = _mm256_set1_epi8(b);
  const __m256i vc = _mm256_set1_epi8(c);
  const __m256i vd = _mm256_set1_epi8(d);
  for (; end - p >= 32; p += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i ab = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, va), _mm256_cmpeq_epi8(bytes, vb));
    const __m256i cd = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, vc), _mm256_cmpeq_epi8(bytes, vd));
    const auto mask = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_or_si256(ab, cd)));
    if (mask != 0) return p + std::countr_zero(mask);
  }
  return find_any_sse2(p, end, a, b, c, d);
}

__attribute__((target("avx512bw,avx512vbmi2,popcnt,bmi"))) Collapsed copy_collapsed_avx512(const char* p,
                                                                                           const char* end,
                                                                                           char* to) {
  const __m512i blank = _mm512_set1_epi8(' ');
  std::uint64_t after_space = 0;  // whether the byte before the block is white space
  std::uint64_t ends_in_space = 0;
  for (; p < end; p += 64) {
    const auto size = static_cast<unsigned>(std::min<std::ptrdiff_t>(end - p, 64));
    const __mmask64 within = ~0ULL >> (64U - size);
    const __m512i bytes = _mm512_maskz_loadu_epi8(within, p);
    const __m512i offset = _mm512_sub_epi8(bytes, _mm512_set1_epi8('\t'));
    const __mmask64 controls = _mm512_cmple_epu8_mask(offset, _mm512_set1_epi8('\r' - '\t')) &
                               _mm512_cmpneq_epi8_mask(bytes, _mm512_set1_epi8('\v'));
    const __mmask64 white = controls | _mm512_cmpeq_epi8_mask(bytes, blank);
    const __mmask64 kept = within & ~(white & ((white << 1U) | after_space));
    const __m512i plain = _mm512_mask_mov_epi8(bytes, white, blank);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(kept, plain));
    to += std::popcount(kept);
    after_space = white >> 63U;
    ends_in_space = (white >> (size - 1U)) & 1U;
  }
  // `ends_in_space` is kept in a register because reading back the byte that was just written would stall.
  return {to - ends_in_space, ends_in_space != 0};
}

#endif

FindAny at_level(Level level) {
#if defined(__x86_64__)
  if (level >= Level::avx2) return find_any_avx2;
  if (level == Level::sse2) return find_any_sse2;
#else
  (void)level;
#endif
  return find_any_portable;
}

}  // namespace

Level best_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this may run before the constructor that the compiler provides for it
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")) return Level::avx512;
  return __builtin_cpu_supports("avx2") ? Level::avx2 : Level::sse2;
#else
  return Level::portable;
#endif
}

const FindAny find_any_wide = at_level(best_level());

#if defined(__x86_64__)
const CopyCollapsed copy_collapsed_wide = best_level() == Level::avx512 ? copy_collapsed_avx512 : nullptr;
#else
const CopyCollapsed copy_collapsed_wide = nullptr;
#endif

const char* find_any(Level level, const char* p, const char* end, char a, char b, char c, char d) {
  return at_level(level)(p, end, a, b, c, d);
}

const char* skip_space(const char* p, const char* end) {
  while (p != end && is_space(*p)) ++p;
  return p;
}

}  // namespace sheaf::text::scan
