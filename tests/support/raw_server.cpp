#include "support/raw_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sheaf::test {
namespace {

constexpr int kNapMilliseconds = 20;

bool wait_for(int socket, short events, const std::atomic<bool>& stopping) {
  while (!stopping) {
    pollfd entry{socket, events, 0};
    if (poll(&entry, 1, kNapMilliseconds) > 0) return true;
  }
  return false;
}

bool is_whole(const std::string& request) {
  const std::size_t head = request.find("\r\n\r\n");
  if (head == std::string::npos) return false;
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t length = request.find(kLength);
  const std::size_t body = length < head ? std::stoul(request.substr(length + kLength.size())) : 0;
  return request.size() >= head + 4 + body;
}

}  // namespace

bool RawConnection::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    if (!wait_for(socket_, POLLOUT, stopping_)) return false;
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void RawConnection::wait_for_hang_up() const {
  char byte = 0;
  while (wait_for(socket_, POLLIN, stopping_))
    if (recv(socket_, &byte, 1, 0) <= 0) return;
}

RawServer::RawServer(Handler answer) : answer_(std::move(answer)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(listen(listener_, 64), 0);
  EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  stopping_ = true;
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
  close(listener_);
}

std::string RawServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
}

std::vector<std::string> RawServer::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}

void RawServer::accept_all() {
  while (wait_for(listener_, POLLIN, stopping_)) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void RawServer::serve(int socket) {
  std::string request;
  char buffer[4096];
  while (!is_whole(request) && wait_for(socket, POLLIN, stopping_)) {
    const ssize_t count = recv(socket, buffer, sizeof buffer, 0);
    if (count <= 0) break;
    request.append(buffer, static_cast<std::size_t>(count));
  }
  if (is_whole(request)) {
    {
      const std::scoped_lock lock(mutex_);
      requests_.push_back(request);
    }
    answer_(request, RawConnection(socket, stopping_));
  }
  shutdown(socket, SHUT_WR);
  close(socket);
}

RawServer::Handler always(std::string answer) {
  return [answer = std::move(answer)](const std::string& /*request*/, const RawConnection& connection) {
    connection.write(answer);
  };
}

std::string path_of(const std::string& request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

}  // namespace sheaf::test
