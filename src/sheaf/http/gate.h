#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/client_address.h"
#include "sheaf/http/metrics.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace sheaf::http {

/// Why a connection gets only a refusal.
enum class Refusal : std::uint8_t { none, server_full, client_full };

/// One accepted socket. The gate owns it; whoever answers its requests works on a duplicate of the
/// descriptor.
struct Connection {
  base::FileDescriptor socket;
  int duplicate = -1;
  sockaddr_in6 address{};  ///< of any family; of a Unix socket only that
  socklen_t address_size = 0;
  ClientAddress peer;
  Refusal refusal = Refusal::none;

  /// When it is cut, in milliseconds of the steady clock: the time a whole request head may take, counted
  /// from the start or the last answer. 0 while an answer is on its way.
  std::atomic<std::int64_t> deadline_ms{0};

  // Written by the thread that answers, read by the gate once the duplicate was released.
  std::uint64_t consumed = 0;  ///< bytes of the requests that were answered
  bool reusable = true;        ///< nothing is under way, and neither side asked to close

  // The gate's own.
  enum class State : std::uint8_t { live, parked, lingering };
  State state = State::live;
  std::size_t slot = 0;
  std::uint64_t drained = 0;
};

struct GateOptions {
  std::size_t most_connections = 10'000;
  std::size_t most_connections_per_client = 0;  ///< 0: no limit
  std::chrono::milliseconds timeout{
      60'000};                  ///< for a whole request head, and for a kept connection to be used
  std::uint64_t bandwidth = 0;  ///< bytes a second for each connection; 0: no limit
  bool may_park = true;         ///< false for TLS, whose state lies in the answering side
};

/// Accepts connections, holds them to their limits, and keeps those that are idle for next to nothing.
///
/// The answering side (libmicrohttpd) gets a duplicate of each socket and closes it when it is done or bored;
/// it holds tens of kilobytes for every connection it knows. When a connection was idle at that moment, which
/// the kernel's count of received bytes proves, the gate parks it: it waits for the next byte here and hands
/// out a fresh duplicate then. Otherwise the gate closes as RFC 9112 9.6 wants: it stops writing, and reads
/// until the client stops too or two seconds have passed, so that no reset overtakes the answer.
class Gate {
 public:
  /// Takes the duplicate in any case; false: it could not be served and is closed already.
  using HandOver = std::function<bool(const Connection&)>;
  using Tick = std::function<void()>;  ///< about once a second, on the gate's thread
  using Log = std::function<void(const std::string&)>;

  Gate(std::vector<base::FileDescriptor> listeners, const GateOptions& options, Metrics& metrics,
       HandOver hand_over, Tick tick, Log log);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  base::Result<void> start();

  /// The connection that this duplicate belongs to. From any thread, until release().
  Connection* find(int duplicate);
  /// The answering side is about to close its duplicate. From any thread.
  void release(Connection& connection);

  /// No new connections, idle ones are closed, the rest may end what they are at. Returns at once.
  void drain();
  [[nodiscard]] bool is_draining() const { return draining_.load(std::memory_order_relaxed); }
  /// Waits until no connection is left or the time is over; true if none is.
  bool wait_until_empty(std::chrono::milliseconds limit);
  /// Ends the thread. All duplicates must have been released.
  void stop();

  [[nodiscard]] std::int64_t deadline_from_now() const;

 private:
  void run();
  void handle(std::uint64_t tag, bool& accepting);
  bool accept_all(int listener);
  void admit(base::FileDescriptor socket, const sockaddr_in6& address, socklen_t size);
  [[nodiscard]] Refusal refusal_for(const ClientAddress& client) const;
  void hand_over(Connection& connection);
  void take_back(Connection& connection);
  void settle_released();
  void park(Connection& connection);
  void linger(Connection& connection);
  void on_parked(Connection& connection);
  void on_lingering(Connection& connection);
  void discard(Connection& connection);
  void cut_late_ones();
  void begin_drain();
  void publish_count();
  void watch(int descriptor, std::uint64_t tag);
  void watch_listeners(bool on);
  void wake();

  std::vector<base::FileDescriptor> listeners_;
  const GateOptions options_;
  Metrics& metrics_;
  const HandOver hand_over_;
  const Tick tick_;
  const Log log_;
  base::FileDescriptor epoll_;
  base::FileDescriptor event_;
  std::vector<std::unique_ptr<Connection>> connections_;  ///< the gate's thread only
  std::unordered_map<std::uint64_t, std::uint32_t> per_client_;
  bool drain_begun_ = false;

  std::mutex mutex_;
  std::condition_variable emptied_;
  std::vector<Connection*> by_duplicate_;
  std::vector<Connection*> released_;
  std::size_t open_ = 0;
  std::atomic<bool> draining_{false};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace sheaf::http
