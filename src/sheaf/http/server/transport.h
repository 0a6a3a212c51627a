#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

enum class IoStatus : std::uint8_t {
  done,         ///< `count` bytes were transferred; 0 for a read means that the client stopped sending
  wants_read,   ///< nothing was transferred: try again when the socket is readable
  wants_write,  ///< nothing was transferred: try again when the socket is writable
  failed,       ///< the connection is unusable
};

struct IoResult {
  IoStatus status = IoStatus::done;
  std::size_t count = 0;
  bool may_have_more = true;  ///< after a read: false if it emptied the socket
};

enum class More : bool { no, yes };

/// Sends and receives over a non-blocking socket, in plain text or TLS.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual IoResult read(std::span<char> out) = 0;
  /// `more`: further data follows at once, so the kernel may wait and send both together.
  virtual IoResult write(std::string_view bytes, More more) = 0;
  /// Sends a range of a file. 0 bytes: the file ends before the range.
  virtual IoResult write_file(int file, std::uint64_t offset, std::uint64_t count) = 0;
  /// Sends TLS close_notify if there is TLS, and stops writing.
  virtual void finish() = 0;
};

/// A certificate and key ready for many connections.
class TlsContext {
 public:
  static base::Result<std::shared_ptr<const TlsContext>> create(const TlsFiles& files);
  virtual ~TlsContext() = default;
  /// TLS 1.2 or 1.3 over a socket, which the caller still owns. Nullptr if out of memory.
  [[nodiscard]] virtual std::unique_ptr<Transport> wrap(int socket) const = 0;
};

/// The caller still owns the socket.
std::unique_ptr<Transport> plain_transport(int socket);

}  // namespace sheaf::http::server
