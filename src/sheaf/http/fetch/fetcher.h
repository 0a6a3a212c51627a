#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/host_gate.h"
#include <sheaf/requests.h>
#include <sheaf/time.h>

#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The HTTP client, for crawling and for object storage. It is built for untrusted servers: every host is
// checked before and after its name is resolved, every redirect is checked like the first URL, and every body
// as it arrives. So redirects are followed and proxies chosen here, not by libcurl. FetchOptions turn these
// checks off for a server that the operator chose, such as an object store.
namespace sheaf::http::fetch {

/// The minimum rate of a transfer, from connecting to the last byte. A stall timeout alone is not enough: a
/// server that drips a kilobyte per second stays above it and occupies a connection for hours.
///
/// A transfer is aborted when it has taken longer than `grace` plus one second per `minimum_rate` bytes
/// transferred. The total time is thus bounded by `grace + limit / minimum_rate` for any size limit, and a
/// tarpit is dropped right after the grace period, even if it announces a large size.
struct TransferPace {
  std::chrono::milliseconds grace{
      0};  ///< for the connection, the head and the first bytes; 0: twice the timeout
  std::uint64_t minimum_rate = 16ULL * 1024;  ///< bytes per second, on average, beyond the grace period
  std::chrono::milliseconds longest{std::chrono::hours(12)};  ///< maximum for one transfer of any size

  /// No minimum rate, for a server that the operator chose: an upload over a slow line may take hours.
  static TransferPace without_minimum();

  /// The time allowed for transferring this many bytes.
  [[nodiscard]] std::chrono::milliseconds allowed(std::uint64_t moved) const;
  /// How long after the first try the last retry may begin.
  [[nodiscard]] std::chrono::milliseconds retry_window() const { return 2 * grace; }
};

/// When to retry a request, for crawling and for object storage alike. Only temporary failures are retried:
/// no connection, a lost connection, a timeout, and the statuses of is_temporary(). Retry-After is obeyed:
/// the next try waits at least that long, and there is no retry if the server asks for more than `longest`.
struct RetryPause {
  std::chrono::milliseconds first{500};       ///< wait before the first retry
  std::chrono::milliseconds longest{30'000};  ///< maximum wait
};

/// Wait before the next try: exponential backoff with jitter (between half and all of a time that doubles
/// with each try). Without jitter, all clients of a failed server would return at once. `random` is 0 to 1.
std::chrono::milliseconds wait_before(unsigned retry, const RetryPause& policy, double random);

/// Whether the same request may succeed soon: 408, 429 and most of 5xx.
bool is_temporary(int status);

/// Sends requests for a host to another address, like curl's --connect-to. This is for trying out a site
/// under its real name while it is served on this machine. URLs, certificates and the Host header do not
/// change.
struct HostOverride {
  std::string host;         ///< as in URLs: lower case, punycode
  std::string connect_to;   ///< "127.0.0.1:8080"
  bool plain_http = false;  ///< without TLS, also for https URLs
};

/// Parses "example.com=127.0.0.1:8443", "example.com=https://127.0.0.1:8443", or, for a server without TLS,
/// "example.com=http://127.0.0.1:8080". The default port is that of the scheme.
base::Result<HostOverride> parse_host_override(std::string_view text);

/// The override of the URL's host, on any port; null if there is none.
const HostOverride* find_override(const std::vector<HostOverride>& overrides, const base::Url& url);

// The parts that an upload adds to a request: a body and a signature.

/// Bytes to send. They can be read again from any offset, so a request can be retried.
class RequestBody {
 public:
  virtual ~RequestBody() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills `out` with the bytes from `offset`, which is before the end. An error ends the request without a
  /// retry; fetch() returns it.
  virtual base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const = 0;
};

/// A body in memory. The bytes must outlive it.
class TextBody final : public RequestBody {
 public:
  explicit TextBody(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override;

 private:
  std::string_view bytes_;
};

/// Signs a request with AWS Signature Version 4. The caller adds the header `x-amz-content-sha256`, and
/// `x-amz-security-token` if there is a session token.
struct RequestSigner {
  std::string access_key;
  std::string secret_key;
  std::string region;
  std::string service;
};

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

class FetchTransport;

/// With `allow_http`, a redirect may lead from https to http. A transfer below `slowest` for the length of
/// `timeout` ends.
struct FetchOptions : RequestOptions {
  FetchOptions() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): all else has defaults
  FetchOptions(RequestOptions requests) : RequestOptions(std::move(requests)) {}

  unsigned redirects = 5;
  std::uint64_t slowest = 1000;  ///< bytes per second
  TransferPace pace = {};        ///< limits the total time of a transfer by its size
  RetryPause retry = {};
  /// Hosts to contact at another address. That address may be private, and no proxy is used for it.
  std::vector<HostOverride> overrides = {};
  /// Returns headers to add to each single request, also after redirects and in retries, such as a signature.
  /// May be empty.
  std::function<std::vector<std::pair<std::string, std::string>>(const base::Url& url)> sign = {};
  HostGate* gate = nullptr;              ///< entered and left for every single request; may be null
  ExchangeRecorder* recorder = nullptr;  ///< receives every exchange; may be null
  /// Polled; when it returns true, the request under way ends with Errc::refused.
  std::function<bool()> cancelled = {};
  /// Creates the transport of a fetcher. Empty: libcurl. For tests.
  std::function<std::unique_ptr<FetchTransport>()> transport = {};
  WaitClock* clock = &WaitClock::system();  ///< for pauses between tries and the end of the retry window
};

/// For FetchOptions::cancelled: true once `limit` has passed from now on, or if `options.cancelled` is true.
std::function<bool()> cancelled_after(std::chrono::seconds limit, const FetchOptions& options);

/// Status and headers of a response.
struct FetchHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::string url = {};                                           ///< after redirects

