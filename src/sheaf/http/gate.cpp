#include "sheaf/http/gate.h"

#include "sheaf/base/hash.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace sheaf::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{1'000};
constexpr milliseconds kLinger{2'000};
/// A client that is still sending after this much of what nobody wants is cut.
constexpr std::uint64_t kMostDrained = 1U << 20U;
constexpr std::uint64_t kEventTag = 0;  // listeners are 1, 2, ...; anything larger is a Connection's address
constexpr std::uint64_t kMostListeners = 256;

std::int64_t now_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

ClientAddress address_of(const sockaddr_in6& address) {
  ClientAddress client;
  if (address.sin6_family == AF_INET6) {
    std::memcpy(client.bytes.data(), &address.sin6_addr, 16);
  } else if (address.sin6_family == AF_INET) {
    client.bytes[10] = client.bytes[11] = 0xFF;
    std::memcpy(client.bytes.data() + 12, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, 4);
  }
  return client;
}

std::uint64_t client_hash(const ClientAddress& client) {
  static const base::HashKey key = base::HashKey::random();
  const ClientAddress shared = client.rate_key();
  return base::keyed_hash(key, {reinterpret_cast<const char*>(shared.bytes.data()), shared.bytes.size()});
}

/// Bytes that came and were not read yet, and all bytes that ever came; nullopt where the kernel cannot say.
struct Received {
  std::uint64_t unread = 0;
  std::uint64_t total = 0;
};
std::optional<Received> received_on(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  int unread = 0;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  if (size < offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) return std::nullopt;
  if (ioctl(socket, FIONREAD, &unread) != 0) return std::nullopt;
  return Received{static_cast<std::uint64_t>(unread), info.tcpi_bytes_received};
}

bool is_at_end(int socket) {
  char byte = 0;
  const ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace

Gate::Gate(std::vector<base::FileDescriptor> listeners, const GateOptions& options, Metrics& metrics,
           HandOver hand_over, Tick tick, Log log)
    : listeners_(std::move(listeners)),
      options_(options),
      metrics_(metrics),
      hand_over_(std::move(hand_over)),
      tick_(std::move(tick)),
      log_(std::move(log)) {}

Gate::~Gate() { stop(); }

base::Result<void> Gate::start() {
  epoll_ = base::FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
  event_ = base::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.is_open() || !event_.is_open())
    return std::unexpected(base::system_error(errno, "cannot wait for connections"));
  if (listeners_.size() > kMostListeners)
    return base::fail(base::Errc::invalid_argument, "too many addresses to listen on");
  watch(event_.get(), kEventTag);
  watch_listeners(true);
  thread_ = std::thread([this] { run(); });
  return {};
}

std::int64_t Gate::deadline_from_now() const { return now_ms() + options_.timeout.count(); }

Connection* Gate::find(int duplicate) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(duplicate);
  return index < by_duplicate_.size() ? by_duplicate_[index] : nullptr;
}

void Gate::release(Connection& connection) {
  {
    const std::lock_guard lock(mutex_);
    by_duplicate_[static_cast<std::size_t>(connection.duplicate)] = nullptr;
    released_.push_back(&connection);
  }
  wake();
}

void Gate::drain() {
  draining_.store(true);
  wake();
}

bool Gate::wait_until_empty(milliseconds limit) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, limit, [this] { return open_ == 0; });
}

void Gate::stop() {
  if (!thread_.joinable()) return;
  stopping_.store(true);
  wake();
  thread_.join();
}

void Gate::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
}

void Gate::watch(int descriptor, std::uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.u64 = tag;
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event);
}

void Gate::watch_listeners(bool on) {
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    if (on)
      watch(listeners_[i].get(), i + 1);
    else
      epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listeners_[i].get(), nullptr);
  }
}

