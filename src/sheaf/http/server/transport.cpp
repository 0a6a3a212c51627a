#include "sheaf/http/server/transport.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

namespace {

/// Maximum bytes per sendfile(), so that one fast client does not delay the others of its thread.
constexpr std::uint64_t kSendfileBytes = 1U << 20U;

IoResult result_of(ssize_t count, IoStatus blocked) {
  if (count >= 0) return {IoStatus::done, static_cast<std::size_t>(count), true};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {blocked, 0, true};
  return {IoStatus::failed, 0, true};
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(int socket) : socket_(socket) {}

  IoResult read(std::span<char> out) override {
    IoResult result = result_of(recv(socket_, out.data(), out.size(), 0), IoStatus::wants_read);
    result.may_have_more = result.count == out.size();
    return result;
  }
  IoResult write(std::string_view bytes, More more) override {
    const int flags = MSG_NOSIGNAL | (more == More::yes ? MSG_MORE : 0);
    return result_of(send(socket_, bytes.data(), bytes.size(), flags), IoStatus::wants_write);
  }
  IoResult write_file(int file, std::uint64_t offset, std::uint64_t count) override {
    auto at = static_cast<off_t>(offset);
    return result_of(sendfile(socket_, file, &at, static_cast<std::size_t>(std::min(count, kSendfileBytes))),
                     IoStatus::wants_write);
  }
  void finish() override { shutdown(socket_, SHUT_WR); }

 private:
  int socket_;
};

struct SslDeleter {
  void operator()(SSL* session) const { SSL_free(session); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <class T>
using Owned = std::unique_ptr<T, SslDeleter>;

class TlsTransport final : public Transport {
 public:
  TlsTransport(Owned<SSL> session, int socket) : session_(std::move(session)), socket_(socket) {}

  IoResult read(std::span<char> out) override {
    ERR_clear_error();
    std::size_t count = 0;
    const int success = SSL_read_ex(session_.get(), out.data(), out.size(), &count);
    return judge(success, count, true);
  }
  IoResult write(std::string_view bytes, More /*more*/) override {
    ERR_clear_error();
    std::size_t count = 0;
    const int success = SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &count);
    return judge(success, count, false);
  }
  IoResult write_file(int file, std::uint64_t offset, std::uint64_t count) override {
    // One record at a time. If the socket is full, the same bytes are read again: OpenSSL requires a retry
    // with the same data.
    std::array<char, 16'384> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by pread
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer.size()));
    const ssize_t got = pread(file, buffer.data(), wanted, static_cast<off_t>(offset));
    if (got < 0) return {IoStatus::failed, 0, true};
    if (got == 0) return {IoStatus::done, 0, true};
    return write({buffer.data(), static_cast<std::size_t>(got)}, More::no);
  }
  void finish() override {
    if (!failed_) SSL_shutdown(session_.get());
    ERR_clear_error();
    shutdown(socket_, SHUT_WR);
  }

 private:
  IoResult judge(int success, std::size_t count, bool reading) {
    if (success == 1) return {IoStatus::done, count, true};
    switch (SSL_get_error(session_.get(), success)) {
      case SSL_ERROR_WANT_READ: return {IoStatus::wants_read, 0, true};
      case SSL_ERROR_WANT_WRITE: return {IoStatus::wants_write, 0, true};
      case SSL_ERROR_ZERO_RETURN:
        if (reading) return {IoStatus::done, 0, true};
        [[fallthrough]];
      default: failed_ = true; return {IoStatus::failed, 0, true};
    }
  }

  Owned<SSL> session_;
  int socket_;
  bool failed_ = false;  ///< after an error, close_notify must not be sent
};

class OpenSslContext final : public TlsContext {
 public:
  explicit OpenSslContext(Owned<SSL_CTX> context) : context_(std::move(context)) {}

  [[nodiscard]] std::unique_ptr<Transport> wrap(int socket) const override {
    Owned<SSL> session(SSL_new(context_.get()));
    if (!session || SSL_set_fd(session.get(), socket) != 1) return nullptr;
    SSL_set_accept_state(session.get());
    return std::make_unique<TlsTransport>(std::move(session), socket);
  }

 private:
  Owned<SSL_CTX> context_;
};

/// Selects "http/1.1" if the client offers it. Other clients continue without ALPN.
int choose_protocol(SSL* /*session*/, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void* /*unused*/) {
  constexpr std::string_view kProtocol("\x08http/1.1", 9);
  const auto* own = reinterpret_cast<const unsigned char*>(kProtocol.data());
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_size, own, kProtocol.size(), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// The first certificate is the server's; the others are its chain.
bool use_files(SSL_CTX* context, const TlsFiles& files) {
  const Owned<BIO> chain(
      BIO_new_mem_buf(files.certificate_pem.data(), static_cast<int>(files.certificate_pem.size())));
  const Owned<X509> own(PEM_read_bio_X509_AUX(chain.get(), nullptr, refuse_password, nullptr));
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) return false;
  while (Owned<X509> next{PEM_read_bio_X509(chain.get(), nullptr, refuse_password, nullptr)}) {
    if (SSL_CTX_add0_chain_cert(context, next.get()) != 1) return false;
    [[maybe_unused]] X509* const taken = next.release();
  }
  ERR_clear_error();  // reaching the end of the file is reported as an error
  const Owned<BIO> text(BIO_new_mem_buf(files.key_pem.data(), static_cast<int>(files.key_pem.size())));
  const Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(text.get(), nullptr, refuse_password, nullptr));
  return key && SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

}  // namespace

std::unique_ptr<Transport> plain_transport(int socket) { return std::make_unique<PlainTransport>(socket); }

base::Result<std::shared_ptr<const TlsContext>> TlsContext::create(const TlsFiles& files) {
  Owned<SSL_CTX> context(SSL_CTX_new(TLS_server_method()));
  const bool ready = context && SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) == 1 &&
                     use_files(context.get(), files);
  if (!ready) {
    std::array<char, 256> reason{};
    ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
    ERR_clear_error();
    return base::fail(base::Errc::invalid_data,
                      std::string("the certificate cannot be used: ") + reason.data());
  }
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context.get(),
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_alpn_select_cb(context.get(), &choose_protocol, nullptr);
  return std::make_shared<const OpenSslContext>(std::move(context));
}

}  // namespace sheaf::http::server
