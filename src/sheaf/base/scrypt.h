#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The cost of deriving a key from a passphrase.
struct ScryptCost {
  std::uint64_t n = 0;  ///< a power of two
  std::uint32_t r = 0;
  std::uint32_t p = 0;

  /// Memory that it takes, in bytes.
  [[nodiscard]] std::uint64_t memory() const { return 128 * n * r; }
};

/// scrypt (RFC 7914), by OpenSSL. Errc::invalid_argument if the cost is not valid, or if there is not enough
/// memory for it.
Result<std::string> scrypt(std::string_view passphrase, std::string_view salt, const ScryptCost& cost,
                           std::size_t bytes);

}  // namespace sheaf::base
