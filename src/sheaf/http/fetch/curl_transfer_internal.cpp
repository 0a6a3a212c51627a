#include "sheaf/http/fetch/curl_transfer_internal.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/http/message/message.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <sheaf/time.h>

#include <sys/socket.h>

#include <charconv>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

namespace sheaf::http::fetch {

CURL* new_curl_handle() {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  return curl_easy_init();
}

SigpipeBlock::SigpipeBlock() {
  sigset_t pending{};
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  sigset_t pipe{};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

SigpipeBlock::~SigpipeBlock() {
  sigset_t pipe{};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  // Discard a SIGPIPE that was raised meanwhile. One that was pending before is not ours.
  const timespec at_once{};
  if (!was_pending_)
    while (sigtimedwait(&pipe, nullptr, &at_once) == SIGPIPE) {
    }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

HeaderLine parse_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {base::lower_text(base::trim_xml_space(line.substr(0, colon))),
          base::trim_xml_space(line.substr(colon + 1))};
}

bool is_temporary_failure(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_PARTIAL_FILE:
    case CURLE_UPLOAD_FAILED:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_AGAIN:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
  }
}

namespace {

// Far more than any honest server sends. Without a limit, headers could fill the memory.
constexpr std::size_t kHeadBytes = std::size_t{256} * 1024;
// An unwanted body of up to this size is read, so that the connection can be reused. A longer one closes the
// connection.
constexpr std::uint64_t kIgnoredBytes = std::uint64_t{64} * 1024;
constexpr long kBufferBytes = 256L * 1024;
// If the name server answered within this time, asking it again is cheap.
constexpr std::chrono::seconds kQuickLookup{2};
constexpr std::chrono::seconds kConnectTimeout{15};

/// State of the transfer under way, for libcurl's callbacks.
struct Running {
  const FetchOptions& options;
  const TransferRequest& request;
  TransferOutcome& outcome;
  bool behind_proxy = false;
  bool overridden = false;  ///< the user set the address
  std::uint64_t sent = 0;   ///< bytes of the request body that libcurl has read
  std::uint64_t moved = 0;  ///< bytes of request and response bodies transferred
  std::size_t head_bytes = 0;
  bool head_is_whole = false;
  bool enough = false;  ///< the transfer was ended on purpose: the rest is not needed
  bool cancelled = false;
  bool behind_pace = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  Exchange* exchange = nullptr;      ///< null: not recorded
  std::string refused_address = {};  ///< the last address that is not public
  bool opened_any = false;           ///< a socket was opened for at least one address

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

message::ClientAddress address_of(const sockaddr& generic) {
  message::ClientAddress address;
  if (generic.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &generic, sizeof four);
    address = *message::parse_client_address("0.0.0.0");
    std::memcpy(address.bytes.data() + 12, &four.sin_addr, 4);
  } else if (generic.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &generic, sizeof six);
    std::memcpy(address.bytes.data(), &six.sin6_addr, address.bytes.size());
  }
  return address;  // all zeros, which is not public, for any other family
}

/// The only place where an address is used, so the check here cannot be bypassed by a second DNS lookup.
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

/// The next piece of the request's body.
std::size_t on_read(char* out, std::size_t size, std::size_t count, void* context) {
  auto& running = *static_cast<Running*>(context);
  const RequestBody& body = *running.request.fetch.body;
  const std::uint64_t left = body.size() - running.sent;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size * count, left));
  if (wanted == 0) return 0;
  auto read = body.read_at(running.sent, {out, wanted});
  if (read && *read == 0)
    read = base::fail(base::Errc::invalid_data, "a file became shorter while it was sent");
  if (!read) {
    running.fail(read.error().code, read.error().message);
    running.outcome.is_final = true;
    return CURL_READFUNC_ABORT;
  }
  running.sent += *read;
  return *read;
}

/// libcurl sends a body again if a reused connection turns out to be closed.
int on_seek(void* context, curl_off_t offset, int origin) {
  auto& running = *static_cast<Running*>(context);
  if (origin != SEEK_SET || offset < 0 ||
      static_cast<std::uint64_t>(offset) > running.request.fetch.body->size())
    return CURL_SEEKFUNC_CANTSEEK;
  running.sent = static_cast<std::uint64_t>(offset);
  return CURL_SEEKFUNC_OK;
}

/// The status code of a status line: 200 for "HTTP/1.1 200 OK".
int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (space != std::string_view::npos)
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  return status;
}

