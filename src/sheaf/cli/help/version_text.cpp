#include "sheaf/cli/help/version_text.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <libxml/xmlversion.h>
#include <openssl/crypto.h>
#include <simdjson.h>
#include <unicode/uversion.h>
#include <zlib.h>
#include <zstd.h>

#include <array>

namespace sheaf::cli {
namespace {

std::string icu_version() {
  UVersionInfo version{};
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace

// For libraries that do not report their version at run time (simdjson, libdeflate, libxml2), this
// is the version that we were built with.
std::string version_text() {
  // simdjson's version numbers belong to an unnamed enum, which fmt 10 does not format.
  constexpr int kMajor = simdjson::SIMDJSON_VERSION_MAJOR;
  constexpr int kMinor = simdjson::SIMDJSON_VERSION_MINOR;
  constexpr int kRevision = simdjson::SIMDJSON_VERSION_REVISION;
  return fmt::format("sheaf " SHEAF_VERSION
                     "\nwith simdjson {}.{}.{}, zstd {}, zlib {}, libdeflate {}, {}, ICU {}, libxml2 {}",
                     kMajor, kMinor, kRevision, ZSTD_versionString(), zlibVersion(),
                     LIBDEFLATE_VERSION_STRING, OpenSSL_version(OPENSSL_VERSION), icu_version(),
                     LIBXML_DOTTED_VERSION);
}

}  // namespace sheaf::cli
