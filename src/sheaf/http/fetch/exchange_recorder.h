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
  std::string truncated = {};      ///< why the body is incomplete: "length", "time", "disconnect"; else empty
};

/// Receives every exchange of a fetcher that has a response, including redirects. Exchanges that the sink
/// refused or that were cancelled are not recorded, because their bodies are unwanted or incomplete.
class ExchangeRecorder {
 public:
  virtual ~ExchangeRecorder() = default;
  /// Called by the threads that fetch. If it returns an error, the transfer fails with that error.
  virtual base::Result<void> record(const Exchange& exchange) = 0;
};

}  // namespace sheaf::http::fetch
