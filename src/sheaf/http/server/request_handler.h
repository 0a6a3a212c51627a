#pragma once

#include "sheaf/http/message/client_address.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/server/resource.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::server {

/// A response body that is made while it is sent, such as a feed of events. Only the thread of its connection
/// calls it.
class BodyStream {
 public:
  struct Piece {
    std::string bytes;  ///< empty: nothing yet
    bool is_last = false;
  };
  virtual ~BodyStream() = default;
  /// The next piece. Called when the socket has taken everything before it, and about once a second while
  /// there is nothing. So one piece is all that is held for a client, and a slow client delays only itself.
  virtual Piece next() = 0;
};

/// Takes the body of a large POST piece by piece, instead of Request::body.
class BodySink {
 public:
  virtual ~BodySink() = default;
  [[nodiscard]] virtual std::uint64_t most_bytes() const = 0;  ///< a larger body is answered with 413
  /// False if it cannot be kept: the client gets a 500.
  virtual bool take(std::string_view bytes) = 0;
};

/// Who sends a request, as far as a handler in front has found out.
struct ClientIdentity {
  std::string agent = {};   ///< who it has proven to be; empty if nobody
  bool is_pending = false;  ///< what is needed to verify it is being fetched
  std::string doubt = {};   ///< why its proof was not accepted; empty if it gave none
};

/// A well-formed request: its target is a path and its fields are valid. The views are valid during the call.
struct Request {
  message::Method method = message::Method::get;
  std::string_view path;  ///< decoded
  std::string_view query;
  bool has_encoded_slash = false;
  message::Fields fields;
  std::string_view body = {};           ///< of a POST
  std::shared_ptr<BodySink> sink = {};  ///< that has the body, if begin_upload() gave one
  std::string_view target = {};         ///< path and query as they were sent
  bool is_secure = false;               ///< over TLS
  message::ClientAddress client = {};
  const ClientIdentity* identity = nullptr;  ///< null if nobody looked
};

/// The response: a resource, which determines status and range, or a status with a message.
struct Response {
  std::shared_ptr<const Resource> resource;
  unsigned status = 404;
  std::vector<message::Header> headers;  ///< with a resource, only those of a 200 or 206
  /// For errors one sentence without a line feed, which follows the status; of another content type, the
  /// body.
  std::string text;
  std::string content_type = "text/plain; charset=utf-8";
  std::shared_ptr<BodyStream> stream = {};  ///< the body, instead of `text`
  std::string identity = {};                ///< who the client has proven to be, for the access log
  /// What a 200 or 206 to a GET costs the client, for the access log.
  std::string charge = {};
  /// Called once, when the response has ended, with the bytes of its body that were sent. May be empty.
  std::function<void(std::uint64_t)> on_end = {};
};

/// Handles the requests of a server. Called from several threads at once, for GET and HEAD, and for POST
/// where that is taken.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  virtual Response respond(const Request& request) = 0;
  /// Whether POST requests get to respond(), with bodies of up to message::kLargestBody. Else they are
  /// answered with 405.
  [[nodiscard]] virtual bool takes_posts() const { return false; }
  /// Asked with the head of a POST that announces a body: what takes it, for more bytes than fit into
  /// Request::body. Nullptr: nothing, as for every request that is going to be refused.
  virtual std::shared_ptr<BodySink> begin_upload(const Request& /*head*/) { return nullptr; }
  /// Called about once a second.
  virtual void tick() {}
};

}  // namespace sheaf::http::server
