#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/server/access_log.h"
#include "sheaf/http/server/transport.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Our own server, because libmicrohttpd 0.9.75 cannot give correct responses: it sends a Content-Length in a
// 304, two heads after a malformed Content-Length, nothing after a malformed request line, and damages folded
// fields; and it holds 40 KiB per idle connection. A packaged library that passes tests/serve/conduct would
// replace it.
namespace sheaf::http::server {

/// One version of a file, ready to be sent many times. It holds the validators for conditional requests, the
/// response headers, and an open descriptor, so it stays intact when the file is replaced.
class Resource {
 public:
  /// `headers` are those of a 200 response, except ETag, Last-Modified and Accept-Ranges, which follow from
  /// `representation`.
  Resource(base::FileDescriptor file, message::Representation representation,
           std::vector<message::Header> headers);

  [[nodiscard]] const message::Representation& representation() const { return representation_; }
  [[nodiscard]] const std::vector<message::Header>& headers() const { return headers_; }
  [[nodiscard]] int descriptor() const { return file_.get(); }

  /// Formatted header lines: all of them, or only those that a 304 repeats.
  [[nodiscard]] const std::string& full_lines() const { return full_lines_; }
  [[nodiscard]] const std::string& cache_lines() const { return cache_lines_; }

 private:
  base::FileDescriptor file_;
  message::Representation representation_;
  std::vector<message::Header> headers_;
  std::string full_lines_;
  std::string cache_lines_;
};

/// Appends "Name: value" and CRLF.
void append_header_line(std::string& out, std::string_view name, std::string_view value);

/// A response body that is made while it is sent, such as a feed of events. Only the thread of its connection
/// calls it.
class BodyStream {
 public:
  struct Piece {
    std::string bytes;  ///< empty: nothing yet
    bool is_last = false;
  };
  virtual ~BodyStream() = default;
  /// Returns the next piece. Called when the socket has accepted everything before it, and about once a
  /// second while there is nothing to send. So the server holds only one piece per client, and a slow client
  /// delays only itself.
  virtual Piece next() = 0;
};

/// Takes the body of a large POST piece by piece, instead of Request::body.
class BodySink {
 public:
  virtual ~BodySink() = default;
  [[nodiscard]] virtual std::uint64_t most_bytes() const = 0;  ///< a larger body is answered with 413
  /// Returns false if the bytes cannot be stored; the client then gets a 500.
  virtual bool take(std::string_view bytes) = 0;
};

/// A well-formed request: its target is a path and its fields are valid. The views are valid during the call.
struct Request {
  message::Method method = message::Method::get;
  std::string_view path;  ///< decoded
  std::string_view query;
  bool has_encoded_slash = false;
  message::Fields fields;
  std::string_view body = {};           ///< of a POST
  std::shared_ptr<BodySink> sink = {};  ///< has the body, if begin_upload() returned one
  std::string_view target = {};         ///< path and query as they were sent
  bool is_secure = false;               ///< over TLS
  message::ClientAddress client = {};
};

/// The response: a resource, which determines status and range, or a status with a text or a stream.
struct Response {
  std::shared_ptr<const Resource> resource;
  unsigned status = 404;
  std::vector<message::Header> headers;  ///< with a resource, only those of a 200 or 206
  /// In plain text with a status of 300 or more: one sentence without a line feed, which the server puts
  /// after the status. Otherwise the whole body.
  std::string text;
  std::string content_type = "text/plain; charset=utf-8";
  std::shared_ptr<BodyStream> stream = {};  ///< the body, instead of `text`
  std::string identity = {};                ///< the verified identity of the client, for the access log
};

/// Handles the GET and HEAD requests of a server, and POST requests if takes_posts(). Called from several
/// threads at once.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  virtual Response respond(const Request& request) = 0;
  /// Whether POST requests are passed to respond(), with bodies of up to message::kMaxBodyBytes. Otherwise
  /// they are answered with 405.
  [[nodiscard]] virtual bool takes_posts() const { return false; }
  /// Called with the head of a POST that announces a body. Returns a sink that receives the body instead of
  /// Request::body, for larger bodies than that holds. Returns nullptr if Request::body is enough, and for
  /// requests that respond() is going to refuse.
  virtual std::shared_ptr<BodySink> begin_upload(const Request& /*head*/) { return nullptr; }
  /// Called about once a second.
  virtual void tick() {}
};

struct RateLimit {
  double requests_per_second = 0;  ///< 0: no limit
  double burst = 1;                ///< requests allowed at once after a pause; at least 1
  std::size_t clients = 65'536;    ///< number of clients tracked at a time
};

/// A token bucket per client address (an IPv6 /64 is one client), in a fixed amount of memory. If there are
/// more clients than entries, the fullest bucket is evicted: that client gains the least. The position of an
/// entry depends on a random key, so an attacker cannot choose whom to evict. The caller provides the clock.
/// Thread-safe.
class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit RateLimiter(const RateLimit& limit, base::HashKey key = base::HashKey::random());

  /// Takes a token. Nullopt: the request is allowed. Otherwise the wait until the next token.
  std::optional<std::chrono::milliseconds> take(const message::ClientAddress& client, Time now);

 private:
  struct Entry {
    message::ClientAddress key;
    std::int64_t full_at_ns = 0;  ///< when the bucket will be full; a time in the past means that it is
    bool used = false;
  };
  static constexpr std::size_t kWays = 8;
  using Set = std::array<Entry, kWays>;

  Entry& find(Set& set, const message::ClientAddress& key, std::int64_t now);

  double interval_ns_;  ///< time to refill one token
  double burst_;
  base::HashKey hash_key_;
  std::vector<Set> sets_;
  std::array<std::mutex, 64> locks_;  ///< locks_[i] guards the sets whose index is i modulo 64
};

/// Listens on "ADDRESS:PORT": 127.0.0.1:8080, [::1]:8080, localhost:8080, or :8080 and *:8080 for all IPv6
/// and IPv4 addresses. With port 0 the system chooses a port. A name with several addresses gives several
/// sockets. Fails if the address is malformed, in use or not permitted; the message names the address.
base::Result<std::vector<base::FileDescriptor>> listen_on(std::string_view address);

/// Adopts a socket passed by a service manager. Fails if it is not listening.
base::Result<void> adopt_listener(int descriptor);

/// Where a socket listens, for messages and tests: "127.0.0.1:8080", "[::]:8080", "unix:/run/x".
std::string describe_listener(int descriptor);

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