  /// Value of the first header with this name (lower case); empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  /// Values of all headers with this name, joined by commas.
  [[nodiscard]] std::string joined(std::string_view name) const;
  /// The Content-Length, if it is a number.
  [[nodiscard]] std::optional<std::uint64_t> length() const;
};

/// Whether a response is a redirect: 301, 302, 303, 307 or 308, with a Location.
bool is_redirect(const FetchHead& head);

/// Receives the body of a response. An error from either function ends the transfer; fetch() returns it.
class FetchSink {
 public:
  virtual ~FetchSink() = default;
  /// Called when the headers have arrived, before the first byte, even if the body is empty. Called again
  /// when a retry begins: discard what came before. Not called for redirects that are followed, nor for
  /// temporary failures that are retried.
  virtual base::Result<void> begin(const FetchHead& head) = 0;
  virtual base::Result<void> take(std::string_view bytes) = 0;
};

struct FetchRequest {
  std::string url = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::uint64_t limit = std::uint64_t{1} << 20U;  ///< a longer body ends the transfer with invalid_data
  /// Whether failed transfers and temporary statuses (408, 429, 5xx) are retried by the retry policy, each
  /// time from the first URL. The response of the last try is returned, whatever its status, and so is one
  /// whose Retry-After exceeds the policy's longest wait. A transfer that fails in the middle of the body
  /// starts again (see FetchSink::begin), unless the request has a Range: then the error is returned, because
  /// the caller knows better where to continue. No retry begins after the retry window of the pace, and a
  /// transfer that was too slow is not retried.
  bool retry = true;
  unsigned most_tries = UINT_MAX;  ///< maximum number of tries, if the retry policy allows more
  /// Called for the target of each redirect, before anything is sent there. If it returns false, the redirect
  /// itself is the response, without a body, and the sink is not called. Used to obey robots.txt and to stay
  /// on a site. No request is under way during the call, so it may use another Fetcher. Empty: follow every
  /// redirect that the options allow.
  std::function<bool(std::string_view url)> may_follow = {};
  /// Only the redirect of an unsigned GET is followed. Any other redirect is the response, with its body: a
  /// signature is valid for one host only, and a server must not choose where a request body is sent.
  std::string method = "GET";
  const RequestBody* body = nullptr;      ///< of a PUT or POST; null: no body
  const RequestSigner* signer = nullptr;  ///< null: not signed
};

/// Why a fetch failed, for reports with codes. More precise than base::Errc, which says what to do next.
enum class FetchTrouble : std::uint8_t {
  none,
  cancelled,
  unresolvable_host,  ///< the name server reports that the name does not exist
  unreachable,        ///< no connection, connection lost, or timed out before a response
  too_slow,           ///< stalled, or slower than the minimum pace
  forbidden_address,  ///< a private or loopback address
  insecure_redirect,  ///< from https to http
  too_large,
  refused_by_sink,  ///< the sink returned the error
  other,
};

/// Resources used by fetching.
struct FetchUse {
  std::uint64_t requests = 0;  ///< including redirects and retries
  std::uint64_t bytes = 0;     ///< of response bodies, as received
};

/// Use from one thread at a time. Connections are reused between requests. The usual variables (http_proxy,
/// https_proxy, all_proxy, no_proxy) select a proxy; the proxy then resolves names, so only literal addresses
/// and local names can be checked.
///
/// Authorization and Cookie are sent to the origin of the request, not to other origins that it redirects to.
class Fetcher {
 public:
  explicit Fetcher(FetchOptions options);
  ~Fetcher();
  Fetcher(Fetcher&&) noexcept;
  Fetcher& operator=(Fetcher&&) noexcept;

  /// Sends a request and passes the body to `sink` as it arrives, without decoding it (Accept-Encoding is
  /// sent only if the request has it). Every status is a response, except a redirect that is followed.
  /// Errors:
  ///   io                no connection, connection lost, timed out, too slow, or the host is on hold
  ///   (HostGate) for
  ///                     longer than the policy's longest wait: a later try may work; see trouble()
  ///   refused           the URL is not allowed (private, downgrade, not http), or cancelled
  ///   invalid_data      longer than the limit, too many redirects, a redirect loop, not HTTP
  ///   invalid_argument  not a URL, a header with a control character (FetchOptions::user_agent too), the
  ///   host
  ///                     does not exist, or its certificate is not trusted
  base::Result<FetchHead> fetch(const FetchRequest& request, FetchSink& sink);

  struct Text {
    FetchHead head;
    std::string body;
  };
  /// Like fetch(), but returns the body in memory.
  base::Result<Text> fetch_text(const FetchRequest& request);

  /// Why the last fetch failed; none if it succeeded.
  [[nodiscard]] FetchTrouble trouble() const;

  [[nodiscard]] const FetchOptions& options() const;

  /// Resources used since the last call of take_use().
  [[nodiscard]] FetchUse use() const;
  /// The same, and starts counting from zero.
  FetchUse take_use();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

inline constexpr std::chrono::seconds kLongestRetryAfter = std::chrono::days(7);

/// The wait in seconds that a Retry-After (a number or a date) asks for, at most kLongestRetryAfter. Of
/// several, the longest. Nullopt if it is missing or malformed.
std::optional<std::chrono::seconds> retry_after(const FetchHead& head);

}  // namespace sheaf::http::fetch
