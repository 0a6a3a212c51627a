#pragma once

#include "sheaf/http/server/server.h"
#include "sheaf/http/server/transport.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sheaf::http::server {

/// Why a connection is refused.
enum class Refusal : std::uint8_t { none, server_full, client_full };

/// State shared by all threads of a server.
class ServerState {
 public:
  ServerState(RequestHandler& handler, Metrics& metrics, ServerOptions options);

  RequestHandler& handler;
  Metrics& metrics;
  const ServerOptions options;
  RateLimiter limiter;
  std::atomic<bool> draining{false};

  /// Counts a new connection. Nullopt: too many are open; close it without a response. Otherwise call leave()
  /// when the connection ends.
  std::optional<Refusal> enter(const message::ClientAddress& client);
  void leave(const message::ClientAddress& client);
  bool wait_until_empty(std::chrono::milliseconds limit);

  void set_tls(std::shared_ptr<const TlsContext> context);
  /// The transport for a new connection; nullptr if out of memory.
  std::unique_ptr<Transport> make_transport(int socket);

 private:
  [[nodiscard]] std::uint64_t client_hash(const message::ClientAddress& client) const;

  const base::HashKey hash_key_ = base::HashKey::random();
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::size_t open_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> per_client_;
  std::shared_ptr<const TlsContext> tls_;
};

/// Milliseconds of the steady clock.
std::int64_t steady_ms();

}  // namespace sheaf::http::server
