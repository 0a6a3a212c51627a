#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/message/client_address.h"
#include "sheaf/http/server/access_log.h"
#include "sheaf/http/server/metrics.h"
#include "sheaf/http/server/rate_limiter.h"
#include "sheaf/http/server/request_handler.h"
#include "sheaf/http/server/tls_files.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Our own server, because libmicrohttpd 0.9.75 cannot give correct responses: it sends a Content-Length in a
// 304, two heads after a malformed Content-Length, nothing after a malformed request line, and damages folded
// fields; and it holds 40 KiB per idle connection. A packaged library that passes tests/serve/conduct would
// replace it.

namespace sheaf::http::server {

struct ServerOptions {
  unsigned threads = 2;
  std::size_t most_connections = 10'000;
  std::size_t most_connections_per_client = 0;  ///< 0: no limit
  /// Timeout for receiving a whole request, for an idle connection, and for a stalled download.
  std::chrono::milliseconds timeout{60'000};
  std::uint64_t bandwidth = 0;  ///< bytes per second for each connection; 0: no limit
  std::optional<TlsFiles> tls = {};
  RateLimit rate = {};
  std::vector<message::Network> trusted_proxies = {};
  AccessLog* access_log = nullptr;                   ///< must outlive the server
  std::function<void(const std::string&)> log = {};  ///< one line for the operator; from any thread
};

/// An HTTP/1.1 server: a pool of threads, each with its own epoll loop, and sendfile.
class Server {
 public:
  static base::Result<std::unique_ptr<Server>> start(std::vector<base::FileDescriptor> listeners,
                                                     RequestHandler& handler, Metrics& metrics,
                                                     ServerOptions options);
  virtual ~Server() = default;

  /// New connections use this certificate. Open ones keep theirs.
  virtual base::Result<void> replace_certificate(const TlsFiles& files) = 0;

  /// Stops listening, closes idle connections, and lets responses under way finish. Returns at once.
  virtual void drain() = 0;
  /// Waits up to `limit` until no connection is left. Returns whether none is left.
  virtual bool wait_until_empty(std::chrono::milliseconds limit) = 0;
  /// Aborts open connections and ends the threads. The destructor does the same.
  virtual void stop() = 0;
};

}  // namespace sheaf::http::server
