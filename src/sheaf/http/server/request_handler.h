#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/http/server/resource.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::server {

/// A well-formed request: its target is a path and its fields are valid. The views are valid during the call.
struct Request {
  message::Method method = message::Method::get;
  std::string_view path;  ///< decoded
  std::string_view query;
  bool has_encoded_slash = false;
  message::Fields fields;
  std::string_view body = {};    ///< of a POST
  std::string_view target = {};  ///< path and query as they were sent
  bool is_secure = false;        ///< over TLS
};

/// The response: a resource, which determines status and range, or a status with a message.
struct Response {
  std::shared_ptr<const Resource> resource;
  unsigned status = 404;
  std::vector<message::Header> headers;
  std::string text;  ///< without a line feed; for errors one sentence, which follows the status
  std::string content_type = "text/plain; charset=utf-8";
  std::string identity = {};  ///< who the client has proven to be, for the access log
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
  /// Called about once a second.
  virtual void tick() {}
};

}  // namespace sheaf::http::server
