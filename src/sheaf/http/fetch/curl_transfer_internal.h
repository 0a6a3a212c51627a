#pragma once

#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/fetch_transport.h"
#include "sheaf/http/fetch/fetcher.h"

#include <curl/curl.h>
#include <signal.h>

#include <string>
#include <string_view>

// Small helpers around libcurl for fetch_transfer.cpp.
namespace sheaf::http::fetch {

/// A new easy handle; initialises libcurl on first use. Null on failure.
CURL* new_curl_handle();

/// Request header lines in libcurl's form.
class HeaderList {
 public:
  HeaderList() = default;
  ~HeaderList() { curl_slist_free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

/// Blocks SIGPIPE in this thread during its lifetime. libcurl and OpenSSL may write to connections that the
/// peer has closed, and we tell libcurl not to touch the signal handlers of the process.
class SigpipeBlock {
 public:
  SigpipeBlock();
  ~SigpipeBlock();
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

/// A response header line, split at its colon. `name` is empty if there is none.
struct HeaderLine {
  std::string name;  ///< in lower case
  std::string_view value;
};
HeaderLine parse_header_line(std::string_view line);

/// Whether a failure is temporary.
bool is_temporary_failure(CURLcode code);

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
