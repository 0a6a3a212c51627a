#include "sheaf/http/address_rules.h"
#include "sheaf/http/client_address.h"
#include "sheaf/http/fetch_transfer_internal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>
#include <cstring>

namespace sheaf::http {
namespace {

// No honest head comes near; one without a bound would fill the memory.
constexpr std::size_t kHeadBytes = std::size_t{256} * 1024;
// So much of a body that nobody wants is read to keep the connection; a longer one ends it.
constexpr std::uint64_t kIgnoredBytes = std::uint64_t{64} * 1024;
constexpr long kBufferBytes = 256L * 1024;
// A name server that answers this fast is there; one that does not is waited for again by the next try only.
constexpr std::chrono::seconds kQuickLookup{2};

/// What is going on, for libcurl's callbacks.
struct Running {
  const FetchOptions& options;
  const TransferRequest& request;
  TransferOutcome& outcome;
  bool behind_proxy = false;
  bool overridden = false;  ///< the user said where to connect
  std::size_t head_bytes = 0;
  bool head_is_whole = false;
  bool enough = false;  ///< the transfer was ended since nothing more of it is needed
  bool cancelled = false;
  bool behind_pace = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::string refused_address = {};  ///< the last one that is not public
  bool opened_any = false;

  void fail(base::Errc code, std::string message, FetchTrouble trouble = FetchTrouble::other) {
    outcome.error = base::Error{code, std::move(message)};
    outcome.trouble = trouble;
  }
  void fail_by_sink(base::Error error) {
    outcome.error = std::move(error);
    outcome.trouble = FetchTrouble::refused_by_sink;
    outcome.is_final = true;
  }
  [[nodiscard]] std::chrono::milliseconds elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  }
};

ClientAddress address_of(const sockaddr& generic) {
  ClientAddress address;
  if (generic.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &generic, sizeof four);
    address = *parse_client_address("0.0.0.0");
    std::memcpy(address.bytes.data() + 12, &four.sin_addr, 4);
  } else if (generic.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &generic, sizeof six);
    std::memcpy(address.bytes.data(), &six.sin6_addr, address.bytes.size());
  }
  return address;  // all zeros, which is not public, for any other family
}

/// The one place where an address is used: whatever a name resolved to a moment ago counts for nothing.
curl_socket_t on_open_socket(void* context, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& running = *static_cast<Running*>(context);
  if (!running.options.allow_private && !running.behind_proxy && !running.overridden) {
    const std::string text = address_of(address->addr).str();
    if (!is_public_address(text)) {
      running.refused_address = text;
      return CURL_SOCKET_BAD;
    }
  }
  running.opened_any = true;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// The status of "HTTP/1.1 200 OK".
int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (space != std::string_view::npos)
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  return status;
}

/// The head is there: what to do with the body. False ends the transfer.
bool end_head(Running& running) {
  TransferOutcome& outcome = running.outcome;
  if (outcome.head.status < 200) return true;  // the head of the answer proper follows
  running.head_is_whole = true;
  outcome.use = running.request.judge(outcome.head);
  if (outcome.use == BodyUse::ignore) return true;
  const auto length = outcome.head.length();
  if (length && *length > running.request.limit) {
    running.fail(base::Errc::invalid_data,
                 fmt::format("{} is {} bytes long, more than the limit of {}", shown_url(running.request.url),
                             *length, running.request.limit),
                 FetchTrouble::too_large);
    return false;
  }
  if (auto begun = running.request.sink.begin(outcome.head); !begun) {
    running.fail_by_sink(std::move(begun.error()));
    return false;
  }
  return true;
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& running = *static_cast<Running*>(context);
  const std::string_view line(bytes, size * count);
  if (running.head_is_whole) return line.size();  // trailers, which nobody asked for
  running.head_bytes += line.size();
  if (running.head_bytes > kHeadBytes) {
    running.fail(base::Errc::invalid_data, fmt::format("{} answers with more than {} bytes of headers",
                                                       shown_url(running.request.url), kHeadBytes));
    return 0;
  }
  FetchHead& head = running.outcome.head;
  if (line.starts_with("HTTP/")) {
    head.status = status_of(line);
    head.headers.clear();
    return line.size();
  }
  if (line == "\r\n" || line == "\n") return end_head(running) ? line.size() : 0;
  HeaderLine header = parse_header_line(line);
  if (!header.name.empty()) head.headers.emplace_back(std::move(header.name), header.value);
  return line.size();
}

