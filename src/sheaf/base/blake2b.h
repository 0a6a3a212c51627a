#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::base {

/// BLAKE2b of a stream of bytes (RFC 7693), without a key. OpenSSL 3.0 supports only digests of 64 bytes, and
/// minisign also needs 32 bytes.
class Blake2b {
 public:
  /// `digest_bytes` is the size of the digest, from 1 to 64. The size is an input of the hash: a shorter
  /// digest is not a prefix of a longer one.
  explicit Blake2b(std::size_t digest_bytes);

  void update(std::string_view bytes);
  /// Returns the digest of all bytes so far. May be called only once.
  std::string finish();

 private:
  static constexpr std::size_t kBlock = 128;

  void compress(const char* block, bool is_last);

  std::array<std::uint64_t, 8> state_;
  std::array<char, kBlock> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t total_ = 0;
  std::size_t digest_bytes_;
};

std::string blake2b(std::string_view bytes, std::size_t digest_bytes);

}  // namespace sheaf::base
