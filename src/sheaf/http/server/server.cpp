#include "sheaf/http/server/server.h"

#include "sheaf/http/message/message.h"
#include "sheaf/http/server/server_state.h"
#include "sheaf/http/server/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace sheaf::http::server {
namespace {

std::vector<message::Header> with_validators(std::vector<message::Header> headers,
                                             const message::Representation& representation) {
  if (!representation.entity_tag.empty()) headers.push_back({"ETag", representation.entity_tag});
  if (representation.last_modified)
    headers.push_back({"Last-Modified", message::format_http_date(*representation.last_modified)});
  headers.push_back({"Accept-Ranges", "bytes"});
  return headers;
}

}  // namespace

void append_header_line(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

Resource::Resource(base::FileDescriptor file, message::Representation representation,
                   std::vector<message::Header> headers)
    : file_(std::move(file)),
      representation_(std::move(representation)),
      headers_(with_validators(std::move(headers), representation_)) {
  for (const message::Header& header : headers_) {
    append_header_line(full_lines_, header.name, header.value);
    if (header.name == "ETag" || header.name == "Last-Modified" || header.name == "Cache-Control")
      append_header_line(cache_lines_, header.name, header.value);
  }
}

namespace {

std::int64_t nanoseconds_of(RateLimiter::Time time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

}  // namespace

RateLimiter::RateLimiter(const RateLimit& limit, base::HashKey key)
    : interval_ns_(limit.requests_per_second > 0 ? 1e9 / limit.requests_per_second : 0),
      burst_(std::max(1.0, limit.burst)),
      hash_key_(key) {
  if (interval_ns_ > 0) sets_.resize(std::bit_ceil(std::max<std::size_t>(1, limit.clients / kWays)));
}

RateLimiter::Entry& RateLimiter::find(Set& set, const message::ClientAddress& key, std::int64_t now) {
  Entry* fullest = set.data();
  for (Entry& entry : set) {
    if (entry.used && entry.key == key) return entry;
    if (fullest->used && (!entry.used || entry.full_at_ns < fullest->full_at_ns)) fullest = &entry;
  }
  *fullest = {.key = key, .full_at_ns = now, .used = true};
  return *fullest;
}

std::optional<std::chrono::milliseconds> RateLimiter::take(const message::ClientAddress& client, Time time) {
  if (sets_.empty()) return std::nullopt;
  const message::ClientAddress key = client.rate_key();
  const std::string_view bytes(reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size());
  const std::size_t index = base::keyed_hash(hash_key_, bytes) & (sets_.size() - 1);
  const std::lock_guard lock(locks_[index % locks_.size()]);
  const std::int64_t now = nanoseconds_of(time);
  Entry& entry = find(sets_[index], key, now);
  const std::int64_t full_at = std::max(entry.full_at_ns, now);
  // A bucket that will be full after time t has burst - t / interval tokens now. A request needs one token.
  const double wait_ns = static_cast<double>(full_at - now) + interval_ns_ - burst_ * interval_ns_;
  if (wait_ns > 0.5) return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(wait_ns / 1e6)));
  entry.full_at_ns = full_at + static_cast<std::int64_t>(interval_ns_);
  return std::nullopt;
}

namespace {

/// The kernel caps this at net.core.somaxconn.
constexpr int kBacklog = 4'096;

struct Endpoint {
  std::string host;  ///< empty: every address
  std::string port;
};

std::optional<Endpoint> split(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = address.substr(0, colon);
  const std::string_view port = address.substr(colon + 1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number > 65'535) return std::nullopt;
  if (host.starts_with('[')) {
    if (!host.ends_with(']')) return std::nullopt;
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  if (host == "*") host = {};
  return Endpoint{std::string(host), std::string(port)};
}

base::Result<base::FileDescriptor> open_listener(const addrinfo& info, std::string_view address) {
  const auto failed = [&](std::string_view what) {
    return std::unexpected(base::system_error(errno, fmt::format("{} {}", what, address)));
  };
  base::FileDescriptor socket(
      ::socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, info.ai_protocol));
  if (!socket.is_open()) return failed("cannot create a socket for");
  const int on = 1;
  const int off = 0;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // One socket for IPv4 and IPv6 if no address is given.
  if (info.ai_family == AF_INET6)
    setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, info.ai_flags & AI_PASSIVE ? &off : &on, sizeof on);
  if (bind(socket.get(), info.ai_addr, info.ai_addrlen) != 0 || listen(socket.get(), kBacklog) != 0)
    return failed("cannot listen on");
  return socket;
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

base::Result<AddressList> look_up(const Endpoint& endpoint, int family, std::string_view address) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (endpoint.host.empty() ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const int code = getaddrinfo(endpoint.host.empty() ? nullptr : endpoint.host.c_str(), endpoint.port.c_str(),
                               &hints, &found);
  if (code != 0)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("cannot listen on {}: {}", address, gai_strerror(code)));
  // getaddrinfo does not copy the flag; open_listener needs it.
  for (addrinfo* info = found; info != nullptr; info = info->ai_next) info->ai_flags = hints.ai_flags;
  return AddressList(found, &freeaddrinfo);
}

}  // namespace

