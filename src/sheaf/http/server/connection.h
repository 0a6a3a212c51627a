#pragma once

#include "sheaf/base/file.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/http/message/message_body.h"
#include "sheaf/http/message/request_parser.h"
#include "sheaf/http/server/outgoing.h"
#include "sheaf/http/server/server_state.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sheaf::http::server {

/// The event a connection waits for.
enum class Wants : std::uint8_t {
  read,   ///< data from the client
  write,  ///< room in the send buffer of the socket
  turn,   ///< nothing, but other connections of the thread get their turn first
  news,   ///< something to send: its stream is polled about once a second
  end,    ///< the connection is finished
};

/// One client connection, driven by the thread that owns it. It does not block:
///   reading (a head) -> skipping (a body) -> sending (the response) -> reading ... -> lingering -> end.
/// An idle connection holds no buffer.
class Connection {
 public:
  Connection(ServerState& server, base::FileDescriptor socket, std::unique_ptr<Transport> transport,
             const message::ClientAddress& peer, Refusal refusal);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Proceeds until it would block or has used up its turn. `scratch` is the thread's read buffer.
  Wants advance(std::span<char> scratch);

  [[nodiscard]] int socket() const { return socket_.get(); }
  /// Deadline by steady_ms(); a slower client is disconnected.
  [[nodiscard]] std::int64_t deadline() const { return deadline_; }
  /// Whether closing the connection now loses nothing: no response is under way, or only a stream that has
  /// nothing to send.
  [[nodiscard]] bool is_idle() const {
    return state_ == State::reading || state_ == State::skipping || is_waiting_;
  }
  /// Whether its stream had nothing to send when it was last polled.
  [[nodiscard]] bool is_waiting() const { return is_waiting_; }
  [[nodiscard]] bool is_lingering() const { return state_ == State::lingering; }

  // Used by the owning thread.
  std::size_t slot = 0;
  std::uint32_t watched = 0;  ///< the epoll events that the socket is registered for
  bool has_turn = false;      ///< in the list of connections to continue next

 private:
  enum class State : std::uint8_t { reading, skipping, sending, lingering };

  /// The request and response under way.
  struct Exchange;

  enum class Step : std::uint8_t { again, read, write, news, end };
  Step read_more(std::span<char> scratch, std::string_view& came);
  Step read_head(std::span<char> scratch);
  Step skip_body(std::span<char> scratch);
  Step send(std::span<char> scratch);
  Step continue_stream(std::span<char> scratch);
  Step linger(std::span<char> scratch);
  Step finish_response();
  Step begin_lingering();

  Step consider(std::string_view bytes);
  Step on_head(const message::RequestHead& head, std::size_t size, std::string_view bytes);
  void begin_body(const message::RequestHead& head, std::size_t size, std::string_view bytes);
  std::optional<message::RequestFault> take_body();
  void keep(std::string_view rest);
  [[nodiscard]] std::optional<Response> refusal_response() const;
  void note_request(const message::RequestHead& head);
  Response respond_to(const message::RequestHead& head, std::string_view body = {}) const;
  [[nodiscard]] std::shared_ptr<BodySink> find_sink(const message::RequestHead& head) const;
  [[nodiscard]] bool takes_post(message::Method method) const;
  void begin_response(const message::RequestHead& head, const Response& answer);
  void begin_stream(const Response& answer, ResponseFrame frame);
  void record(bool complete);
  void set_deadline(std::chrono::milliseconds from_now);

  ServerState& server_;
  base::FileDescriptor socket_;
  std::unique_ptr<Transport> transport_;
  const message::ClientAddress peer_;
  const Refusal refusal_;
  State state_ = State::reading;
  bool has_unparsed_input_ = false;  ///< input_ has bytes that have not been parsed yet
  bool is_drained_ = false;          ///< the last read emptied the socket: the next one waits for epoll
  bool closes_ = false;              ///< the connection closes after this response
  bool is_waiting_ = false;          ///< the stream has nothing to send
  std::int64_t deadline_ = 0;
  std::string input_;       ///< bytes received but not consumed
  std::string head_bytes_;  ///< head of the request whose body is being read
  std::string body_bytes_;  ///< body received so far, if it is used and has no sink
  std::shared_ptr<BodySink> sink_;
  message::BodySkipper body_;
  std::uint64_t drained_ = 0;  ///< bytes discarded while lingering
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace sheaf::http::server
