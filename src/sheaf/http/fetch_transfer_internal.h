#pragma once

#include "sheaf/base/url.h"
#include "sheaf/http/curl_internal.h"
#include "sheaf/http/fetch.h"
#include "sheaf/http/proxy_choice.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http {

/// What becomes of a body, decided when its head is there.
enum class BodyUse : std::uint8_t {
  deliver,  ///< to the sink
  ignore,   ///< a redirect, or an answer after which another try comes
};

/// One request of a fetch: what is sent, and who takes what comes.
struct TransferRequest {
  const base::Url& url;
  const HeaderList& headers;
  std::uint64_t limit;
  std::function<BodyUse(const FetchHead&)> judge;
  std::function<void(std::chrono::milliseconds)> on_time;  ///< told now and then how long it has taken
  FetchSink& sink;
};

/// What came of it. With an error the head may be there all the same.
struct TransferOutcome {
  FetchHead head;
  BodyUse use = BodyUse::deliver;
  std::uint64_t received = 0;  ///< bytes of the body
  bool delivered = false;      ///< the sink was given some of them
  bool is_final = false;       ///< another try is in vain
  std::chrono::milliseconds took{0};
  FetchTrouble trouble = FetchTrouble::none;
  std::optional<base::Error> error;
};

/// One request at a time over one handle of libcurl; redirects are the caller's.
class FetchTransfer {
 public:
  FetchTransfer(const FetchOptions& options, ProxySettings proxies);
  ~FetchTransfer();
  FetchTransfer(const FetchTransfer&) = delete;
  FetchTransfer& operator=(const FetchTransfer&) = delete;

  TransferOutcome perform(const TransferRequest& request);

 private:
  void set_options(const TransferRequest& request, const std::string& proxy);

  const FetchOptions& options_;
  ProxySettings proxies_;
  CURL* curl_;
  char message_[CURL_ERROR_SIZE] = {};
};

}  // namespace sheaf::http
