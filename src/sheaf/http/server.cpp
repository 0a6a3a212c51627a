#include "sheaf/http/server.h"

#include "sheaf/http/mhd_internal.h"
#include "sheaf/http/request_check.h"

#include <fmt/format.h>
#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <list>

namespace sheaf::http {
namespace {

using Clock = std::chrono::steady_clock;

/// What libmicrohttpd may use for one connection: the head, our answer's head, and its own lists. Over 32 KiB
/// it takes the memory from the kernel, so that a connection that has not spoken costs next to nothing.
constexpr std::size_t kPool = 40'960;
/// An idle connection goes back to the gate after this many seconds, and libmicrohttpd frees its pool.
constexpr unsigned kIdleSeconds = 10;
/// Answers larger than this may wait for their client; smaller ones fit into the socket's buffer.
constexpr std::uint64_t kSmallBody = 32'768;

/// One request on its way: made with its request line, gone with the end of its answer.
struct Exchange {
  std::string target;
  Clock::time_point begin;
  std::string_view method;  ///< lies in the connection's pool, as does the version
  std::string_view version;
  std::vector<Field> fields;
  ClientAddress client;
  unsigned status = 0;  ///< 0: libmicrohttpd answered itself
  std::uint64_t body_size = 0;
  std::uint64_t upload = 0;
  std::uint64_t sent_before = 0;  ///< bytes on this connection when the answer began
  bool closes = false;
  bool has_timeout = false;
};

std::int64_t unix_now() { return static_cast<std::int64_t>(std::time(nullptr)); }

MHD_Result collect_field(void* fields, MHD_ValueKind /*kind*/, const char* name, std::size_t name_size,
                         const char* value, std::size_t value_size) {
  static_cast<std::vector<Field>*>(fields)->push_back(
      {{name, name_size}, value == nullptr ? std::string_view() : std::string_view(value, value_size)});
  return MHD_YES;
}

Answer error_answer(unsigned status, std::string text) {
  Answer answer;
  answer.status = status;
  answer.text = std::move(text);
  return answer;
}

Answer retry_answer(unsigned status, std::string text, std::chrono::milliseconds wait) {
  Answer answer = error_answer(status, std::move(text));
  const auto seconds = std::max<std::int64_t>(1, (wait.count() + 999) / 1'000);
  answer.headers.push_back({"Retry-After", std::to_string(seconds)});
  return answer;
}

/// Bytes the client has acknowledged on this socket so far.
std::uint64_t acknowledged(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_acked : 0;
}

struct DaemonDeleter {
  void operator()(MHD_Daemon* daemon) const { MHD_stop_daemon(daemon); }
};
using Daemon = std::unique_ptr<MHD_Daemon, DaemonDeleter>;

/// A daemon that takes connections, or took them until its certificate was replaced.
struct Worker {
  Daemon daemon;
  int idle_ticks = 0;
};

class MhdServer final : public Server {
 public:
  MhdServer(std::vector<base::FileDescriptor> listeners, Site& site, Metrics& metrics, ServerOptions options)
      : site_(site),
        metrics_(metrics),
        options_(std::move(options)),
        limiter_(options_.rate),
        gate_(
            std::move(listeners), gate_options(), metrics, [this](const Connection& c) { return add(c); },
            [this] { tick(); }, options_.log) {}

  ~MhdServer() override { MhdServer::stop(); }

  base::Result<void> start() {
    SHEAF_TRY_ASSIGN(auto daemon, make_daemon(options_.tls ? &*options_.tls : nullptr));
    workers_.push_back({std::move(daemon)});
    return gate_.start();
  }

  base::Result<void> replace_certificate(const TlsFiles& files) override {
    SHEAF_TRY_ASSIGN(auto daemon, make_daemon(&files));
    const std::lock_guard lock(mutex_);
    workers_.push_back({std::move(daemon)});
    return {};
  }

  void drain() override { gate_.drain(); }
  bool wait_until_empty(std::chrono::milliseconds limit) override { return gate_.wait_until_empty(limit); }

  void stop() override {
    if (stopped_) return;
    stopped_ = true;
    gate_.drain();
    std::list<Worker> ending;
    {
      const std::lock_guard lock(mutex_);
      ending.swap(workers_);
    }
    ending.clear();  // whatever is still under way breaks off, and every duplicate is released
    gate_.stop();
  }

 private:
  [[nodiscard]] GateOptions gate_options() const {
    GateOptions options = options_.gate;
    options.may_park = !options_.tls;
    return options;
  }
  [[nodiscard]] unsigned timeout_seconds() const {
    return static_cast<unsigned>(std::max<std::int64_t>(1, options_.gate.timeout.count() / 1'000));
  }

  base::Result<Daemon> make_daemon(const TlsFiles* tls);
  bool add(const Connection& connection);
  void tick();

  void begin_connection(MHD_Connection* connection);
  void end_connection(MHD_Connection* connection);
  MHD_Result on_request(MHD_Connection* connection, Exchange& exchange, const char* method,
                        const char* version, std::size_t* upload_size);
  MHD_Result on_head(MHD_Connection* connection, Exchange& exchange, Connection& own);
  [[nodiscard]] std::optional<Answer> refusal_of(const Connection& own) const;
  Answer answer_to(Exchange& exchange);
  MHD_Result send(MHD_Connection* connection, Exchange& exchange, Connection& own, const Answer& answer);
  MHD_Result send_resource(MHD_Connection* connection, Exchange& exchange, Connection& own,
                           const Answer& answer);
  MHD_Result queue(MHD_Connection* connection, Exchange& exchange, Connection& own, unsigned status,
                   MHD_Response* response, std::uint64_t body_size);
  void on_completed(MHD_Connection* connection, Exchange& exchange, bool complete);
  void write_log(MHD_Connection* connection, const Exchange& exchange, bool complete,
                 std::chrono::nanoseconds duration);

  static Connection* own_of(MHD_Connection* connection);
  static int socket_of(MHD_Connection* connection);

  // What libmicrohttpd calls, in C.
  static void* uri_hook(void* self, const char* uri, MHD_Connection* connection);
  static MHD_Result handler_hook(void* self, MHD_Connection* connection, const char* url, const char* method,
                                 const char* version, const char* upload, std::size_t* upload_size,
                                 void** exchange);
  static void completed_hook(void* self, MHD_Connection* connection, void** exchange,
                             MHD_RequestTerminationCode code);
  static void connection_hook(void* self, MHD_Connection* connection, void** own,
                              MHD_ConnectionNotificationCode code);
  static std::size_t unescape_hook(void* self, MHD_Connection* connection, char* text);
  __attribute__((format(printf, 2, 0))) static void log_hook(void* self, const char* format,
                                                             va_list arguments);

  Site& site_;
  Metrics& metrics_;
  ServerOptions options_;
  RateLimiter limiter_;
  Gate gate_;
  std::mutex mutex_;
  std::list<Worker> workers_;  ///< the last one takes new connections; those before it end theirs
  bool stopped_ = false;
};

base::Result<Daemon> MhdServer::make_daemon(const TlsFiles* tls) {
  std::vector<MHD_OptionItem> extra;
  if (tls != nullptr) {
    const auto text = [](const char* value) { return const_cast<char*>(value); };  // NOLINT: the C interface
    extra.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, text(tls->certificate_pem.c_str())});
    extra.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, text(tls->key_pem.c_str())});
    extra.push_back({MHD_OPTION_HTTPS_PRIORITIES, 0, text("NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2")});
  }
  if (options_.threads > 1) extra.push_back({MHD_OPTION_THREAD_POOL_SIZE, options_.threads, nullptr});
  extra.push_back({MHD_OPTION_END, 0, nullptr});
  // Turbo spares system calls and, above all, a shutdown() that would end the socket behind the duplicate.
  // With TLS nothing is parked, and without turbo its connections end with a proper farewell.
  const unsigned flags =
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_USE_ERROR_LOG |
      (tls != nullptr ? static_cast<unsigned>(MHD_USE_TLS) : static_cast<unsigned>(MHD_USE_TURBO));
  // Not "strict": then it would check Host and blanks itself, and answer with two heads or not at all.
  // Ours is the limit that counts; theirs would close without a word.
  const auto limit = static_cast<unsigned>(options_.gate.most_connections * 2 + 1'024) * options_.threads;
  Daemon daemon(
      MHD_start_daemon(flags, 0, nullptr, nullptr, &handler_hook, this, MHD_OPTION_EXTERNAL_LOGGER, &log_hook,
                       this, MHD_OPTION_URI_LOG_CALLBACK, &uri_hook, this, MHD_OPTION_NOTIFY_COMPLETED,
                       &completed_hook, this, MHD_OPTION_NOTIFY_CONNECTION, &connection_hook, this,
                       MHD_OPTION_UNESCAPE_CALLBACK, &unescape_hook, this, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                       kPool, MHD_OPTION_CONNECTION_LIMIT, limit, MHD_OPTION_CONNECTION_TIMEOUT,
                       tls != nullptr ? timeout_seconds() : std::min(kIdleSeconds, timeout_seconds()),
                       MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_ARRAY, extra.data(), MHD_OPTION_END));
  if (!daemon)
    return base::fail(base::Errc::io, tls != nullptr ? "cannot start serving with this certificate and key"
                                                     : "cannot start the threads that serve");
  return daemon;
}

bool MhdServer::add(const Connection& connection) {
  const std::lock_guard lock(mutex_);
  if (workers_.empty()) {
    close(connection.duplicate);
    return false;
  }
  return MHD_add_connection(workers_.back().daemon.get(), connection.duplicate,
                            reinterpret_cast<const sockaddr*>(&connection.address),
                            connection.address_size) == MHD_YES;
}

void MhdServer::tick() {
  site_.tick();
  std::list<Worker> ended;
  const std::lock_guard lock(mutex_);
  for (auto it = workers_.begin(); it != workers_.end() && std::next(it) != workers_.end();) {
    const auto* info = MHD_get_daemon_info(it->daemon.get(), MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    it->idle_ticks = info != nullptr && info->num_connections == 0 ? it->idle_ticks + 1 : 0;
    const auto next = std::next(it);
    // Twice, for a connection that was handed over at the last moment and is not counted yet.
    if (it->idle_ticks > 1) ended.splice(ended.end(), workers_, it);
    it = next;
  }
}

Connection* MhdServer::own_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info != nullptr ? static_cast<Connection*>(info->socket_context) : nullptr;
}

int MhdServer::socket_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info != nullptr ? info->connect_fd : -1;
}

void* MhdServer::uri_hook(void* /*self*/, const char* uri, MHD_Connection* connection) {
  auto exchange = std::make_unique<Exchange>();
  exchange->begin = Clock::now();
  if (uri != nullptr) exchange->target = uri;
  if (Connection* own = own_of(connection)) own->reusable = false;
  return exchange.release();
}

MHD_Result MhdServer::handler_hook(void* self, MHD_Connection* connection, const char* /*url*/,
                                   const char* method, const char* version, const char* /*upload*/,
                                   std::size_t* upload_size, void** exchange) {
  return static_cast<MhdServer*>(self)->on_request(connection, *static_cast<Exchange*>(*exchange), method,
                                                   version, upload_size);
}

void MhdServer::completed_hook(void* self, MHD_Connection* connection, void** exchange,
                               MHD_RequestTerminationCode code) {
  const std::unique_ptr<Exchange> ended(static_cast<Exchange*>(*exchange));
  *exchange = nullptr;
  if (ended)
    static_cast<MhdServer*>(self)->on_completed(connection, *ended,
                                                code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

void MhdServer::connection_hook(void* self, MHD_Connection* connection, void** own,
                                MHD_ConnectionNotificationCode code) {
  auto& server = *static_cast<MhdServer*>(self);
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    *own = server.gate_.find(socket_of(connection));
  } else if (*own != nullptr) {
    server.gate_.release(*static_cast<Connection*>(*own));
    *own = nullptr;
  }
}

/// Decoding is ours (request_target.h), from the text that uri_hook kept.
std::size_t MhdServer::unescape_hook(void* /*self*/, MHD_Connection* /*connection*/, char* text) {
  return std::char_traits<char>::length(text);
}

void MhdServer::log_hook(void* self, const char* format, va_list arguments) {
  // What is wrong with single requests is the client's business and only counted.
  const std::string_view text(format);
  auto& server = *static_cast<MhdServer*>(self);
  if (text.starts_with("Error processing request")) server.metrics_.count_malformed();
  if (!text.starts_with("Failed to") || text.find("header") != std::string_view::npos) return;
  std::array<char, 256> line{};
  std::vsnprintf(line.data(), line.size(), format, arguments);
  std::string message(line.data());
  while (!message.empty() && message.back() == '\n') message.pop_back();
  server.options_.log(message);
}

MHD_Result MhdServer::on_request(MHD_Connection* connection, Exchange& exchange, const char* method,
                                 const char* version, std::size_t* upload_size) {
  Connection* own = own_of(connection);
  if (own == nullptr) return MHD_NO;
  if (exchange.method.data() == nullptr) {
    exchange.method = method;
    exchange.version = version;
    return on_head(connection, exchange, *own);
  }
  if (*upload_size > 0) {
    exchange.upload += *upload_size;
    *upload_size = 0;
    return exchange.upload > kLargestBody ? MHD_NO : MHD_YES;
  }
  own->deadline_ms.store(0);
  return send(connection, exchange, *own, answer_to(exchange));
}

/// The head is complete. Whatever is answered here ends the connection; everything else is answered once the
/// body, if there is one, was read, and keeps it.
MHD_Result MhdServer::on_head(MHD_Connection* connection, Exchange& exchange, Connection& own) {
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &collect_field, &exchange.fields);
  const Fields fields{exchange.fields};
  exchange.client = client_behind(
      own.peer, options_.trusted_proxies.empty() ? std::string() : fields.joined("X-Forwarded-For"),
      options_.trusted_proxies);
  const auto* head_size = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  own.consumed += head_size->header_size;
  exchange.closes = asks_to_close(exchange.version, fields);
  std::optional<Answer> early = refusal_of(own);
  if (!early)
    if (auto fault = check_head(exchange.method, exchange.version, fields, head_size->header_size))
      early = error_answer(fault->status, std::move(fault->text));
  const Method method = method_of(exchange.method);
  const bool has_body = !early && announces_body(fields);
  if (has_body && method != Method::get && method != Method::head && method != Method::options)
    early = answer_to(exchange);
  if (!early) {
    if (fields.count("Transfer-Encoding") > 0)
      exchange.closes = true;  // its bytes on the wire are not counted
    return MHD_YES;
  }
  exchange.closes = true;
  own.deadline_ms.store(0);
  return send(connection, exchange, own, *early);
}

std::optional<Answer> MhdServer::refusal_of(const Connection& own) const {
  if (gate_.is_draining()) return retry_answer(503, "the server is stopping", std::chrono::seconds(5));
  if (own.refusal == Refusal::server_full)
    return retry_answer(503, "all connections are in use", std::chrono::seconds(5));
  if (own.refusal == Refusal::client_full)
    return retry_answer(429, "too many connections from your address", std::chrono::seconds(5));
  return std::nullopt;
}

Answer MhdServer::answer_to(Exchange& exchange) {
  if (const auto wait = limiter_.take(exchange.client, exchange.begin))
    return retry_answer(429, "too many requests from your address", *wait);
  const Method method = method_of(exchange.method);
  const RequestTarget target = parse_request_target(exchange.target);
  if (target.kind == TargetKind::too_long) return error_answer(414, "the address is over 8192 bytes");
  if (method == Method::other) return error_answer(501, "no such method here");
  const bool can_be_asterisk = method == Method::options;
  if (target.kind == TargetKind::malformed || (target.kind == TargetKind::asterisk && !can_be_asterisk))
    return error_answer(400, "the address is malformed");
  if (method == Method::get || method == Method::head)
    return site_.answer({.method = method,
                         .path = target.path,
                         .query = target.query,
                         .has_encoded_slash = target.has_encoded_slash,
                         .fields = Fields(exchange.fields)});
  Answer answer = method == Method::options ? error_answer(204, "")
                                            : error_answer(405, "files can be read, with GET and HEAD");
  answer.headers.push_back({"Allow", "GET, HEAD, OPTIONS"});
  return answer;
}

MHD_Result MhdServer::send(MHD_Connection* connection, Exchange& exchange, Connection& own,
                           const Answer& answer) {
  own.consumed += exchange.upload;
  if (answer.resource) return send_resource(connection, exchange, own, answer);
  const std::string text = text_of(answer);
  const Response response = make_text_response(answer, text);
  const std::uint64_t size = method_of(exchange.method) == Method::head ? 0 : text.size();
  return queue(connection, exchange, own, answer.status, response.get(), size);
}

MHD_Result MhdServer::send_resource(MHD_Connection* connection, Exchange& exchange, Connection& own,
                                    const Answer& answer) {
  const Resource& resource = *answer.resource;
  const Method method = method_of(exchange.method);
  const Decision decision = decide(method, Fields(exchange.fields), resource.representation(), unix_now());
  const bool encrypted = options_.tls.has_value();
  const std::uint64_t size = method == Method::head ? 0 : resource.representation().size;
  switch (decision.status) {
    case 304: return queue(connection, exchange, own, 304, resource.prepared().not_modified.get(), 0);
    case 200: {
      if (!encrypted || method == Method::head)
        return queue(connection, exchange, own, 200, resource.prepared().full.get(), size);
      const Response response = make_full_response(resource);
      return queue(connection, exchange, own, 200, response.get(), size);
    }
    case 206: {
      std::uint64_t length = 0;
      const Response response = make_partial_response(resource, decision.ranges, encrypted, length);
      return queue(connection, exchange, own, 206, response.get(), length);
    }
    default: {
      Answer failed = error_answer(decision.status, decision.status == 412 ? "the file is another one now"
                                                                           : "the file has no such range");
      if (decision.status == 416)
        failed.headers.push_back(
            {"Content-Range", fmt::format("bytes */{}", resource.representation().size)});
      return send(connection, exchange, own, failed);
    }
  }
}

MHD_Result MhdServer::queue(MHD_Connection* connection, Exchange& exchange, Connection& own, unsigned status,
                            MHD_Response* response, std::uint64_t body_size) {
  if (response == nullptr) {
    if (status == 500) return MHD_NO;
    return send(connection, exchange, own, error_answer(500, "out of memory or file descriptors"));
  }
  exchange.status = status;
  exchange.body_size = body_size;
  if (body_size > kSmallBody) {
    exchange.sent_before = acknowledged(own.duplicate);
    exchange.has_timeout = !options_.tls;
    if (exchange.has_timeout)
      MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout_seconds());
  }
  return MHD_queue_response(connection, status, response);
}

