#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>

namespace sheaf::http::server {

/// A certificate chain and its matching private key.
struct TlsFiles {
  std::string certificate_pem;
  std::string key_pem;
  std::int64_t expires = 0;  ///< of the first certificate, seconds since 1970
};

/// Reads both files. Fails if they are not PEM, the key is encrypted or does not match the certificate, or
/// the certificate is expired or not yet valid. The message names the file.
base::Result<TlsFiles> load_tls_files(const std::string& certificate, const std::string& key,
                                      std::int64_t now);

}  // namespace sheaf::http::server
