#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/host_override.h"
#include "sheaf/http/retry.h"
#include "sheaf/http/transfer_pace.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Fetching what strangers serve: every address is checked before and after its name is resolved, every
// redirect like the first address, every body as it arrives.
namespace sheaf::http {

/// How many requests may be under way at a host and in all, and how far apart those to one host are. Shared
/// by the fetchers of a process; any thread may call.
///
/// Slow hosts cannot use up all connections: a request that has been under way for `long_after` no longer
/// counts against `in_all`, and a host whose last request took that long begins another only while fewer than
/// half of `in_all` such requests are under way.
class HostGate {
 public:
  HostGate(unsigned per_host, unsigned in_all,
           std::chrono::milliseconds long_after = std::chrono::seconds(30));
  ~HostGate();
  HostGate(const HostGate&) = delete;
  HostGate& operator=(const HostGate&) = delete;

  /// Requests to the host ("example.com:443") begin at least so far apart from now on.
  void set_delay(std::string_view host, std::chrono::milliseconds delay);
  /// Nothing is asked of the host for so long: it said so with Retry-After.
  void hold(std::string_view host, std::chrono::milliseconds time);
  /// For how long hold() still keeps the host; zero if it does not.
  [[nodiscard]] std::chrono::milliseconds held(std::string_view host) const;

  /// Waits until a request to the host may begin; false when `cancelled` said so meanwhile, which is asked
  /// several times a second. Every enter() that gave true needs its leave().
  bool enter(std::string_view host, const std::function<bool()>& cancelled);
  /// `took` is how long the request was under way.
  void leave(std::string_view host, std::chrono::milliseconds took = {});
  /// To be called now and then while a request is under way, which has taken so long by now.
  void note_time(std::string_view host, std::chrono::milliseconds taken);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct FetchOptions {
  std::string user_agent = "sheaf";
  std::string from = {};         ///< the operator's mail address, sent as From; none if empty
  bool allow_private = false;    ///< loopback, private, link-local and other addresses of no public host
  bool allow_downgrade = false;  ///< a redirect from https to http
  unsigned redirects = 5;
  std::chrono::seconds connect_timeout{15};
  std::chrono::seconds stall_timeout{30};  ///< slower than `slowest` for so long
  std::uint64_t slowest = 1000;            ///< bytes a second
  TransferPace pace = {};                  ///< the total time of every transfer, by its size
  RetryPolicy retry = {};
  std::string authorities = {};  ///< a file of certificates to trust instead of the system's
  /// Hosts that are asked elsewhere. Such an address may be private, and no proxy is asked for it.
  std::vector<HostOverride> overrides = {};
  HostGate* gate = nullptr;  ///< entered and left for every single request; may be null
  /// Asked now and then; true ends what is under way with Errc::refused.
  std::function<bool()> cancelled = {};
};

/// The head of an answer that is not a redirect.
struct FetchHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::string url = {};                                           ///< after redirects

  /// The value of the first header of that name, given in lower case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  /// The values of all headers of that name, joined by commas.
  [[nodiscard]] std::string joined(std::string_view name) const;
  /// What Content-Length says, if it is a number.
  [[nodiscard]] std::optional<std::uint64_t> length() const;
};

/// Takes the body of an answer. An error from either ends the transfer for good and comes out of fetch().
class FetchSink {
 public:
  virtual ~FetchSink() = default;
  /// Called once the head of the answer is there, before the first byte and also when none comes; again when
  /// a try failed and another one has begun: then what came before is void. Redirects, and temporary answers
  /// after which there is another try, are never seen here.
  virtual base::Result<void> begin(const FetchHead& head) = 0;
  virtual base::Result<void> take(std::string_view bytes) = 0;
};

struct FetchRequest {
  std::string url = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::uint64_t limit = std::uint64_t{1} << 20U;  ///< a longer body ends the transfer with invalid_data
  /// Whether failed transfers and temporary answers (408, 429, 5xx) are tried again by the retry policy, each
  /// time from this address on. The last answer is then given as it is; so is one whose Retry-After is longer
  /// than the policy's longest wait. A transfer that fails in the middle of the body begins anew (see
  /// FetchSink::begin) if the request has no Range. With a Range and bytes delivered the error comes out at
  /// once: the caller knows better where to go on. No try begins after the retry window of the pace, and a
  /// transfer that fell behind its pace is not tried again.
  bool retry = true;
  /// Asked for each address that a redirect leads to, perhaps more than once; on false the redirect itself is
  /// the answer. For robots.txt, or to stay on a site. Empty: any that the options allow.
  std::function<bool(std::string_view url)> may_follow = {};
};

/// Why a fetch failed, for those who report it by a code. Finer than base::Errc, which says what to do next.
enum class FetchTrouble : std::uint8_t {
  none,
  cancelled,
  unresolvable_host,  ///< the name server says that there is no such name
  unreachable,        ///< no connection, cut off, timed out before an answer
  too_slow,           ///< stalled, or behind the pace that every transfer has to keep
  forbidden_address,  ///< a private or loopback address
  insecure_redirect,  ///< from https to http
  too_large,
  refused_by_sink,  ///< the sink returned the error
  other,
};

/// What fetching cost.
struct FetchUse {
  std::uint64_t requests = 0;  ///< redirects and further tries too
  std::uint64_t bytes = 0;     ///< of bodies, as they came over the wire
};

/// One thread at a time; connections are kept between requests. A proxy is used where the usual variables
/// (http_proxy, https_proxy, all_proxy, no_proxy) name one: then names are resolved by the proxy and only
/// literal addresses and local names can be judged.
///
/// Authorization and Cookie of a request go to the origin it was made for and to no other it redirects to.
class Fetcher {
 public:
  explicit Fetcher(FetchOptions options);
  ~Fetcher();
  Fetcher(Fetcher&&) noexcept;
  Fetcher& operator=(Fetcher&&) noexcept;

  /// GET with the body handed to `sink` as it comes, never decoded (no Accept-Encoding but what the request
  /// has). Any status but a redirect that can be followed is an answer. Errors:
  ///   io                no connection, cut off, timed out, too slow, the host is held (HostGate) for longer
  ///                     than the policy's longest wait: another time may help; trouble() tells more
  ///   refused           the address is not allowed (private, downgrade, not http), or cancelled
  ///   invalid_data      longer than the limit, a redirect too many or in a circle, no HTTP
  ///   invalid_argument  the address is none, its host does not exist, or its certificate is not trusted
  base::Result<FetchHead> fetch(const FetchRequest& request, FetchSink& sink);

  struct Text {
    FetchHead head;
    std::string body;
  };
  /// The same with the body in memory.
  base::Result<Text> fetch_text(const FetchRequest& request);

  /// Why the last fetch failed; none if it did not.
  [[nodiscard]] FetchTrouble trouble() const;

  [[nodiscard]] const FetchOptions& options() const;

  /// Since the last call of take_use().
  [[nodiscard]] FetchUse use() const;
  FetchUse take_use();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The seconds that a Retry-After asks for, as a number or a date; nothing if it is missing or neither. At
/// most a day.
std::optional<std::chrono::seconds> retry_after(const FetchHead& head);

/// Whether an address as text ("127.0.0.1", "fe80::1") is of a host of its own on the public Internet: not
/// loopback, private, link-local, multicast, reserved, nor one of those behind a mapping (::ffff:,
/// 64:ff9b::).
bool is_public_address(std::string_view address);

}  // namespace sheaf::http
