#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sheaf::test {

/// What a server that misbehaves has of its client: a socket to write to.
class RawConnection {
 public:
  explicit RawConnection(int socket, const std::atomic<bool>& stopping)
      : socket_(socket), stopping_(stopping) {}

  /// False once the client is gone or the server is being stopped.
  bool write(std::string_view bytes) const;
  /// Waits for the client to hang up, or for the server to be stopped.
  void wait_for_hang_up() const;

 private:
  int socket_;
  const std::atomic<bool>& stopping_;
};

/// Listens on a port of its own on loopback, reads one request from each connection, with its body if it has
/// a Content-Length, and lets `answer` do with it as it likes, then closes. Each connection has its thread.
class RawServer {
 public:
  using Handler = std::function<void(const std::string& request, const RawConnection& connection)>;
  explicit RawServer(Handler answer);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  /// "http://127.0.0.1:PORT" and the path.
  [[nodiscard]] std::string url(std::string_view path = "/") const;
  /// All requests so far.
  [[nodiscard]] std::vector<std::string> requests() const;

 private:
  void accept_all();
  void serve(int socket);

  Handler answer_;
  int listener_ = -1;
  unsigned port_ = 0;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A handler that always sends the same bytes.
RawServer::Handler always(std::string answer);

/// The path of "GET /path HTTP/1.1...".
std::string path_of(const std::string& request);

}  // namespace sheaf::test