void Gate::run() {
  std::array<epoll_event, 256> events{};
  std::int64_t next_tick = now_ms() + kTick.count();
  bool accepting = true;
  while (!stopping_.load()) {
    const std::int64_t wait = std::clamp<std::int64_t>(next_tick - now_ms(), 0, kTick.count());
    const int count =
        epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(wait));
    for (int i = 0; i < count; ++i) handle(events[static_cast<std::size_t>(i)].data.u64, accepting);
    settle_released();
    if (draining_.load() && !drain_begun_) begin_drain();
    if (now_ms() < next_tick) continue;
    next_tick = now_ms() + kTick.count();
    cut_late_ones();
    if (!accepting && !drain_begun_) watch_listeners(accepting = true);
    tick_();
  }
  settle_released();
}

void Gate::handle(std::uint64_t tag, bool& accepting) {
  if (tag == kEventTag) {
    std::uint64_t value = 0;
    [[maybe_unused]] const ssize_t read_count = ::read(event_.get(), &value, sizeof value);
    return;
  }
  if (tag <= kMostListeners) {
    if (!accepting || drain_begun_ || accept_all(listeners_[tag - 1].get())) return;
    // Out of descriptors: the socket would be ready again at once. The next tick tries again.
    watch_listeners(accepting = false);
    return;
  }
  auto& connection = *reinterpret_cast<Connection*>(tag);  // NOLINT(performance-no-int-to-ptr): epoll's tag
  if (connection.state == Connection::State::parked)
    on_parked(connection);
  else
    on_lingering(connection);
}