std::size_t on_write(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& running = *static_cast<Running*>(context);
  TransferOutcome& outcome = running.outcome;
  const std::string_view piece(bytes, size * count);
  outcome.received += piece.size();
  if (outcome.use == BodyUse::ignore) {
    running.enough = outcome.received > kIgnoredBytes;
    return running.enough ? 0 : piece.size();
  }
  if (outcome.received > running.request.limit) {
    running.fail(base::Errc::invalid_data,
                 fmt::format("{} is longer than the limit of {} bytes", shown_url(running.request.url),
                             running.request.limit),
                 FetchTrouble::too_large);
    return 0;
  }
  outcome.delivered = true;
  if (auto taken = running.request.sink.take(piece); !taken) {
    running.fail_by_sink(std::move(taken.error()));
    return 0;
  }
  return piece.size();
}

int on_progress(void* context, curl_off_t /*down*/, curl_off_t /*downloaded*/, curl_off_t /*up*/,
                curl_off_t /*uploaded*/) {
  auto& running = *static_cast<Running*>(context);
  const std::chrono::milliseconds elapsed = running.elapsed();
  if (running.request.on_time) running.request.on_time(elapsed);
  running.cancelled = running.options.cancelled && running.options.cancelled();
  running.behind_pace = elapsed > running.options.pace.allowed(running.outcome.received);
  return running.cancelled || running.behind_pace ? 1 : 0;
}

/// Whether the name server says for certain that there is no such host. libcurl reports that and "no answer"
/// by one code, so the question is asked again; not if the first answer took long, since this call cannot be
/// cancelled.
bool is_unknown_host(const Running& running) {
  if (running.behind_proxy || running.overridden || running.elapsed() > kQuickLookup) return false;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(std::string(running.request.url.host()).c_str(), nullptr, &hints, &found);
  if (code == 0) freeaddrinfo(found);
  return code == EAI_NONAME || code == EAI_NODATA;
}

void describe_pace(Running& running, const std::string& url) {
  using std::chrono::seconds;
  running.fail(
      base::Errc::io,
      fmt::format("{}: too slow: {} bytes in {} seconds; after the first {} seconds at least {} bytes "
                  "a second are expected",
                  url, running.outcome.received, std::chrono::floor<seconds>(running.elapsed()).count(),
                  std::chrono::ceil<seconds>(running.options.pace.grace).count(),
                  running.options.pace.minimum_rate),
      FetchTrouble::too_slow);
  running.outcome.is_final = true;
}

void describe(Running& running, CURLcode code, const char* message) {
  const std::string url = shown_url(running.request.url);
  if (running.cancelled)
    return running.fail(base::Errc::refused, url + ": cancelled", FetchTrouble::cancelled);
  if (running.behind_pace) return describe_pace(running, url);
  if (code == CURLE_COULDNT_CONNECT && !running.refused_address.empty() && !running.opened_any) {
    base::Error error = private_host_error(url, running.refused_address);
    return running.fail(error.code, std::move(error.message), FetchTrouble::forbidden_address);
  }
  const std::string_view reason = *message != '\0' ? message : curl_easy_strerror(code);
  const std::string text = fmt::format("{}: {}", url, reason);
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
      return running.fail(base::Errc::invalid_argument,
                          fmt::format("{}: the certificate is not trusted: {}", url, reason));
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_OUT_OF_MEMORY:  // so libcurl calls a header line that is longer than it bears
      return running.fail(base::Errc::invalid_data,
                          fmt::format("{}: the answer is no proper HTTP: {}", url, reason));
    case CURLE_COULDNT_RESOLVE_HOST:
      if (is_unknown_host(running))
        return running.fail(base::Errc::invalid_argument,
                            fmt::format("{}: there is no host named {}", url, running.request.url.host()),
                            FetchTrouble::unresolvable_host);
      return running.fail(base::Errc::io, text, FetchTrouble::unreachable);
    case CURLE_OPERATION_TIMEDOUT:
      return running.fail(base::Errc::io, text,
                          running.head_is_whole ? FetchTrouble::too_slow : FetchTrouble::unreachable);
    default:
      return may_pass(code) ? running.fail(base::Errc::io, text, FetchTrouble::unreachable)
                            : running.fail(base::Errc::invalid_argument, text);
  }
}

}  // namespace

