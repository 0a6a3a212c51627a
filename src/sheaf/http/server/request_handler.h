#pragma once

#include "sheaf/http/message/client_address.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/server/resource.h"

#include <cstdint>
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

}  // namespace sheaf::http::server