bool Gate::accept_all(int listener) {
  // Bounded, so that a flood of connections does not keep us from those that are open.
  for (int i = 0; i < 64; ++i) {
    sockaddr_in6 address{};
    socklen_t size = sizeof address;
    base::FileDescriptor socket(
        accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.is_open()) {
      // A Unix socket's name is cut off: nobody asks for it.
      admit(std::move(socket), address, std::min<socklen_t>(size, sizeof address));
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      log_(base::system_error(errno, "cannot accept connections; trying again in a second").message);
      return false;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
  }
  return true;
}

Refusal Gate::refusal_for(const ClientAddress& client) const {
  if (connections_.size() >= options_.most_connections) return Refusal::server_full;
  if (options_.most_connections_per_client == 0) return Refusal::none;
  const auto found = per_client_.find(client_hash(client));
  return found != per_client_.end() && found->second >= options_.most_connections_per_client
             ? Refusal::client_full
             : Refusal::none;
}

void Gate::admit(base::FileDescriptor socket, const sockaddr_in6& address, socklen_t size) {
  metrics_.count_connection();
  // Some over the limit are still told so; a flood is not even that.
  const std::size_t spare = 16 + options_.most_connections / 20;
  if (connections_.size() >= options_.most_connections + spare) {
    metrics_.count_refused_connection();
    return;
  }
  auto connection = std::make_unique<Connection>();
  connection->socket = std::move(socket);
  connection->address = address;
  connection->address_size = size;
  connection->peer = address_of(address);
  connection->refusal = refusal_for(connection->peer);
  if (connection->refusal != Refusal::none) metrics_.count_refused_connection();
  if (options_.bandwidth > 0) {
    const std::uint64_t rate = options_.bandwidth;
    setsockopt(connection->socket.get(), SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
  }
  if (options_.most_connections_per_client > 0) ++per_client_[client_hash(connection->peer)];
  connection->deadline_ms.store(deadline_from_now());
  connection->slot = connections_.size();
  Connection& admitted = *connection;
  connections_.push_back(std::move(connection));
  publish_count();
  hand_over(admitted);
}

void Gate::hand_over(Connection& connection) {
  connection.state = Connection::State::live;
  connection.duplicate = fcntl(connection.socket.get(), F_DUPFD_CLOEXEC, 3);
  if (connection.duplicate < 0) return discard(connection);
  {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(connection.duplicate);
    if (by_duplicate_.size() <= index) by_duplicate_.resize(index + 1);
    by_duplicate_[index] = &connection;
  }
  if (hand_over_(connection)) return;
  {
    const std::lock_guard lock(mutex_);
    by_duplicate_[static_cast<std::size_t>(connection.duplicate)] = nullptr;
  }
  discard(connection);
}

void Gate::settle_released() {
  std::vector<Connection*> released;
  {
    const std::lock_guard lock(mutex_);
    released.swap(released_);
  }
  for (Connection* connection : released) take_back(*connection);
}

void Gate::take_back(Connection& connection) {
  connection.duplicate = -1;
  if (is_at_end(connection.socket.get())) return discard(connection);
  if (!options_.may_park || !connection.reusable || drain_begun_ || connection.refusal != Refusal::none)
    return linger(connection);
  // Bytes of a request that the answering side had begun to read are lost with it: only if every byte that
  // came belongs to an answered request, or still lies in the kernel, can another begin where it stopped.
  const auto received = received_on(connection.socket.get());
  if (!received || received->total - received->unread != connection.consumed) return linger(connection);
  if (received->unread > 0) return hand_over(connection);
  park(connection);
}

void Gate::park(Connection& connection) {
  connection.state = Connection::State::parked;
  watch(connection.socket.get(), reinterpret_cast<std::uint64_t>(&connection));
}

void Gate::on_parked(Connection& connection) {
  if (is_at_end(connection.socket.get())) return discard(connection);
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, connection.socket.get(), nullptr);
  hand_over(connection);
}

void Gate::linger(Connection& connection) {
  shutdown(connection.socket.get(), SHUT_WR);
  connection.state = Connection::State::lingering;
  connection.deadline_ms.store(now_ms() + kLinger.count());
  watch(connection.socket.get(), reinterpret_cast<std::uint64_t>(&connection));
}

void Gate::on_lingering(Connection& connection) {
  std::array<char, 16'384> sink;  // NOLINT(cppcoreguidelines-pro-type-member-init): only written
  const ssize_t count = recv(connection.socket.get(), sink.data(), sink.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (count <= 0) return discard(connection);
  connection.drained += static_cast<std::uint64_t>(count);
  if (connection.drained > kMostDrained) discard(connection);
}

void Gate::publish_count() {
  metrics_.set_connections(connections_.size());
  const std::lock_guard lock(mutex_);
  open_ = connections_.size();
  if (open_ == 0) emptied_.notify_all();
}

void Gate::discard(Connection& connection) {
  // Explicitly: while the other side has not closed its duplicate yet, closing ours would not end the watch.
  if (connection.state != Connection::State::live)
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, connection.socket.get(), nullptr);
  if (options_.most_connections_per_client > 0) {
    const auto found = per_client_.find(client_hash(connection.peer));
    if (found != per_client_.end() && --found->second == 0) per_client_.erase(found);
  }
  const std::size_t slot = connection.slot;
  std::swap(connections_[slot], connections_.back());
  connections_[slot]->slot = slot;
  connections_.pop_back();
  publish_count();
}

void Gate::cut_late_ones() {
  const std::int64_t now = now_ms();
  for (std::size_t i = connections_.size(); i-- > 0;) {
    Connection& connection = *connections_[i];
    const std::int64_t deadline = connection.deadline_ms.load();
    if (deadline == 0 || deadline > now) continue;
    if (connection.state != Connection::State::live) {
      discard(connection);
      continue;
    }
    metrics_.count_timeout();
    connection.deadline_ms.store(now + kLinger.count());  // and once more, should it not be released
    shutdown(connection.socket.get(), SHUT_RDWR);
  }
}

void Gate::begin_drain() {
  drain_begun_ = true;
  watch_listeners(false);
  listeners_.clear();
  for (std::size_t i = connections_.size(); i-- > 0;) {
    Connection& connection = *connections_[i];
    if (connection.state == Connection::State::parked)
      discard(connection);
    else if (connection.state == Connection::State::live && connection.deadline_ms.load() != 0)
      shutdown(connection.socket.get(), SHUT_RDWR);
  }
}

}  // namespace sheaf::http
