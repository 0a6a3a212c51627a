#include "sheaf/base/blake2b.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace sheaf::base {
namespace {

constexpr std::array<std::uint64_t, 8> kStart = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                                 0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                                 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// Message schedule (SIGMA), RFC 7693, 2.7. The last two of the twelve rounds use the first two rows again.
constexpr std::array<std::array<std::uint8_t, 16>, 12> kOrder = {{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
}};

std::uint64_t as_little_endian(std::uint64_t value) {
  return std::endian::native == std::endian::little ? value : std::byteswap(value);
}

inline void mix(std::uint64_t& a, std::uint64_t& b, std::uint64_t& c, std::uint64_t& d, std::uint64_t x,
                std::uint64_t y) {
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

}  // namespace

Blake2b::Blake2b(std::size_t digest_bytes) : state_(kStart), digest_bytes_(digest_bytes) {
  assert(digest_bytes >= 1 && digest_bytes <= 64);
  state_[0] ^= 0x01010000U ^ digest_bytes;
}

void Blake2b::compress(const char* block, bool is_last) {
  std::array<std::uint64_t, 16> words;
  std::memcpy(words.data(), block, kBlock);
  for (std::uint64_t& word : words) word = as_little_endian(word);
  std::array<std::uint64_t, 16> v;
  std::ranges::copy(state_, v.begin());
  std::ranges::copy(kStart, v.begin() + 8);
  v[12] ^= total_;  // files of 2^64 bytes do not exist, so the upper half of the counter stays zero
  if (is_last) v[14] = ~v[14];
  for (const auto& order : kOrder) {
    mix(v[0], v[4], v[8], v[12], words[order[0]], words[order[1]]);
    mix(v[1], v[5], v[9], v[13], words[order[2]], words[order[3]]);
    mix(v[2], v[6], v[10], v[14], words[order[4]], words[order[5]]);
    mix(v[3], v[7], v[11], v[15], words[order[6]], words[order[7]]);
    mix(v[0], v[5], v[10], v[15], words[order[8]], words[order[9]]);
    mix(v[1], v[6], v[11], v[12], words[order[10]], words[order[11]]);
    mix(v[2], v[7], v[8], v[13], words[order[12]], words[order[13]]);
    mix(v[3], v[4], v[9], v[14], words[order[14]], words[order[15]]);
  }
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] ^= v[i] ^ v[i + 8];
}

void Blake2b::update(std::string_view bytes) {
  while (!bytes.empty()) {
    // A full buffer is compressed only when more bytes follow, because the last block needs a flag.
    if (buffered_ == kBlock) {
      total_ += kBlock;
      compress(buffer_.data(), false);
      buffered_ = 0;
    }
    if (buffered_ == 0 && bytes.size() > kBlock) {
      total_ += kBlock;
      compress(bytes.data(), false);
      bytes.remove_prefix(kBlock);
      continue;
    }
    const std::size_t taken = std::min(kBlock - buffered_, bytes.size());
    std::memcpy(buffer_.data() + buffered_, bytes.data(), taken);
    buffered_ += taken;
    bytes.remove_prefix(taken);
  }
}

std::string Blake2b::finish() {
  total_ += buffered_;
  std::memset(buffer_.data() + buffered_, 0, kBlock - buffered_);
  compress(buffer_.data(), true);
  for (std::uint64_t& word : state_) word = as_little_endian(word);
  std::string digest(digest_bytes_, '\0');
  std::memcpy(digest.data(), state_.data(), digest_bytes_);
  return digest;
}

std::string blake2b(std::string_view bytes, std::size_t digest_bytes) {
  Blake2b hash(digest_bytes);
  hash.update(bytes);
  return hash.finish();
}

}  // namespace sheaf::base