FetchTransfer::FetchTransfer(const FetchOptions& options, ProxySettings proxies)
    : options_(options), proxies_(std::move(proxies)), curl_(new_curl_handle()) {}

FetchTransfer::~FetchTransfer() {
  const SigpipeBlock block;
  curl_easy_cleanup(curl_);
}

TransferOutcome FetchTransfer::perform(const TransferRequest& request) {
  TransferOutcome outcome;
  Running running{options_, request, outcome};
  if (curl_ == nullptr) {
    running.fail(base::Errc::invalid_argument, "libcurl could not be started");
    return outcome;
  }
  outcome.head.url = request.url.href();
  const HostOverride* const mapping = find_override(options_.overrides, request.url);
  const std::string proxy = mapping != nullptr ? std::string() : choose_proxy(proxies_, request.url);
  running.behind_proxy = !proxy.empty();
  running.overridden = mapping != nullptr;
  curl_easy_reset(curl_);
  set_options(request, proxy);
  HeaderList connect_to;
  if (mapping != nullptr) {
    connect_to.add("::" + mapping->connect_to);  // whatever the host and port
    curl_easy_setopt(curl_, CURLOPT_CONNECT_TO, connect_to.get());
    constexpr std::string_view kHttps = "https:";
    std::string plain(request.url.href());
    if (mapping->plain_http && plain.starts_with(kHttps)) plain.replace(0, kHttps.size(), "http:");
    curl_easy_setopt(curl_, CURLOPT_URL, plain.c_str());
  }
  curl_easy_setopt(curl_, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  curl_easy_setopt(curl_, CURLOPT_OPENSOCKETDATA, &running);
  curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &running);
  curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &running);
  curl_easy_setopt(curl_, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl_, CURLOPT_XFERINFODATA, &running);
  const SigpipeBlock block;
  const CURLcode code = curl_easy_perform(curl_);
  if (code != CURLE_OK && !outcome.error && !running.enough) describe(running, code, message_);
  outcome.took = running.elapsed();
  return outcome;
}

void FetchTransfer::set_options(const TransferRequest& request, const std::string& proxy) {
  const auto set = [this](CURLoption option, long value) { curl_easy_setopt(curl_, option, value); };
  curl_easy_setopt(curl_, CURLOPT_URL, std::string(request.url.href()).c_str());
  curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl_, CURLOPT_PROXY, proxy.c_str());  // empty: none, whatever the environment says
  curl_easy_setopt(curl_, CURLOPT_NOPROXY, "");
  curl_easy_setopt(curl_, CURLOPT_USERAGENT, options_.user_agent.c_str());
  curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, request.headers.get());
  if (!options_.authorities.empty()) curl_easy_setopt(curl_, CURLOPT_CAINFO, options_.authorities.c_str());
  set(CURLOPT_PATH_AS_IS, 1);
  set(CURLOPT_NOSIGNAL, 1);
  set(CURLOPT_NOPROGRESS, 0);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0);
  set(CURLOPT_HTTP09_ALLOWED, 0);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1);
  set(CURLOPT_BUFFERSIZE, kBufferBytes);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.connect_timeout.count()));
  set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(std::max<std::uint64_t>(options_.slowest, 1)));
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.stall_timeout.count()));
  message_[0] = '\0';
  curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, message_);
}

}  // namespace sheaf::http
