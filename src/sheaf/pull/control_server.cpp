#include "sheaf/pull/control_server.h"

#include "sheaf/base/local_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::FileDescriptor;
using base::Result;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kRequestTime{10};  // to receive the request of a new connection

/// Fails unless the client is the same user or root. The mode of the socket already excludes other users;
/// this check still holds if the mode was changed.
Result<void> check_peer(int socket) {
  SHEAF_TRY_ASSIGN(const base::Peer peer, base::peer_of(socket));
  if (peer.user == geteuid() || peer.user == 0) return {};
  return base::fail(base::Errc::permission_denied, "the store is used by a process of another user");
}

}  // namespace

class ControlServer::Impl {
 public:
  Impl(std::filesystem::path path, FileDescriptor listener, Handler handler)
      : path_(std::move(path)),
        listener_(std::move(listener)),
        handler_(std::move(handler)),
        accepting_([this] { accept_clients(); }) {}

  ~Impl() {
    stopping_ = true;
    unlink(path_.c_str());
    shutdown(listener_.get(), SHUT_RDWR);  // ends accept()
    accepting_.join();
    clients_.clear();  // joins them
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

 private:
  struct Client {
    std::atomic<bool> done = false;
    FileDescriptor socket = {};
    std::jthread thread = {};  ///< last member: joined before the others are destroyed
  };

  void accept_clients() {
    while (!stopping_) {
      FileDescriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (stopping_) return;
      if (!socket.is_open()) {
        // The process is probably out of file descriptors, which is temporary.
        if (errno != EINTR) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        continue;
      }
      clients_.remove_if([](const Client& client) { return client.done.load(); });
      if (clients_.size() >= kMaxClients) {
        refuse(socket.get(), fmt::format("{} pulls are already waiting; try again later", kMaxClients));
        continue;
      }
      Client& client = clients_.emplace_back();
      client.socket = std::move(socket);
      try {
        client.thread = std::jthread([this, &client] {
          serve(client.socket.get());
          client.socket.reset();
          client.done = true;
        });
      } catch (const std::system_error& error) {
        refuse(client.socket.get(), fmt::format("cannot start a thread: {}", error.code().message()));
        clients_.pop_back();
      }
    }
  }

  static void refuse(int socket, const std::string& why) {
    (void)base::send_frame(socket, encode(ControlResponse(ControlRefusal{why})));
  }

  void serve(int socket) {
    if (auto allowed = check_peer(socket); !allowed) return refuse(socket, allowed.error().message);
    const auto deadline = steady_clock::now() + kRequestTime;
    const auto bytes = base::receive_frame(socket, kRequestBytes,
                                           [&] { return stopping_ || steady_clock::now() > deadline; });
    if (!bytes) return refuse(socket, bytes.error().message);
    if (!*bytes) return;
    const auto request = decode_control_request(**bytes);
    if (!request) return refuse(socket, request.error().message);
    std::mutex sending;
    bool gone = false;
    const Send send = [&](const ControlResponse& answer) {
      const std::lock_guard lock(sending);
      if (!gone) gone = !base::send_frame(socket, encode(answer));
    };
    const ControlResponse answer = handler_(*request, send);
    std::string last = encode(answer);
    if (last.size() > kReplyBytes)
      return refuse(socket, "the pull is done, but its report is too long to send; see sheaf status");
    const std::lock_guard lock(sending);
    if (!gone) (void)base::send_frame(socket, last);
  }

  std::filesystem::path path_;
  FileDescriptor listener_;
  Handler handler_;
  std::atomic<bool> stopping_ = false;
  std::list<Client> clients_;  ///< only the accepting thread adds and removes
  std::thread accepting_;      ///< last member: everything it uses exists before it starts
};

ControlServer::ControlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ControlServer::~ControlServer() = default;

std::filesystem::path ControlServer::socket_of(const std::filesystem::path& store) {
  return store / "control.sock";
}

Result<std::unique_ptr<ControlServer>> ControlServer::start(const std::filesystem::path& store,
                                                            Handler handler) {
  const std::filesystem::path path = socket_of(store);
  SHEAF_TRY_ASSIGN(auto listener, base::listen_locally(path));
  return std::unique_ptr<ControlServer>(
      new ControlServer(std::make_unique<Impl>(path, std::move(listener), std::move(handler))));
}

}  // namespace sheaf::pull
