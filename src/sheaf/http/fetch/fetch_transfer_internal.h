#pragma once

#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/curl_internal.h"
#include "sheaf/http/fetch/fetch_transport.h"
#include "sheaf/http/fetch/fetcher.h"

#include <string>

namespace sheaf::http::fetch {

/// Runs one request at a time on one libcurl handle. This is the only place that sets up a transfer.
class FetchTransfer final : public FetchTransport {
 public:
  FetchTransfer(const FetchOptions& options, ProxySettings proxies);
  ~FetchTransfer() override;
  FetchTransfer(const FetchTransfer&) = delete;
  FetchTransfer& operator=(const FetchTransfer&) = delete;

  TransferOutcome perform(const TransferRequest& request) override;

 private:
  void set_options(const TransferRequest& request, const std::string& proxy, const HeaderList& headers);
  void set_method(const FetchRequest& request);
  /// `connect_to` must live until the end of the transfer.
  void set_override(const HostOverride& mapping, const TransferRequest& request, HeaderList& connect_to);
  /// Passes the exchange to the recorder, unless the sink refused it or it was cancelled.
  void record(Exchange& exchange, TransferOutcome& outcome);

  const FetchOptions& options_;
  ProxySettings proxies_;
  CURL* curl_;
  char message_[CURL_ERROR_SIZE] = {};
};

}  // namespace sheaf::http::fetch
