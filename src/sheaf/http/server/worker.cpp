#include "sheaf/http/server/worker.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace sheaf::http::server {
namespace {

/// OpenSSL may write to a connection that the client has closed. The resulting SIGPIPE must not end the
/// process.
void block_sigpipe() {
  sigset_t pipe{};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

constexpr std::int64_t kTickMs = 1'000;
constexpr std::size_t kScratch = 32'768;
// epoll's user data: the wake-up event, a listener (1, 2, ...), or a pointer to a Connection.
constexpr std::uint64_t kEventTag = 0;
constexpr std::uint64_t kMaxListeners = 1'024;

message::ClientAddress address_of(const sockaddr_storage& address) {
  message::ClientAddress client;
  if (address.ss_family == AF_INET6) {
    std::memcpy(client.bytes.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 16);
  } else if (address.ss_family == AF_INET) {
    client.bytes[10] = client.bytes[11] = 0xFF;
    std::memcpy(client.bytes.data() + 12, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, 4);
  }
  return client;
}

void control(int epoll, int operation, int descriptor, std::uint32_t events, std::uint64_t tag) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  epoll_ctl(epoll, operation, descriptor, &event);
}

}  // namespace

Worker::Worker(ServerState& server) : server_(server), scratch_(kScratch) {}

Worker::~Worker() { stop(); }

base::Result<void> Worker::start(const std::vector<base::FileDescriptor>& listeners) {
  epoll_ = base::FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
  event_ = base::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.is_open() || !event_.is_open())
    return std::unexpected(base::system_error(errno, "cannot wait for connections"));
  if (listeners.size() >= kMaxListeners)
    return base::fail(base::Errc::invalid_argument, "there are too many addresses to listen on");
  for (const base::FileDescriptor& listener : listeners) {
    base::FileDescriptor own(fcntl(listener.get(), F_DUPFD_CLOEXEC, 0));
    if (!own.is_open()) return std::unexpected(base::system_error(errno, "cannot listen"));
    listeners_.push_back(std::move(own));
  }
  control(epoll_.get(), EPOLL_CTL_ADD, event_.get(), EPOLLIN, kEventTag);
  watch_listeners(true);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    return std::unexpected(base::system_error(error.code().value(), "cannot start a thread"));
  }
  return {};
}

void Worker::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
}

void Worker::stop() {
  if (!thread_.joinable()) return;
  stopping_.store(true);
  wake();
  thread_.join();
  connections_.clear();
}

void Worker::run() {
  block_sigpipe();
  std::array<epoll_event, 256> events{};
  std::int64_t next_tick = steady_ms() + kTickMs;
  while (!stopping_.load()) {
    const std::int64_t wait =
        turns_.empty() ? std::clamp<std::int64_t>(next_tick - steady_ms(), 0, kTickMs) : 0;
    const int count =
        epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(wait));
    // Each connection has at most one event here, and only that event can remove it.
    for (int i = 0; i < count; ++i) handle(events[static_cast<std::size_t>(i)].data.u64);
    run_pending_turns();
    if (server_.draining.load() && !drain_begun_) begin_drain();
    if (steady_ms() < next_tick) continue;
    next_tick = steady_ms() + kTickMs;
    close_timed_out();
    poll_streams();
    if (!accepting_ && !drain_begun_) watch_listeners(true);
  }
}

void Worker::handle(std::uint64_t tag) {
  if (tag == kEventTag) {
    std::uint64_t value = 0;
    [[maybe_unused]] const ssize_t read_count = ::read(event_.get(), &value, sizeof value);
  } else if (tag < kMaxListeners) {
    // There are no file descriptors left, so the listener would be ready again at once. The next tick
    // retries.
    if (!accept_some(listeners_[tag - 1].get())) watch_listeners(false);
  } else {
    advance_connection(
        *reinterpret_cast<Connection*>(tag));  // NOLINT(performance-no-int-to-ptr): epoll's tag
  }
}

void Worker::watch_listeners(bool on) {
  accepting_ = on;
  for (std::size_t i = 0; i < listeners_.size(); ++i)
    control(epoll_.get(), on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, listeners_[i].get(), EPOLLIN | EPOLLEXCLUSIVE,
            i + 1);
}

bool Worker::accept_some(int listener) {
  // Bounded, so that a flood of new connections does not delay the open ones.
  for (int i = 0; i < 64; ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    base::FileDescriptor socket(
        accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.is_open()) {
      accept_one(std::move(socket), address_of(address));
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      server_.options.log(
          base::system_error(errno, "cannot accept connections; trying again in a second").message);
      return false;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
  }
  return true;
}

void Worker::accept_one(base::FileDescriptor socket, const message::ClientAddress& peer) {
  const auto refusal = server_.enter(peer);
  if (!refusal) return;
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (const std::uint64_t rate = server_.options.bandwidth; rate > 0)
    setsockopt(socket.get(), SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
  begin(std::move(socket), peer, *refusal);
}

void Worker::begin(base::FileDescriptor socket, const message::ClientAddress& peer, Refusal refusal) {
  auto transport = server_.make_transport(socket.get());
  if (!transport) return server_.leave(peer);
  auto connection =
      std::make_unique<Connection>(server_, std::move(socket), std::move(transport), peer, refusal);
  connection->slot = connections_.size();
  Connection& added = *connection;
  connections_.push_back(std::move(connection));
  advance_connection(added);
}

void Worker::watch(Connection& connection, std::uint32_t events) {
  if (connection.watched == events) return;
  const int operation = connection.watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  connection.watched = events;
  control(epoll_.get(), operation, connection.socket(), events, reinterpret_cast<std::uint64_t>(&connection));
}

void Worker::advance_connection(Connection& connection) {
  switch (connection.advance(scratch_)) {
    case Wants::read:
    case Wants::news: watch(connection, EPOLLIN); break;
    case Wants::write: watch(connection, EPOLLOUT); break;
    case Wants::end: remove(connection); break;
    case Wants::turn:
      if (!connection.has_turn) turns_.push_back(&connection);
      connection.has_turn = true;
      break;
  }
}

void Worker::run_pending_turns() {
  std::vector<Connection*> turns;
  turns.swap(turns_);
  for (Connection* connection : turns) {
    connection->has_turn = false;
    advance_connection(*connection);
  }
}

void Worker::remove(Connection& connection) {
  if (connection.has_turn) std::erase(turns_, &connection);
  const std::size_t slot = connection.slot;
  std::swap(connections_[slot], connections_.back());
  connections_[slot]->slot = slot;
  connections_.pop_back();
}

void Worker::close_timed_out() {
  const std::int64_t now = steady_ms();
  for (std::size_t i = connections_.size(); i-- > 0;) {
    if (connections_[i]->deadline() > now) continue;
    if (!connections_[i]->is_lingering()) server_.metrics.count_timeout();
    remove(*connections_[i]);
  }
}

void Worker::poll_streams() {
  for (std::size_t i = connections_.size(); i-- > 0;)
    if (connections_[i]->is_waiting()) advance_connection(*connections_[i]);
}

void Worker::begin_drain() {
  drain_begun_ = true;
  watch_listeners(false);
  listeners_.clear();
  for (std::size_t i = connections_.size(); i-- > 0;)
    if (connections_[i]->is_idle()) remove(*connections_[i]);
}

}  // namespace sheaf::http::server
