#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::base {

/// BLAKE2b of a stream of bytes (RFC 7693), without a key. OpenSSL 3.0 has it for 64 bytes only, and minisign
/// also needs 32.
class Blake2b {
 public:
  /// The size of the digest in bytes, from 1 to 64. It is part of the hash: a shorter digest is not the
  /// beginning of a longer one.
  explicit Blake2b(std::size_t digest_bytes);

  void update(std::string_view bytes);
  /// The digest of everything so far. Call it once.
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
