#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/access_log.h"
#include "sheaf/http/client_address.h"
#include "sheaf/http/message.h"
#include "sheaf/http/metrics.h"
#include "sheaf/http/rate_limiter.h"
#include "sheaf/http/request_target.h"
#include "sheaf/http/resource.h"
#include "sheaf/http/tls_files.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http {

/// A request with everything checked that does not depend on what is served: its target is a path, its fields
/// are well-formed. The views live as long as the call.
struct Request {
  Method method = Method::get;
  std::string_view path;  ///< decoded
  std::string_view query;
  bool has_encoded_slash = false;
  Fields fields;
};

/// What to answer: a resource, from which status and range follow, or a status with a sentence.
struct Answer {
  std::shared_ptr<const Resource> resource;
  unsigned status = 404;
  std::vector<Header> headers;
  std::string text;  ///< without a line feed; for errors one sentence, which follows the status
  std::string content_type = "text/plain; charset=utf-8";
};

/// What is behind a server. Called from several threads at once, for GET and HEAD only.
class Site {
 public:
  virtual ~Site() = default;
  virtual Answer answer(const Request& request) = 0;
  /// About once a second.
  virtual void tick() {}
};

struct ServerOptions {
  unsigned threads = 2;
  std::size_t most_connections = 10'000;
  std::size_t most_connections_per_client = 0;  ///< 0: no limit
  /// For a whole request, for a kept connection to be used again, and for a download to go on.
  std::chrono::milliseconds timeout{60'000};
  std::uint64_t bandwidth = 0;  ///< bytes a second for each connection; 0: no limit
  std::optional<TlsFiles> tls = {};
  RateLimit rate = {};
  std::vector<Network> trusted_proxies = {};
  AccessLog* access_log = nullptr;                   ///< must outlive the server
  std::function<void(const std::string&)> log = {};  ///< one line for the operator; from any thread
};

/// An HTTP/1.1 server: a pool of threads, each with an epoll loop of its own, and sendfile.
class Server {
 public:
  static base::Result<std::unique_ptr<Server>> start(std::vector<base::FileDescriptor> listeners, Site& site,
                                                     Metrics& metrics, ServerOptions options);
  virtual ~Server() = default;

  /// New connections get this certificate; those that are open keep theirs.
  virtual base::Result<void> replace_certificate(const TlsFiles& files) = 0;

  /// Stops listening, closes idle connections, and lets answers under way end. Returns at once.
  virtual void drain() = 0;
  /// Waits, for at most `limit`, until no connection is left; true if none is.
  virtual bool wait_until_empty(std::chrono::milliseconds limit) = 0;
  /// Breaks off what is still under way and ends the threads; so does the destructor.
  virtual void stop() = 0;
};

}  // namespace sheaf::http
