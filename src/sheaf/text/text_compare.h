#pragma once

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sheaf::text {

/// Whether comparisons ignore the case of ASCII letters. The HTML standard uses no other case folding.
enum class TextCase : std::uint8_t { exact, ignore };

using base::is_space;
using base::lower_ascii;
using base::trim_space;

constexpr bool equal_text(std::string_view a, std::string_view b, TextCase text_case) {
  if (a.size() != b.size()) return false;
  if (text_case == TextCase::exact) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower_ascii(a[i]) != lower_ascii(b[i])) return false;
  return true;
}

/// Removes and returns the first word of a list of words separated by white space; empty at the end.
constexpr std::string_view take_word(std::string_view& list) {
  std::size_t begin = 0;
  while (begin < list.size() && is_space(list[begin])) ++begin;
  std::size_t end = begin;
  while (end < list.size() && !is_space(list[end])) ++end;
  const std::string_view word = list.substr(begin, end - begin);
  list.remove_prefix(end);
  return word;
}

/// Whether a list of words separated by white space has `word`.
constexpr bool has_word(std::string_view list, std::string_view word, TextCase text_case) {
  if (word.empty()) return false;
  for (std::size_t at = 0; at < list.size();) {
    if (is_space(list[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < list.size() && !is_space(list[end])) ++end;
    if (equal_text(list.substr(at, end - at), word, text_case)) return true;
    at = end;
  }
  return false;
}

// Hashes that identify texts within one page. They are never stored and differ between machines. An author
// can prepare collisions in a page, but that only affects the extraction of that page. Collisions must not
// make extraction slow either, so searches in hash tables are bounded (find_slot).

constexpr std::uint64_t mix_hash(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

template <class T>
inline std::uint64_t load_as(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Loads a text of at most eight bytes as a number; for each size, different texts give different numbers. It
/// uses overlapping loads instead of a copy to a buffer, because loading bytes that were just stored one by
/// one would stall.
inline std::uint64_t load_short(const char* bytes, std::size_t size) {
  if (size >= 4) return load_as<std::uint32_t>(bytes) << 32U | load_as<std::uint32_t>(bytes + size - 4);
  if (size == 0) return 0;
  return load_as<std::uint8_t>(bytes) << 16U | load_as<std::uint8_t>(bytes + size / 2) << 8U |
         load_as<std::uint8_t>(bytes + size - 1);
}

/// Multiplies two numbers and combines the halves of the product with XOR, so that every bit of the result
/// depends on all bits of both, even if texts differ only in a few digits.
inline std::uint64_t fold_hash(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

inline std::uint64_t hash_text(std::string_view text) {
  constexpr std::uint64_t kFront = 0xD6E8FEB86659FD93U;
  constexpr std::uint64_t kBack = 0xA0761D6478BD642FU;
  std::uint64_t hash = mix_hash(0, text.size());
  if (text.size() <= 8) return mix_hash(hash, load_short(text.data(), text.size()));
  const char* const p = text.data();
  const char* const end = p + text.size();
  if (text.size() <= 32) {
    // Four overlapping loads cover the whole text without branches.
    hash = fold_hash(hash ^ load_as<std::uint64_t>(p),
                     kFront ^ load_as<std::uint64_t>(std::min(p + 8, end - 8)));
    return fold_hash(hash ^ load_as<std::uint64_t>(std::max(p, end - 16)),
                     kBack ^ load_as<std::uint64_t>(end - 8));
  }
  for (const char* at = p; at < end - 16; at += 16)
    hash = fold_hash(hash ^ load_as<std::uint64_t>(at), kFront ^ load_as<std::uint64_t>(at + 8));
  return fold_hash(hash ^ load_as<std::uint64_t>(end - 16), kBack ^ load_as<std::uint64_t>(end - 8));
}

/// Linear probing: returns the first slot, starting at the home slot of the hash, for which `ends` is true.
/// `slots` is a power of two. After 64 slots it gives up and returns a slot for which `ends` may be false,
/// because that many collisions are deliberate.
template <class Ends>
std::size_t find_slot(std::uint64_t hash, std::size_t slots, Ends ends) {
  constexpr int kMaxSteps = 64;
  std::size_t at = hash & (slots - 1);
  for (int step = 0; step < kMaxSteps && !ends(at); ++step) at = (at + 1) & (slots - 1);
  return at;
}

}  // namespace sheaf::text
