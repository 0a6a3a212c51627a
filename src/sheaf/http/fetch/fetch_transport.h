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

// The one door to the network. Everything above it (redirects, retries, pace, robots.txt, downloads, crawls,
// pulls) is tested with a script behind this door.
namespace sheaf::http::fetch {

/// What to do with a body, decided when its headers have arrived.
enum class BodyUse : std::uint8_t {
  deliver,  ///< to the sink
  ignore,   ///< a redirect, or an answer after which another try comes
};

/// One request on the wire.
struct TransferRequest {
  const base::Url& url;  ///< after a redirect not the URL of `fetch`
  const std::vector<std::pair<std::string, std::string>>& headers;
  const FetchRequest& fetch;                               ///< method, body, limit
  std::function<BodyUse(const FetchHead&)> judge;          ///< called once the head is there
  std::function<void(std::chrono::milliseconds)> on_time;  ///< told now and then how long it has taken
  FetchSink& sink;
};

/// Result of a transfer. The head may be present even if there is an error.
struct TransferOutcome {
  FetchHead head = {};
  BodyUse use = BodyUse::deliver;
  std::uint64_t received = 0;  ///< bytes of the body
  bool delivered = false;      ///< the sink was given some of them
  bool is_final = false;       ///< another try is in vain
  std::chrono::milliseconds took{0};
  FetchTrouble trouble = FetchTrouble::none;
  std::optional<base::Error> error = {};
};

/// Sends single requests, one at a time. Redirects and further tries are the caller's.
class FetchTransport {
 public:
  virtual ~FetchTransport() = default;
  virtual TransferOutcome perform(const TransferRequest& request) = 0;
};

}  // namespace sheaf::http::fetch
