#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/server/connection.h"
#include "sheaf/http/server/server_state.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace sheaf::http::server {

/// A thread and the connections that it owns. No other thread touches them.
class Worker {
 public:
  explicit Worker(ServerState& server);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Accepts from these listeners, which all workers share. The kernel wakes one waiting worker, so busy
  /// workers get no new connections.
  base::Result<void> start(const std::vector<base::FileDescriptor>& listeners);

  // Callable from any thread.
  void wake();
  /// Aborts all connections.
  void stop();

 private:
  void run();
  void handle(std::uint64_t tag);
  bool accept_some(int listener);
  void accept_one(base::FileDescriptor socket, const message::ClientAddress& peer);
  void begin(base::FileDescriptor socket, const message::ClientAddress& peer, Refusal refusal);
  void advance_connection(Connection& connection);
  void watch(Connection& connection, std::uint32_t events);
  void run_pending_turns();
  void remove(Connection& connection);
  void close_timed_out();
  void poll_streams();
  void watch_listeners(bool on);
  void begin_drain();

  ServerState& server_;
  std::vector<base::FileDescriptor> listeners_;
  bool accepting_ = false;
  bool drain_begun_ = false;
  base::FileDescriptor epoll_;
  base::FileDescriptor event_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> turns_;
  std::vector<char> scratch_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace sheaf::http::server
