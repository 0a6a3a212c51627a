#include "sheaf/html/scan_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sheaf::html::scan {
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

#endif

FindAny at_level(Level level) {
#if defined(__x86_64__)
  if (level == Level::avx2) return find_any_avx2;
  if (level == Level::sse2) return find_any_sse2;
#else
  (void)level;
#endif
  return find_any_portable;
}

}  // namespace

Level best_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // we may be called before the compiler's own constructor ran
  return __builtin_cpu_supports("avx2") ? Level::avx2 : Level::sse2;
#else
  return Level::portable;
#endif
}

const FindAny find_any_far = at_level(best_level());

const char* find_any(Level level, const char* p, const char* end, char a, char b, char c, char d) {
  return at_level(level)(p, end, a, b, c, d);
}

const char* skip_space(const char* p, const char* end) {
  while (p != end && is_space(*p)) ++p;
  return p;
}

}  // namespace sheaf::html::scan
