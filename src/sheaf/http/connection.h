#pragma once

#include "sheaf/base/file.h"
#include "sheaf/http/body_skipper.h"
#include "sheaf/http/client_address.h"
#include "sheaf/http/outgoing.h"
#include "sheaf/http/request_parser.h"
#include "sheaf/http/server_state.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sheaf::http {

/// What a connection waits for before it can go on.
enum class Wants : std::uint8_t {
  read,   ///< the client to send
  write,  ///< room to send to the client
  turn,   ///< nothing: the others of its thread come first
  end,    ///< it is over
};

/// One client's connection, moved on by the thread that owns it and never waiting itself:
///   reading (a head) -> skipping (a body) -> sending (the answer) -> reading ... -> lingering -> end.
/// While nothing is under way it holds no buffer.
class Connection {
 public:
  Connection(ServerState& server, base::FileDescriptor socket, std::unique_ptr<Transport> transport,
             const ClientAddress& peer, Refusal refusal);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Goes as far as it can. `scratch` is the thread's, for reading.
  Wants advance(std::span<char> scratch);

  [[nodiscard]] int socket() const { return socket_.get(); }
  /// When it is cut for being too slow, by steady_ms().
  [[nodiscard]] std::int64_t deadline() const { return deadline_; }
  /// No answer is on its way: to stop now is no loss.
  [[nodiscard]] bool is_idle() const { return state_ == State::reading || state_ == State::skipping; }
  [[nodiscard]] bool is_lingering() const { return state_ == State::lingering; }

  // The owner's notes.
  std::size_t slot = 0;
  std::uint32_t watched = 0;  ///< what epoll was asked for
  bool has_turn = false;      ///< it is among those that are moved on next

 private:
  enum class State : std::uint8_t { reading, skipping, sending, lingering };

  /// A request and its answer under way.
  struct Exchange;

  enum class Step : std::uint8_t { again, read, write, end };
  Step read_more(std::span<char> scratch, std::string_view& came);
  Step read_head(std::span<char> scratch);
  Step skip_body(std::span<char> scratch);
  Step send();
  Step linger(std::span<char> scratch);
  Step finish_answer();
  Step begin_lingering();

  Step consider(std::string_view bytes);
  Step on_head(const RequestHead& head, std::size_t size, std::string_view bytes);
  void keep(std::string_view rest);
  [[nodiscard]] std::optional<Answer> refusal_answer() const;
  void note_request(const RequestHead& head);
  Answer answer_to(const RequestHead& head) const;
  void begin_answer(const RequestHead& head, const Answer& answer);
  void record(bool complete);
  void set_deadline(std::chrono::milliseconds from_now);

  ServerState& server_;
  base::FileDescriptor socket_;
  std::unique_ptr<Transport> transport_;
  const ClientAddress peer_;
  const Refusal refusal_;
  State state_ = State::reading;
  bool has_news_ = false;    ///< bytes of input_ that were not looked at yet
  bool is_drained_ = false;  ///< the last read took all there was: the next waits for epoll
  bool closes_ = false;      ///< after this answer
  std::int64_t deadline_ = 0;
  std::string input_;       ///< came and is not used up
  std::string head_bytes_;  ///< of a request whose body is being skipped
  BodySkipper body_;
  std::uint64_t drained_ = 0;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace sheaf::http
