#pragma once

#include "sheaf/http/rate_limiter.h"
#include "sheaf/http/server.h"
#include "sheaf/http/transport.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sheaf::http {

/// Why a connection gets only a refusal.
enum class Refusal : std::uint8_t { none, server_full, client_full };

/// What all threads of a server share.
class ServerState {
 public:
  ServerState(Site& site, Metrics& metrics, ServerOptions options);

  Site& site;
  Metrics& metrics;
  const ServerOptions options;
  RateLimiter limiter;
  std::atomic<bool> draining{false};

  /// Counts a new connection in. nullopt: so many are open that it is not even told so. Whoever was counted
  /// in must leave().
  std::optional<Refusal> enter(const ClientAddress& client);
  void leave(const ClientAddress& client);
  bool wait_until_empty(std::chrono::milliseconds limit);

  void set_tls(std::shared_ptr<const TlsContext> context);
  /// The transport for a new connection; nullptr when memory is short.
  std::unique_ptr<Transport> make_transport(int socket);

 private:
  [[nodiscard]] std::uint64_t client_hash(const ClientAddress& client) const;

  const base::HashKey hash_key_ = base::HashKey::random();
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::size_t open_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> per_client_;
  std::shared_ptr<const TlsContext> tls_;
};

/// Milliseconds of the steady clock.
std::int64_t steady_ms();

}  // namespace sheaf::http
