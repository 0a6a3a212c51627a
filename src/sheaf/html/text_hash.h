#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sheaf::html {

// Hashes for telling texts of one page apart. They are not kept, differ between machines, and are no guard
// against texts made to collide: who has their own page misjudged that way harms nobody else.

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

/// At most eight bytes as a number, the same for the same bytes. Two loads that overlap instead of a copy of
/// so many bytes: texts are short, and a copy waits for its own writes.
inline std::uint64_t load_short(const char* bytes, std::size_t size) {
  if (size >= 4) return load_as<std::uint32_t>(bytes) << 32U | load_as<std::uint32_t>(bytes + size - 4);
  if (size == 0) return 0;
  return load_as<std::uint8_t>(bytes) << 16U | load_as<std::uint8_t>(bytes + size / 2) << 8U |
         load_as<std::uint8_t>(bytes + size - 1);
}

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t hash = mix_hash(seed, text.size());
  if (text.size() <= 8) return mix_hash(hash, load_short(text.data(), text.size()));
  for (std::size_t at = 0; at + 8 < text.size(); at += 8)
    hash = mix_hash(hash, load_as<std::uint64_t>(text.data() + at));
  return mix_hash(hash, load_as<std::uint64_t>(text.data() + text.size() - 8));
}

}  // namespace sheaf::html
