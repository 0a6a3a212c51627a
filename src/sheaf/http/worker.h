#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/connection.h"
#include "sheaf/http/server_state.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sheaf::http {

/// A thread with its connections. No connection is ever touched by another.
class Worker {
 public:
  /// Takes a socket that was accepted and counted in.
  struct Accepted {
    base::FileDescriptor socket;
    ClientAddress peer;
    Refusal refusal = Refusal::none;
  };
  /// Where the worker that accepts brings connections; itself among them.
  using Distribute = std::function<void(Accepted)>;

  explicit Worker(ServerState& server);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// This worker also accepts, and hands every connection to `distribute`.
  void accept_from(std::vector<base::FileDescriptor> listeners, Distribute distribute);
  base::Result<void> start();

  // From any thread.
  void take(Accepted accepted);
  void wake();
  /// Breaks off whatever is under way.
  void stop();

 private:
  void run();
  void handle(std::uint64_t tag);
  bool accept_some(int listener);
  void accept_one(base::FileDescriptor socket, const ClientAddress& peer);
  void take_accepted();
  void begin(Accepted accepted);
  void move_on(Connection& connection);
  void watch(Connection& connection, std::uint32_t events);
  void give_turns();
  void remove(Connection& connection);
  void cut_late_ones();
  void watch_listeners(bool on);
  void begin_drain();

  ServerState& server_;
  std::vector<base::FileDescriptor> listeners_;
  Distribute distribute_;
  bool accepting_ = false;
  bool drain_begun_ = false;
  base::FileDescriptor epoll_;
  base::FileDescriptor event_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> turns_;
  std::vector<char> scratch_;
  std::mutex mutex_;
  std::vector<Accepted> accepted_;  ///< by other threads, under the lock
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace sheaf::http
