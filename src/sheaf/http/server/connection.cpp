#include "sheaf/http/server/connection.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_parser.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

namespace sheaf::http::server {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a closing connection waits for the client to close its side.
constexpr std::chrono::milliseconds kLinger{2'000};
/// A client that sends more than this meanwhile is disconnected.
constexpr std::uint64_t kMaxDrained = 1U << 20U;
/// Steps (parsing a request, sending a piece of a response) before other connections of the thread get their
/// turn.
constexpr int kStepsInATurn = 64;

std::int64_t unix_now() { return static_cast<std::int64_t>(std::time(nullptr)); }

/// The Date of this second, cached: formatting it for every response would cost more than finding the file.
const std::string& date_of(std::int64_t now) {
  thread_local std::int64_t second = -1;
  thread_local std::string text;
  if (second != now) {
    second = now;
    text = message::format_http_date(now);
  }
  return text;
}

Response error_response(unsigned status, std::string text) {
  Response answer;
  answer.status = status;
  answer.text = std::move(text);
  return answer;
}

Response retry_response(unsigned status, std::string text, std::chrono::milliseconds wait) {
  Response answer = error_response(status, std::move(text));
  const auto seconds = std::max<std::int64_t>(1, (wait.count() + 999) / 1'000);
  answer.headers.push_back({"Retry-After", std::to_string(seconds)});
  return answer;
}

Response allow_response(unsigned status, std::string text) {
  Response answer = error_response(status, std::move(text));
  answer.headers.push_back({"Allow", "GET, HEAD, OPTIONS"});
  return answer;
}

Response decided_response(const message::Decision& decision, const message::Representation& representation) {
  if (decision.status == 412) return error_response(412, "the file has changed");
  Response answer = error_response(416, "the file has no such range");
  answer.headers.push_back({"Content-Range", fmt::format("bytes */{}", representation.size)});
  return answer;
}

/// Whether a body is read and dropped, so that the connection stays usable.
bool takes_bodies(message::Method method) {
  return method == message::Method::get || method == message::Method::head ||
         method == message::Method::options;
}

}  // namespace

struct Connection::Exchange {
  Clock::time_point begin;
  message::ClientAddress client;
  Outgoing outgoing;
  std::shared_ptr<BodyStream> stream;  ///< provides the rest of the body; null if there is no more
  bool is_chunked = false;
  std::string identity;  ///< the verified identity of the client
  // For the access log; empty if there is no log.
  std::string method;
  std::string target;
  std::string version;
  std::string referer;
  std::string user_agent;
};

Connection::Connection(ServerState& server, base::FileDescriptor socket, std::unique_ptr<Transport> transport,
                       const message::ClientAddress& peer, Refusal refusal)
    : server_(server),
      socket_(std::move(socket)),
      transport_(std::move(transport)),
      peer_(peer),
      refusal_(refusal) {
  set_deadline(server_.options.timeout);
}

Connection::~Connection() {
  if (state_ == State::sending) record(exchange_->stream != nullptr);  // leaving a feed is not an abort
  server_.leave(peer_);
}

void Connection::set_deadline(std::chrono::milliseconds from_now) {
  deadline_ = steady_ms() + from_now.count();
}

Wants Connection::advance(std::span<char> scratch) {
  for (int step = 0; step < kStepsInATurn; ++step) {
    Step next = Step::end;
    switch (state_) {
      case State::reading: next = read_head(scratch); break;
      case State::skipping: next = skip_body(scratch); break;
      case State::sending: next = send(scratch); break;
      case State::lingering: next = linger(scratch); break;
    }
    if (next == Step::read) return Wants::read;
    if (next == Step::write) return Wants::write;
    if (next == Step::news) return Wants::news;
    if (next == Step::end) return Wants::end;
  }
  return Wants::turn;
}

Connection::Step Connection::read_more(std::span<char> scratch, std::string_view& came) {
  if (std::exchange(is_drained_, false)) return Step::read;
  const IoResult result = transport_->read(scratch);
  if (result.status == IoStatus::wants_read) return Step::read;
  if (result.status == IoStatus::wants_write) return Step::write;
  if (result.status == IoStatus::failed || result.count == 0) return Step::end;
  is_drained_ = !result.may_have_more;
  came = {scratch.data(), result.count};
  return Step::again;
}

/// A request that arrives in one piece, as nearly all do, is parsed in `scratch`. An incomplete one is copied
/// to input_, where it waits for the rest.
Connection::Step Connection::read_head(std::span<char> scratch) {
  if (std::exchange(has_unparsed_input_, false)) return consider(input_);
  std::string_view came;
  if (const Step step = read_more(scratch, came); came.empty()) return step;
  if (input_.empty()) return consider(came);
  input_ += came;
  return consider(input_);
}

Connection::Step Connection::consider(std::string_view bytes) {
  thread_local message::RequestHead head;  // reuses its memory
  message::HeadResult result = message::parse_head(bytes, head);
  switch (result.status) {
    case message::HeadStatus::complete: return on_head(head, result.size, bytes);
    case message::HeadStatus::faulty:
      server_.metrics.count_malformed();
      note_request(head);
      closes_ = true;
      begin_response(head, error_response(result.fault.status, std::move(result.fault.text)));
      return Step::again;
    default: keep(bytes); return Step::again;
  }
}

/// Keeps `rest`, the unparsed end of the input.
void Connection::keep(std::string_view rest) {
  const bool is_input =
      !input_.empty() && rest.data() >= input_.data() && rest.data() <= input_.data() + input_.size();
  if (is_input)
    input_.erase(0, input_.size() - rest.size());
  else
    input_.assign(rest);
}

/// Handles a complete head. An early response leaves the body unread, so it closes the connection.
Connection::Step Connection::on_head(const message::RequestHead& head, std::size_t size,
                                     std::string_view bytes) {
  note_request(head);
  const message::Fields fields{head.fields};
  closes_ = message::asks_to_close(head.version, fields);
  const message::Method method = message::method_of(head.method);
  const bool may_have_body = takes_bodies(method) || takes_post(method);
  std::optional<Response> early = refusal_response();
  auto fault = message::check_head(head.method, head.version, fields, size,
                                   takes_post(method) ? message::kMaxUploadBytes : message::kMaxBodyBytes);
  if (!early && !fault && takes_post(method) && message::announces_body(fields)) {
    sink_ = find_sink(head);
    fault = message::check_head(head.method, head.version, fields, size,
                                sink_ ? sink_->most_bytes() : message::kMaxBodyBytes);
  }
  if (fault) server_.metrics.count_malformed();
  const bool is_upload = fault ? fault->status == 413 : message::announces_body(fields);
  if (!early && is_upload && !may_have_body) early = respond_to(head);
  if (!early && fault) early = error_response(fault->status, std::move(fault->text));
  const bool has_body = !early && is_upload;
  if (early) {
    closes_ = true;
    begin_response(head, *early);
    return Step::again;
  }
  if (has_body) {
    begin_body(head, size, bytes);
    return Step::again;
  }
  begin_response(head, respond_to(head));
  keep(bytes.substr(size));
  return Step::again;
}

void Connection::begin_body(const message::RequestHead& head, std::size_t size, std::string_view bytes) {
  const message::Fields fields{head.fields};
  body_ = message::BodySkipper(fields, sink_ ? sink_->most_bytes() : message::kMaxBodyBytes);
  const bool is_awaited = fields.count("Expect") > 0 && head.version != "HTTP/1.0" && bytes.size() == size;
  head_bytes_ = bytes.substr(0, size);
  keep(bytes.substr(size));
  has_unparsed_input_ = !input_.empty();
  state_ = State::skipping;
  // This fits into an empty socket buffer, so it is written completely.
  if (is_awaited) transport_->write("HTTP/1.1 100 Continue\r\n\r\n", More::no);
}

/// Removes the part of the body that has arrived from the input, and passes it on if it is used.
std::optional<message::RequestFault> Connection::take_body() {
  std::string_view rest = input_;
  message::RequestHead head;
  message::parse_head(head_bytes_, head);
  const bool is_used = takes_post(message::method_of(head.method));
  auto fault = body_.skip(rest, is_used ? &body_bytes_ : nullptr);
  input_.erase(0, input_.size() - rest.size());
  if (!sink_ || fault) return fault;
  if (!sink_->take(body_bytes_)) return message::RequestFault{500, "there is no room for the upload"};
  body_bytes_.clear();
  return std::nullopt;
}

Connection::Step Connection::skip_body(std::span<char> scratch) {
  if (!std::exchange(has_unparsed_input_, false)) {
    std::string_view came;
    if (const Step step = read_more(scratch, came); came.empty()) return step;
    input_ += came;
  }
  auto fault = take_body();
  if (!fault && !body_.is_done()) return Step::again;
  message::RequestHead head;
  message::parse_head(head_bytes_, head);
  if (fault) {
    server_.metrics.count_malformed();
    closes_ = true;
  }
  begin_response(
      head, fault ? error_response(fault->status, std::move(fault->text)) : respond_to(head, body_bytes_));
  base::free_storage(head_bytes_);
  base::free_storage(body_bytes_);
  sink_.reset();
  return Step::again;
}

std::optional<Response> Connection::refusal_response() const {
  if (server_.draining.load(std::memory_order_relaxed))
    return retry_response(503, "the server is stopping", std::chrono::seconds(5));
  if (refusal_ == Refusal::server_full)
    return retry_response(503, "all connections are in use", std::chrono::seconds(5));
  if (refusal_ == Refusal::client_full)
    return retry_response(429, "too many connections from your address", std::chrono::seconds(5));
  return std::nullopt;
}

void Connection::note_request(const message::RequestHead& head) {
  const message::Fields fields{head.fields};
  const auto& proxies = server_.options.trusted_proxies;
  exchange_ = std::make_unique<Exchange>();
  exchange_->begin = Clock::now();
  exchange_->client =
      proxies.empty() ? peer_ : message::client_behind(peer_, fields.joined("X-Forwarded-For"), proxies);
  if (server_.options.access_log == nullptr) return;
  exchange_->method = head.method;
  exchange_->target = head.target;
  exchange_->version = head.version;
  exchange_->referer = fields.first("Referer");
  exchange_->user_agent = fields.first("User-Agent");
}

bool Connection::takes_post(message::Method method) const {
  return method == message::Method::post && server_.handler.takes_posts();
}

std::shared_ptr<BodySink> Connection::find_sink(const message::RequestHead& head) const {
  const message::RequestTarget target = message::parse_request_target(head.target);
  if (target.kind != message::TargetKind::path) return nullptr;
  return server_.handler.begin_upload({.method = message::Method::post,
                                       .path = target.path,
                                       .query = target.query,
                                       .has_encoded_slash = target.has_encoded_slash,
                                       .fields = message::Fields(head.fields)});
}

Response Connection::respond_to(const message::RequestHead& head, std::string_view body) const {
  if (const auto wait = server_.limiter.take(exchange_->client, exchange_->begin))
    return retry_response(429, "too many requests from your address", *wait);
  const message::Method method = message::method_of(head.method);
  const message::RequestTarget target = message::parse_request_target(head.target);
  if (target.kind == message::TargetKind::too_long) return error_response(414, "the URL is over 8192 bytes");
  if (method == message::Method::other) return error_response(501, "the method is not supported");
  if (method == message::Method::known || (method == message::Method::post && !takes_post(method)))
    return allow_response(405, "only GET, HEAD and OPTIONS are allowed");
  if (target.kind == message::TargetKind::malformed ||
      (target.kind == message::TargetKind::asterisk && method != message::Method::options))
    return error_response(400, "the URL is malformed");
  if (method != message::Method::options)
    return server_.handler.respond({.method = method,
                                    .path = target.path,
                                    .query = target.query,
                                    .has_encoded_slash = target.has_encoded_slash,
                                    .fields = message::Fields(head.fields),
                                    .body = body,
                                    .sink = sink_,
                                    .target = head.target,
                                    .is_secure = server_.options.tls.has_value(),
                                    .client = exchange_->client});
  return allow_response(204, "");
}

void Connection::begin_response(const message::RequestHead& head, const Response& answer) {
  const std::int64_t now = unix_now();
  const message::Method method = message::method_of(head.method);
  exchange_->identity = answer.identity;
  const ResponseFrame frame{.date = date_of(now),
                            .is_head = method == message::Method::head,
                            .closes = closes_,
                            .requests_keep_alive = head.version == "HTTP/1.0"};
  if (answer.resource) {
    const message::Decision decision =
        message::decide(method, message::Fields(head.fields), answer.resource->representation(), now);
    exchange_->outgoing =
        decision.status < 400
            ? Outgoing::file(answer, decision, frame)
            : Outgoing::text(decided_response(decision, answer.resource->representation()), frame);
  } else if (answer.stream) {
    begin_stream(answer, frame);
  } else {
    exchange_->outgoing = Outgoing::text(answer, frame);
  }
  state_ = State::sending;
  set_deadline(server_.options.timeout);
}

/// HTTP/1.0 has no chunks, so there closing the connection ends the body.
void Connection::begin_stream(const Response& answer, ResponseFrame frame) {
  exchange_->is_chunked = !frame.requests_keep_alive;
  closes_ = closes_ || !exchange_->is_chunked;
  frame.closes = closes_;
  exchange_->outgoing = Outgoing::stream(answer, frame, exchange_->is_chunked);
  if (!frame.is_head) exchange_->stream = answer.stream;
}

/// Polls the stream after everything before was sent. If the stream has nothing to send, reads from the
/// socket to notice a disconnect; pipelined requests wait in input_.
Connection::Step Connection::continue_stream(std::span<char> scratch) {
  is_waiting_ = false;
  if (server_.draining.load(std::memory_order_relaxed)) return Step::end;
  BodyStream::Piece piece = exchange_->stream->next();
  set_deadline(server_.options.timeout);
  if (!piece.bytes.empty() || piece.is_last) {
    exchange_->outgoing.add_piece(piece.bytes, piece.is_last, exchange_->is_chunked);
    if (piece.is_last) exchange_->stream.reset();
    return exchange_->outgoing.is_sent() ? finish_response() : Step::again;
  }
  std::string_view came;
  const Step step = read_more(scratch, came);
  if (step == Step::end || input_.size() + came.size() > message::kMaxHeadBytes) return Step::end;
  input_ += came;
  is_waiting_ = true;
  return Step::news;
}

Connection::Step Connection::send(std::span<char> scratch) {
  if (exchange_->outgoing.is_sent()) return continue_stream(scratch);
  const IoResult result = exchange_->outgoing.send(*transport_);
  if (result.status == IoStatus::wants_write) return Step::write;
  if (result.status == IoStatus::wants_read) return Step::read;
  // The file has become shorter: close the connection, so that the client sees an incomplete response.
  if (result.status == IoStatus::failed || result.count == 0) return Step::end;
  if (exchange_->outgoing.is_sent() && !exchange_->stream) return finish_response();
  set_deadline(server_.options.timeout);
  return Step::again;
}

Connection::Step Connection::finish_response() {
  record(true);
  exchange_.reset();
  if (closes_ || server_.draining.load(std::memory_order_relaxed)) return begin_lingering();
  state_ = State::reading;
  has_unparsed_input_ = !input_.empty();
  if (!has_unparsed_input_) base::free_storage(input_);  // an idle connection holds no buffer
  set_deadline(server_.options.timeout);
  return Step::again;
}

/// RFC 9112 9.6: stop writing, then read until the client stops too, so that no TCP reset overtakes the
/// response.
Connection::Step Connection::begin_lingering() {
  transport_->finish();
  base::free_storage(input_);
  state_ = State::lingering;
  set_deadline(kLinger);
  return Step::again;
}

Connection::Step Connection::linger(std::span<char> scratch) {
  const ssize_t count = recv(socket_.get(), scratch.data(), scratch.size(), MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? Step::read : Step::end;
  drained_ += static_cast<std::uint64_t>(count);
  return count == 0 || drained_ > kMaxDrained ? Step::end : Step::again;
}

void Connection::record(bool complete) {
  const Outgoing& outgoing = exchange_->outgoing;
  const auto duration = Clock::now() - exchange_->begin;
  server_.metrics.count_request(outgoing.status(), outgoing.body_sent(), duration);
  if (!complete) server_.metrics.count_aborted();
  if (server_.options.access_log == nullptr) return;
  const std::string client = exchange_->client.str();
  server_.options.access_log->write(
      {.client = client,
       .time = unix_now(),
       .method = exchange_->method,
       .target = exchange_->target,
       .version = exchange_->version,
       .status = outgoing.status(),
       .body_bytes = outgoing.body_sent(),
       .identity = exchange_->identity,
       .referer = exchange_->referer,
       .user_agent = exchange_->user_agent,
       .duration = std::chrono::duration_cast<std::chrono::microseconds>(duration),
       .complete = complete});
}

}  // namespace sheaf::http::server
