#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The cost parameters of scrypt.
struct ScryptCost {
  std::uint64_t n = 0;  ///< a power of two
  std::uint32_t r = 0;
  std::uint32_t p = 0;

  /// The memory needed, in bytes.
  [[nodiscard]] std::uint64_t memory() const { return 128 * n * r; }
};

/// Derives a key of `bytes` bytes from a passphrase with scrypt (RFC 7914), computed by OpenSSL. Fails with
/// Errc::invalid_argument if the cost is not valid or needs more memory than is available.
Result<std::string> scrypt(std::string_view passphrase, std::string_view salt, const ScryptCost& cost,
                           std::size_t bytes);

}  // namespace sheaf::base