void MhdServer::on_completed(MHD_Connection* connection, Exchange& exchange, bool complete) {
  Connection* own = own_of(connection);
  if (own != nullptr) {
    own->reusable = complete && !exchange.closes;
    own->deadline_ms.store(gate_.deadline_from_now());
    if (exchange.has_timeout)
      MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                                std::min(kIdleSeconds, timeout_seconds()));
    if (!complete && exchange.body_size > kSmallBody) {
      const std::uint64_t sent = acknowledged(own->duplicate) - exchange.sent_before;
      exchange.body_size = std::min(exchange.body_size, sent);
    }
    // What was written is still delivered; the connection ends after it.
    if (gate_.is_draining()) shutdown(own->duplicate, SHUT_RDWR);
  }
  if (exchange.status == 0) return;
  const auto duration = Clock::now() - exchange.begin;
  metrics_.count_request(exchange.status, exchange.body_size, duration);
  if (!complete) metrics_.count_aborted();
  if (options_.access_log != nullptr) write_log(connection, exchange, complete, duration);
}

void MhdServer::write_log(MHD_Connection* /*connection*/, const Exchange& exchange, bool complete,
                          std::chrono::nanoseconds duration) {
  const Fields fields{exchange.fields};
  const std::string client = exchange.client.str();
  options_.access_log->write({.client = client,
                              .time = unix_now(),
                              .method = exchange.method,
                              .target = exchange.target,
                              .version = exchange.version,
                              .status = exchange.status,
                              .body_bytes = exchange.body_size,
                              .referer = fields.first("Referer"),
                              .user_agent = fields.first("User-Agent"),
                              .duration = std::chrono::duration_cast<std::chrono::microseconds>(duration),
                              .complete = complete});
}

}  // namespace

base::Result<std::unique_ptr<Server>> Server::start(std::vector<base::FileDescriptor> listeners, Site& site,
                                                    Metrics& metrics, ServerOptions options) {
  if (!options.log) options.log = [](const std::string&) {};
  auto server = std::make_unique<MhdServer>(std::move(listeners), site, metrics, std::move(options));
  SHEAF_TRY(server->start());
  return server;
}

}  // namespace sheaf::http