/// All headers have arrived: decides what to do with the body. False ends the transfer.
bool end_head(Running& running) {
  TransferOutcome& outcome = running.outcome;
  if (outcome.head.status < 200) return true;  // the head of the final response follows
  running.head_is_whole = true;
  outcome.use = running.request.judge(outcome.head);
  if (outcome.use == BodyUse::ignore) return true;
  // The Content-Length of a response to HEAD describes a body that is not sent.
  const auto length = running.request.fetch.method == "HEAD" ? std::nullopt : outcome.head.length();
  if (length && *length > running.request.fetch.limit) {
    running.fail(base::Errc::invalid_data,
                 fmt::format("{} is {} bytes long, more than the limit of {}", shown_url(running.request.url),
                             *length, running.request.fetch.limit),
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
  running.head_bytes += line.size();
  if (running.head_bytes > kHeadBytes) {
    running.fail(base::Errc::invalid_data, fmt::format("{} answers with more than {} bytes of headers",
                                                       shown_url(running.request.url), kHeadBytes));
    return 0;
  }
  if (running.head_is_whole) return line.size();  // an unused trailer; it counts because libcurl keeps it
  FetchHead& head = running.outcome.head;
  if (line.starts_with("HTTP/")) {
    head.status = status_of(line);
    head.headers.clear();
    if (running.exchange != nullptr) running.exchange->response_head.assign(line);
    return line.size();
  }
  if (running.exchange != nullptr) running.exchange->response_head += line;
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
  if (running.exchange != nullptr && outcome.received <= running.request.fetch.limit)
    running.exchange->body += piece;
  if (outcome.use == BodyUse::ignore) {
    running.enough = outcome.received > kIgnoredBytes;
    return running.enough ? 0 : piece.size();
  }
  if (outcome.received > running.request.fetch.limit) {
    running.fail(base::Errc::invalid_data,
                 fmt::format("{} is longer than the limit of {} bytes", shown_url(running.request.url),
                             running.request.fetch.limit),
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

/// Records the request head as it was sent, which only libcurl knows.
int on_debug(CURL* /*handle*/, curl_infotype kind, char* bytes, std::size_t size, void* context) {
  auto& running = *static_cast<Running*>(context);
  // The last one counts: libcurl sends it again if a reused connection turns out to be closed.
  if (kind == CURLINFO_HEADER_OUT) running.exchange->request_head.assign(bytes, size);
  return 0;
}

int on_progress(void* context, curl_off_t /*down*/, curl_off_t /*downloaded*/, curl_off_t /*up*/,
                curl_off_t uploaded) {
  auto& running = *static_cast<Running*>(context);
  const std::chrono::milliseconds elapsed = running.elapsed();
  if (running.request.on_time) running.request.on_time(elapsed);
  running.cancelled = running.options.cancelled && running.options.cancelled();
  running.moved = running.outcome.received + static_cast<std::uint64_t>(std::max<curl_off_t>(uploaded, 0));
  running.behind_pace = elapsed > running.options.pace.allowed(running.moved);
  return running.cancelled || running.behind_pace ? 1 : 0;
}

/// Whether the name server states that the host does not exist. libcurl reports this and "no answer" with the
/// same code, so we ask again, unless the first lookup was slow: this call cannot be cancelled.
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
                  url, running.moved, std::chrono::floor<seconds>(running.elapsed()).count(),
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
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE:  // a header line longer than libcurl accepts
#else
    case CURLE_OUT_OF_MEMORY:  // what older versions call it
#endif
      return running.fail(base::Errc::invalid_data,
                          fmt::format("{}: the response is not valid HTTP: {}", url, reason));
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
      return is_temporary_failure(code) ? running.fail(base::Errc::io, text, FetchTrouble::unreachable)
                                        : running.fail(base::Errc::invalid_argument, text);
  }
}

void set_callbacks(CURL* curl, Running& running) {
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &running);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &running);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &running);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt(curl, CURLOPT_READDATA, &running);
  curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, on_seek);
  curl_easy_setopt(curl, CURLOPT_SEEKDATA, &running);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &running);
}

base::Result<void> check_header(const base::Url& url, std::string_view name, std::string_view value) {
  if (!message::is_token(name))
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("a request to {} cannot have a header named {}", shown_url(url), name));
  if (!message::is_field_value(value))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("the header {} of a request to {} has a line end or another control character", name,
                    shown_url(url)));
  return {};
}

