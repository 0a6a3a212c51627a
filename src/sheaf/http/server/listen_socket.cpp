#include "sheaf/http/server/listen_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>

namespace sheaf::http::server {
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

}  // namespace sheaf::http::server
