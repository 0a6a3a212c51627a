#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>

namespace sheaf::http {

/// A certificate chain and its key, checked to belong together.
struct TlsFiles {
  std::string certificate_pem;
  std::string key_pem;
  std::int64_t expires = 0;  ///< of the first certificate, seconds since 1970
};

/// Reads both files. The errors say which file, and what is wrong: not PEM, a key with a password, a key of
/// another certificate, a certificate that is expired or not valid yet.
base::Result<TlsFiles> load_tls_files(const std::string& certificate, const std::string& key,
                                      std::int64_t now);

}  // namespace sheaf::http