/// libcurl sends values as they are, so a line end in one would begin another header. All that come from
/// options, requests and signers are checked here, whoever set them.
base::Result<void> check_headers(const FetchOptions& options, const TransferRequest& request) {
  SHEAF_TRY(check_header(request.url, "User-Agent", options.user_agent));
  for (const auto& [name, value] : request.headers) SHEAF_TRY(check_header(request.url, name, value));
  if (const RequestSigner* signer = request.fetch.signer)
    for (const std::string_view part : {std::string_view(signer->access_key),
                                        std::string_view(signer->region), std::string_view(signer->service)})
      SHEAF_TRY(check_header(request.url, "Authorization", part));
  return {};
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
  if (auto checked = check_headers(options_, request); !checked) {
    running.fail(checked.error().code, std::move(checked.error().message));
    outcome.is_final = true;
    return outcome;
  }
  const HostOverride* const mapping = find_override(options_.overrides, request.url);
  const std::string proxy = mapping != nullptr ? std::string() : choose_proxy(proxies_, request.url);
  running.behind_proxy = !proxy.empty();
  running.overridden = mapping != nullptr;
  curl_easy_reset(curl_);
  HeaderList headers;
  for (const auto& [name, value] : request.headers)
    headers.add(value.empty() ? name + ";" : fmt::format("{}: {}", name, value));
  if (request.fetch.body != nullptr)
    headers.add("Expect:");  // waiting for 100-continue costs a second if the server does not support it
  set_options(request, proxy, headers);
  set_method(request.fetch);
  HeaderList connect_to;
  if (mapping != nullptr) set_override(*mapping, request, connect_to);
  set_callbacks(curl_, running);
  Exchange exchange;
  if (options_.recorder != nullptr) {
    exchange.url = request.url.href();
    exchange.began = sheaf::now();
    running.exchange = &exchange;
    curl_easy_setopt(curl_, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(curl_, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(curl_, CURLOPT_DEBUGDATA, &running);
  }
  const SigpipeBlock block;
  const CURLcode code = curl_easy_perform(curl_);
  if (code != CURLE_OK && !outcome.error && !running.enough) describe(running, code, message_);
  outcome.took = running.elapsed();
  if (running.exchange != nullptr && running.head_is_whole) record(exchange, outcome);
  return outcome;
}

void FetchTransfer::set_override(const HostOverride& mapping, const TransferRequest& request,
                                 HeaderList& connect_to) {
  connect_to.add("::" + mapping.connect_to);  // for any host and port
  curl_easy_setopt(curl_, CURLOPT_CONNECT_TO, connect_to.get());
  constexpr std::string_view kHttps = "https:";
  std::string plain(request.url.href());
  if (mapping.plain_http && plain.starts_with(kHttps)) plain.replace(0, kHttps.size(), "http:");
  curl_easy_setopt(curl_, CURLOPT_URL, plain.c_str());
}

void FetchTransfer::set_options(const TransferRequest& request, const std::string& proxy,
                                const HeaderList& headers) {
  const auto set = [this](CURLoption option, long value) { curl_easy_setopt(curl_, option, value); };
  curl_easy_setopt(curl_, CURLOPT_URL, std::string(request.url.href()).c_str());
  curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl_, CURLOPT_PROXY, proxy.c_str());  // empty: none, even if the environment has one
  curl_easy_setopt(curl_, CURLOPT_NOPROXY, "");
  curl_easy_setopt(curl_, CURLOPT_USERAGENT, options_.user_agent.c_str());
  curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers.get());
  if (!options_.authorities.empty()) curl_easy_setopt(curl_, CURLOPT_CAINFO, options_.authorities.c_str());
  set(CURLOPT_PATH_AS_IS, 1);
  set(CURLOPT_NOSIGNAL, 1);
  set(CURLOPT_NOPROGRESS, 0);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0);
  set(CURLOPT_HTTP09_ALLOWED, 0);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1);
  set(CURLOPT_BUFFERSIZE, kBufferBytes);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(std::min(kConnectTimeout, options_.timeout).count()));
  set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(std::max<std::uint64_t>(options_.slowest, 1)));
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.timeout.count()));
  message_[0] = '\0';
  curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, message_);
}

void FetchTransfer::set_method(const FetchRequest& request) {
  if (request.body != nullptr) {
    curl_easy_setopt(curl_, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl_, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
  }
  if (request.method == "HEAD") {
    curl_easy_setopt(curl_, CURLOPT_NOBODY, 1L);
  } else if (request.method != "GET" || request.body != nullptr) {
    curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  if (request.signer == nullptr) return;
  // A signature covers the path as curl normalises it. curl 8 and later refuse PATH_AS_IS with a signature.
  curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 0L);
  const RequestSigner& signer = *request.signer;
  curl_easy_setopt(curl_, CURLOPT_AWS_SIGV4,
                   fmt::format("aws:amz:{}:{}", signer.region, signer.service).c_str());
  curl_easy_setopt(curl_, CURLOPT_USERNAME, signer.access_key.c_str());
  curl_easy_setopt(curl_, CURLOPT_PASSWORD, signer.secret_key.c_str());
}

namespace {

/// Why the body of a failed transfer is incomplete, as a value of WARC-Truncated.
std::string_view truncation_of(const TransferOutcome& outcome) {
  if (!outcome.error) return {};
  if (outcome.trouble == FetchTrouble::too_large) return "length";
  return outcome.trouble == FetchTrouble::too_slow ? "time" : "disconnect";
}

}  // namespace

void FetchTransfer::record(Exchange& exchange, TransferOutcome& outcome) {
  if (outcome.trouble == FetchTrouble::refused_by_sink || outcome.trouble == FetchTrouble::cancelled) return;
  const char* address = nullptr;
  if (curl_easy_getinfo(curl_, CURLINFO_PRIMARY_IP, &address) == CURLE_OK && address != nullptr)
    exchange.address = address;
  exchange.truncated = truncation_of(outcome);
  if (auto recorded = options_.recorder->record(exchange); !recorded) {
    outcome.error = std::move(recorded.error());
    outcome.trouble = FetchTrouble::other;
    outcome.is_final = true;
  }
}

}  // namespace sheaf::http::fetch