base::Result<std::vector<base::FileDescriptor>> listen_on(std::string_view address) {
  const auto endpoint = split(address);
  if (!endpoint)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("{} is not an address to listen on; write 127.0.0.1:8080, [::1]:8080 or :8080", address));
  std::vector<base::FileDescriptor> sockets;
  if (endpoint->host.empty()) {
    SHEAF_TRY_ASSIGN(const auto both, look_up(*endpoint, AF_INET6, address));
    auto socket = open_listener(*both, address);
    // The machine has no IPv6.
    if (!socket && socket.error().message.find("not supported") != std::string::npos) {
      SHEAF_TRY_ASSIGN(const auto ipv4, look_up(*endpoint, AF_INET, address));
      socket = open_listener(*ipv4, address);
    }
    if (!socket) return std::unexpected(socket.error());
    sockets.push_back(std::move(*socket));
    return sockets;
  }
  SHEAF_TRY_ASSIGN(const auto list, look_up(*endpoint, AF_UNSPEC, address));
  for (const addrinfo* info = list.get(); info != nullptr; info = info->ai_next) {
    SHEAF_TRY_ASSIGN(auto socket, open_listener(*info, address));
    sockets.push_back(std::move(socket));
    if (endpoint->port == "0") break;  // each further socket would get a different port
  }
  return sockets;
}

base::Result<void> adopt_listener(int descriptor) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || listening == 0)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("descriptor {} passed by the service manager is not a listening socket; "
                                  "set Accept=no and ListenStream= in its socket unit",
                                  descriptor));
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  return {};
}

std::string describe_listener(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (getsockname(descriptor, plain, &size) != 0) return "an unknown address";
  if (address.ss_family == AF_UNIX)
    return fmt::format("unix:{}", reinterpret_cast<sockaddr_un*>(&address)->sun_path);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getnameinfo(plain, size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "an unknown address";
  if (address.ss_family == AF_INET6) return fmt::format("[{}]:{}", host.data(), port.data());
  return fmt::format("{}:{}", host.data(), port.data());
}

namespace {

class PooledServer final : public Server {
 public:
  PooledServer(RequestHandler& handler, Metrics& metrics, ServerOptions options)
      : state_(handler, metrics, std::move(options)) {
    for (unsigned i = 0; i < std::max(1U, state_.options.threads); ++i)
      workers_.push_back(std::make_unique<Worker>(state_));
  }
  ~PooledServer() override { PooledServer::stop(); }

  base::Result<void> start(const std::vector<base::FileDescriptor>& listeners) {
    if (state_.options.tls) SHEAF_TRY(replace_certificate(*state_.options.tls));
    SHEAF_TRY(start_workers(listeners));
    housekeeper_ = std::thread([this] { run_housekeeping(); });
    return {};
  }

  base::Result<void> replace_certificate(const TlsFiles& files) override {
    SHEAF_TRY_ASSIGN(auto context, TlsContext::create(files));
    state_.set_tls(std::move(context));
    return {};
  }

  void drain() override {
    state_.draining.store(true);
    for (const auto& worker : workers_) worker->wake();
  }

  bool wait_until_empty(std::chrono::milliseconds limit) override { return state_.wait_until_empty(limit); }

  void stop() override {
    for (const auto& worker : workers_) worker->stop();
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    if (housekeeper_.joinable()) housekeeper_.join();
  }

 private:
  /// Starts fewer workers if the system does not allow as many threads.
  base::Result<void> start_workers(const std::vector<base::FileDescriptor>& listeners) {
    SHEAF_TRY(workers_.front()->start(listeners));
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      const auto started = workers_[i]->start(listeners);
      if (started) continue;
      state_.options.log(fmt::format("serving with {} instead of {} threads: {}", i, workers_.size(),
                                     started.error().message));
      workers_.resize(i);
    }
    return {};
  }

  void run_housekeeping() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
      lock.unlock();
      state_.handler.tick();
      lock.lock();
    }
  }

  ServerState state_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread housekeeper_;
};

}  // namespace

// By value: each worker duplicates the descriptors. The originals are closed here, because a port must not
// stay open that no worker serves.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
base::Result<std::unique_ptr<Server>> Server::start(std::vector<base::FileDescriptor> listeners,
                                                    RequestHandler& handler, Metrics& metrics,
                                                    ServerOptions options) {
  if (!options.log) options.log = [](const std::string&) {};
  auto server = std::make_unique<PooledServer>(handler, metrics, std::move(options));
  SHEAF_TRY(server->start(listeners));
  return server;
}

}  // namespace sheaf::http::server
