#include "sheaf/base/scrypt.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace sheaf::base {

Result<std::string> scrypt(std::string_view passphrase, std::string_view salt, const ScryptCost& cost,
                           std::size_t bytes) {
  constexpr std::uint64_t kOverhead = std::uint64_t{1} << 20;  // OpenSSL's limit includes its own buffers
  std::string key(bytes, '\0');
  const int done = EVP_PBE_scrypt(passphrase.data(), passphrase.size(),
                                  reinterpret_cast<const unsigned char*>(salt.data()), salt.size(), cost.n,
                                  cost.r, cost.p, cost.memory() + kOverhead * (cost.p + 1ULL),
                                  reinterpret_cast<unsigned char*>(key.data()), key.size());
  if (done == 1) return key;
  return fail(Errc::invalid_argument,
              fmt::format("cannot derive a key with scrypt N={} r={} p={}: the values are not valid, or {} "
                          "MiB of memory are not available",
                          cost.n, cost.r, cost.p, cost.memory() >> 20U));
}

}  // namespace sheaf::base
