#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The only access to the network. Everything above it (redirects, retries, robots.txt, downloads, crawls,
// pulls) is tested with a scripted transport.
namespace sheaf::http::fetch {

/// What to do with a body, decided when its headers have arrived.
enum class BodyUse : std::uint8_t {
  deliver,  ///< to the sink
  ignore,   ///< a redirect, or a response that is retried
};

/// One request on the wire.
struct TransferRequest {
  const base::Url& url;  ///< differs from the URL of `fetch` after a redirect
  const std::vector<std::pair<std::string, std::string>>& headers;
  const FetchRequest& fetch;                               ///< method, body, limit
  std::function<BodyUse(const FetchHead&)> judge;          ///< called when the head is complete
  std::function<void(std::chrono::milliseconds)> on_time;  ///< called periodically with the elapsed time
  FetchSink& sink;
};

/// Result of a transfer. The head may be present even if there is an error.
struct TransferOutcome {
  FetchHead head = {};
  BodyUse use = BodyUse::deliver;
  std::uint64_t received = 0;  ///< bytes of the body
  bool delivered = false;      ///< the sink has received a part of the body
  bool is_final = false;       ///< retrying is pointless
  std::chrono::milliseconds took{0};
  FetchTrouble trouble = FetchTrouble::none;
  std::optional<base::Error> error = {};
};

/// Sends single requests, one at a time. The caller handles redirects and retries.
class FetchTransport {
 public:
  virtual ~FetchTransport() = default;
  virtual TransferOutcome perform(const TransferRequest& request) = 0;
};

}  // namespace sheaf::http::fetch
