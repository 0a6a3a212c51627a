#include "sheaf/http/server/tls_files.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/http/message/http_date.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <memory>

namespace sheaf::http::server {
namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

base::Result<std::string> read_pem(const std::string& path) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(path));
  return base::read_whole(*source, kMaxBytes);
}

/// Without this callback, OpenSSL would ask for the password of an encrypted key on the terminal.
int refuse_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*unused*/) { return -1; }

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0;
}

}  // namespace

base::Result<TlsFiles> load_tls_files(const std::string& certificate_path, const std::string& key_path,
                                      std::int64_t now) {
  const auto bad = [](std::string message) {
    return base::fail(base::Errc::invalid_data, std::move(message));
  };
  TlsFiles files;
  SHEAF_TRY_ASSIGN(files.certificate_pem, read_pem(certificate_path));
  SHEAF_TRY_ASSIGN(files.key_pem, read_pem(key_path));
  const Bio certificate_bio(
      BIO_new_mem_buf(files.certificate_pem.data(), static_cast<int>(files.certificate_pem.size())),
      &BIO_free);
  const Certificate certificate(PEM_read_bio_X509(certificate_bio.get(), nullptr, refuse_password, nullptr),
                                &X509_free);
  ERR_clear_error();
  if (!certificate)
    return bad(fmt::format("{} holds no certificate in PEM form (BEGIN CERTIFICATE)", certificate_path));
  const Bio key_bio(BIO_new_mem_buf(files.key_pem.data(), static_cast<int>(files.key_pem.size())), &BIO_free);
  const Key key(PEM_read_bio_PrivateKey(key_bio.get(), nullptr, refuse_password, nullptr), &EVP_PKEY_free);
  ERR_clear_error();
  if (!key)
    return bad(
        fmt::format("{} holds no private key in PEM form without a password (BEGIN PRIVATE KEY)", key_path));
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!fits)
    return bad(fmt::format("the key in {} does not match the certificate in {}", key_path, certificate_path));
  files.expires = seconds_of(X509_get0_notAfter(certificate.get()));
  if (files.expires < now)
    return bad(fmt::format("the certificate in {} expired on {}", certificate_path,
                           message::format_http_date(files.expires)));
  if (const std::int64_t begins = seconds_of(X509_get0_notBefore(certificate.get())); begins > now)
    return bad(fmt::format("the certificate in {} is not valid before {}", certificate_path,
                           message::format_http_date(begins)));
  return files;
}

}  // namespace sheaf::http::server
