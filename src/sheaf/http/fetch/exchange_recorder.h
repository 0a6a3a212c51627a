#pragma once

#include "sheaf/base/error.h"
#include <sheaf/time.h>

#include <string>

namespace sheaf::http::fetch {

/// One request and its response, for an archive.
struct Exchange {
  std::string url = {};
  Instant began = {};
  std::string address = {};        ///< IP address of the server, or of the proxy
  std::string request_head = {};   ///< as sent, with the empty line at its end; without the request's body
  std::string response_head = {};  ///< as received, with the empty line at its end
  std::string body = {};           ///< without transfer coding, with its content coding
  std::string truncated = {};      ///< why the body is not whole: "length", "time", "disconnect"; else empty
};

/// Gets every exchange of a fetcher that has a response, redirects too. Not those that the sink refused or
/// that were cancelled: of these the body is not wanted or not there.
class ExchangeRecorder {
 public:
  virtual ~ExchangeRecorder() = default;
  /// Called by the threads that fetch. An error ends the transfer, which fails with it.
  virtual base::Result<void> record(const Exchange& exchange) = 0;
};

}  // namespace sheaf::http::fetch
