#include "sheaf/text/text_finder.h"

#include "sheaf/base/ascii.h"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sheaf::text {
namespace {

/// The most frequent bytes of JSON with English text, in descending order. All other bytes are rarer.
constexpr std::string_view kFrequent = " etaoinsrlhdcu\"pmfgy,bw.v:{}k0T1SAICx2()-_3PM4DE5RNL/B";

std::size_t rarity(char c) {
  const std::size_t rank = kFrequent.find(c);
  return rank == std::string_view::npos ? kFrequent.size() : rank;
}

}  // namespace

TextFinder::TextFinder(std::string_view needle, LetterCase letters, scan::Level level)
    : needle_(needle), letters_(letters), level_(level) {
  if (letters_ == LetterCase::ignore_ascii) needle_ = base::lower_text(needle_);
  if (needle_.empty()) return;
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < needle_.size(); ++i)
    if (rarity(needle_[i]) > rarity(needle_[rarest])) rarest = i;
  std::size_t next = rarest == 0 ? needle_.size() - 1 : 0;
  for (std::size_t i = 0; i < needle_.size(); ++i)
    if (i != rarest && rarity(needle_[i]) > rarity(needle_[next])) next = i;
  first_ = probe_at(rarest);
  second_ = probe_at(next);
}

TextFinder::Probe TextFinder::probe_at(std::size_t offset) const {
  constexpr char kCaseBit = 0x20;
  const char byte = needle_[offset];
  const bool ignores_case = letters_ == LetterCase::ignore_ascii && base::is_letter(byte);
  return {offset, byte, ignores_case ? kCaseBit : char{0}};
}

bool TextFinder::is_at(const char* p) const {
  if (letters_ == LetterCase::exact) return std::memcmp(p, needle_.data(), needle_.size()) == 0;
  for (std::size_t i = 0; i < needle_.size(); ++i)
    if (base::lower_ascii(p[i]) != needle_[i]) return false;
  return true;
}

/// find_narrow(), find_sse2() and find_avx2() return the first position in [p, last] where the needle begins,
/// or nullptr. They may read up to the end of a needle that begins at `last`.
const char* TextFinder::find_narrow(const char* p, const char* last) const {
  for (; p <= last; ++p)
    if ((p[first_.offset] | first_.ignored) == first_.byte && is_at(p)) return p;
  return nullptr;
}

#if defined(__x86_64__)

const char* TextFinder::find_sse2(const char* p, const char* last) const {
  const __m128i first = _mm_set1_epi8(first_.byte);
  const __m128i second = _mm_set1_epi8(second_.byte);
  const __m128i first_ignored = _mm_set1_epi8(first_.ignored);
  const __m128i second_ignored = _mm_set1_epi8(second_.ignored);
  const auto load = [](const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
  for (; last - p >= 15; p += 16) {
    const __m128i a = _mm_cmpeq_epi8(_mm_or_si128(load(p + first_.offset), first_ignored), first);
    const __m128i b = _mm_cmpeq_epi8(_mm_or_si128(load(p + second_.offset), second_ignored), second);
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(a, b)));
    for (; mask != 0; mask &= mask - 1)
      if (is_at(p + std::countr_zero(mask))) return p + std::countr_zero(mask);
  }
  return find_narrow(p, last);
}

__attribute__((target("avx2"))) const char* TextFinder::find_avx2(const char* p, const char* last) const {
  const __m256i first = _mm256_set1_epi8(first_.byte);
  const __m256i second = _mm256_set1_epi8(second_.byte);
  const __m256i first_ignored = _mm256_set1_epi8(first_.ignored);
  const __m256i second_ignored = _mm256_set1_epi8(second_.ignored);
  for (; last - p >= 31; p += 32) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + first_.offset));
    const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + second_.offset));
    const __m256i a = _mm256_cmpeq_epi8(_mm256_or_si256(x, first_ignored), first);
    const __m256i b = _mm256_cmpeq_epi8(_mm256_or_si256(y, second_ignored), second);
    auto mask = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_and_si256(a, b)));
    for (; mask != 0; mask &= mask - 1)
      if (is_at(p + std::countr_zero(mask))) return p + std::countr_zero(mask);
  }
  return find_sse2(p, last);
}

#endif

std::size_t TextFinder::find(std::string_view text, std::size_t from) const {
  if (from > text.size() || text.size() - from < needle_.size()) return std::string_view::npos;
  if (needle_.empty()) return from;
  const char* const begin = text.data() + from;
  const char* const last = text.data() + (text.size() - needle_.size());
  const char* found = nullptr;
#if defined(__x86_64__)
  if (level_ >= scan::Level::avx2)
    found = find_avx2(begin, last);
  else if (level_ == scan::Level::sse2)
    found = find_sse2(begin, last);
  else
#endif
    found = find_narrow(begin, last);
  return found == nullptr ? std::string_view::npos : static_cast<std::size_t>(found - text.data());
}

}  // namespace sheaf::text
