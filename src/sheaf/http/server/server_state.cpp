#include "sheaf/http/server/server_state.h"

namespace sheaf::http::server {

std::int64_t steady_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

ServerState::ServerState(RequestHandler& the_handler, Metrics& the_metrics, ServerOptions the_options)
    : handler(the_handler), metrics(the_metrics), options(std::move(the_options)), limiter(options.rate) {}

std::uint64_t ServerState::client_hash(const message::ClientAddress& client) const {
  const message::ClientAddress key = client.rate_key();
  return base::keyed_hash(hash_key_, {reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size()});
}

std::optional<Refusal> ServerState::enter(const message::ClientAddress& client) {
  metrics.count_connection();
  const std::lock_guard lock(mutex_);
  // A few connections over the limit get a 503. In a flood, the others are closed without a response.
  const std::size_t spare = 16 + options.most_connections / 20;
  if (open_ >= options.most_connections + spare) {
    metrics.count_refused_connection();
    return std::nullopt;
  }
  Refusal refusal = open_ >= options.most_connections ? Refusal::server_full : Refusal::none;
  if (options.most_connections_per_client > 0) {
    std::uint32_t& count = per_client_[client_hash(client)];
    if (refusal == Refusal::none && count >= options.most_connections_per_client)
      refusal = Refusal::client_full;
    ++count;
  }
  if (refusal != Refusal::none) metrics.count_refused_connection();
  metrics.set_connections(++open_);
  return refusal;
}

void ServerState::leave(const message::ClientAddress& client) {
  const std::lock_guard lock(mutex_);
  if (options.most_connections_per_client > 0) {
    const auto found = per_client_.find(client_hash(client));
    if (--found->second == 0) per_client_.erase(found);
  }
  metrics.set_connections(--open_);
  if (open_ == 0) emptied_.notify_all();
}

bool ServerState::wait_until_empty(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, limit, [this] { return open_ == 0; });
}

void ServerState::set_tls(std::shared_ptr<const TlsContext> context) {
  const std::lock_guard lock(mutex_);
  tls_ = std::move(context);
}

std::unique_ptr<Transport> ServerState::make_transport(int socket) {
  std::shared_ptr<const TlsContext> tls;
  {
    const std::lock_guard lock(mutex_);
    tls = tls_;
  }
  return tls ? tls->wrap(socket) : plain_transport(socket);
}

}  // namespace sheaf::http::server
