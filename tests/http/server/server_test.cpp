#include "sheaf/http/server/server.h"

#include "support/allocated_memory.h"
#include "support/temp_dir.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::http::server {
namespace {

using std::chrono::milliseconds;

/// One file under /file, an error everywhere else.
class OneFile final : public RequestHandler {
 public:
  explicit OneFile(const std::filesystem::path& path, std::uint64_t size) {
    resource_ =
        std::make_shared<const Resource>(base::FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
                                         message::Representation{.size = size, .entity_tag = "\"t\""},
                                         std::vector<message::Header>{{"Content-Type", "text/plain"}});
  }
  Response respond(const Request& request) override {
    Response answer;
    if (request.path == "/file") answer.resource = resource_;
    return answer;
  }
  void tick() override { ++ticks; }

  std::atomic<int> ticks{0};

 private:
  std::shared_ptr<const Resource> resource_;
};

/// A client that sends and receives bytes.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  [[nodiscard]] bool is_connected() const { return connected_; }
  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// Everything until the text ends with `ending`, or the connection.
  std::string receive(std::string_view ending) const {
    std::string text;
    std::vector<char> buffer(65'536);
    while (!text.ends_with(ending)) {
      const ssize_t count = recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (count <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  void end_writing() const { shutdown(socket_.get(), SHUT_WR); }
  std::string receive_all() const {
    std::string text;
    std::vector<char> buffer(65'536);
    for (ssize_t count = 0; (count = recv(socket_.get(), buffer.data(), buffer.size(), 0)) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  base::FileDescriptor socket_;
  bool connected_ = false;
};

constexpr std::string_view kGet = "GET /file HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::string_view kGetAndClose = "GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

class ServerThreads : public testing::Test {
 protected:
  void start(ServerOptions options = {}, std::string content = "the content\n") {
    folder_.write("file", content);
    site_ = std::make_unique<OneFile>(folder_ / "file", content.size());
    auto listeners = listen_on("127.0.0.1:0").value();
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listeners[0].get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    options.log = [](const std::string&) {};
    server_ = Server::start(std::move(listeners), *site_, metrics_, std::move(options)).value();
  }
  template <class Condition>
  static void wait_until(Condition condition) {
    while (!condition()) std::this_thread::sleep_for(milliseconds(5));
  }

  test::TempDir folder_;
  Metrics metrics_;
  std::unique_ptr<OneFile> site_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
};

TEST_F(ServerThreads, ManyClientsOnManyThreads) {
  start({.threads = 4});
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const Client client(port_);
        for (int n = 0; n < 10; ++n) {
          client.send(kGet);
          if (client.receive("the content\n").starts_with("HTTP/1.1 200 OK\r\n")) ++good;
        }
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 16 * 5 * 10);
  wait_until([&] { return metrics_.requests(200) == 800 && metrics_.connections() == 0; });
}

TEST_F(ServerThreads, IdleConnectionsKeepNoRequest) {
  start({.threads = 1});
  std::vector<std::unique_ptr<Client>> clients;
  // Allocated by that many clients who got an answer. The request comes in two parts: the first must be kept.
  const auto memory_of_clients = [&](std::size_t number, std::string_view request) {
    const std::size_t before = test::allocated_bytes();
    for (std::size_t i = 0; i < number; ++i) {
      clients.push_back(std::make_unique<Client>(port_));
      clients.back()->send(request.substr(0, request.size() - 4));
    }
    wait_until([&] { return metrics_.connections() == clients.size(); });
    std::this_thread::sleep_for(milliseconds(20));
    for (std::size_t i = clients.size() - number; i < clients.size(); ++i) {
      clients[i]->send("\r\n\r\n");
      EXPECT_TRUE(clients[i]->receive("the content\n").starts_with("HTTP/1.1 200 OK\r\n"));
    }
    return static_cast<std::ptrdiff_t>(test::allocated_bytes()) - static_cast<std::ptrdiff_t>(before);
  };
  const std::string large =
      "GET /file HTTP/1.1\r\nHost: a\r\nCookie: " + std::string(6'000, 'x') + "\r\n\r\n";
  memory_of_clients(1, large);  // what the thread keeps for all of them
  const std::ptrdiff_t small = memory_of_clients(20, kGet);
  EXPECT_LT(memory_of_clients(20, large), small + 20 * 3'000);
}

TEST_F(ServerThreads, ASlowHeadIsCutHoweverOftenItMoves) {
  ServerOptions options;
  options.timeout = milliseconds(1'500);
  start(std::move(options));
  const Client client(port_);
  client.send("GET /file HTTP/1.1\r\n");
  std::atomic<bool> ended{false};
  std::thread drip([&] {
    while (!ended) {
      client.send("X: y\r\n");
      std::this_thread::sleep_for(milliseconds(100));
    }
  });
  EXPECT_EQ(client.receive_all(), "");
  ended = true;
  drip.join();
  EXPECT_GE(metrics_.timeouts(), 1U);
}

TEST_F(ServerThreads, ConnectionsOverTheLimitGetAResponseAndAreClosed) {
  ServerOptions options;
  options.most_connections = 2;
  start(std::move(options));
  const Client first(port_);
  const Client second(port_);
  for (const Client* client : {&first, &second}) {
    client->send(kGet);
    client->receive("the content\n");
  }
  const Client third(port_);
  third.send(kGet);
  const std::string refusal = third.receive_all();
  EXPECT_TRUE(refusal.starts_with("HTTP/1.1 503 Service Unavailable\r\n")) << refusal;
  EXPECT_NE(refusal.find("\r\nRetry-After: 5\r\n"), std::string::npos);
  first.send(kGet);
  EXPECT_TRUE(first.receive("the content\n").starts_with("HTTP/1.1 200"));
}

TEST_F(ServerThreads, TooManyFromOneClient) {
  ServerOptions options;
  options.most_connections_per_client = 1;
  start(std::move(options));
  {
    const Client first(port_);
    first.send(kGet);
    first.receive("the content\n");
    const Client second(port_);
    second.send(kGet);
    EXPECT_TRUE(second.receive_all().starts_with("HTTP/1.1 429 Too Many Requests\r\n"));
  }
  wait_until([&] { return metrics_.connections() == 0; });
  const Client third(port_);
  third.send(kGetAndClose);
  EXPECT_TRUE(third.receive_all().starts_with("HTTP/1.1 200"));
}

TEST_F(ServerThreads, DrainingLetsADownloadEndAndRefusesOthers) {
  constexpr std::size_t kSize = 64U << 20U;
  start({}, std::string(kSize, 'x'));
  const Client idle(port_);
  idle.send("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n");
  idle.receive("Found\n");
  const Client download(port_);
  download.send(kGet);
  std::string head = download.receive("x");
  server_->drain();
  EXPECT_EQ(idle.receive_all(), "");
  wait_until([&] { return !Client(port_).is_connected(); });
  EXPECT_FALSE(server_->wait_until_empty(milliseconds(0)));
  const std::string rest = download.receive_all();
  EXPECT_EQ(head.substr(head.find("\r\n\r\n") + 4).size() + rest.size(), kSize);
  EXPECT_TRUE(server_->wait_until_empty(std::chrono::seconds(60)));
}

TEST_F(ServerThreads, StoppingBreaksOffWhatIsUnderWay) {
  start({}, std::string(64U << 20U, 'x'));
  const Client download(port_);
  download.send(kGet);
  download.receive("x");
  server_->stop();
  EXPECT_LT(download.receive_all().size(), 64U << 20U);
}

TEST_F(ServerThreads, AFileThatShrinksBreaksItsAnswerOff) {
  constexpr std::size_t kSize = 64U << 20U;
  start({}, std::string(kSize, 'x'));
  const Client download(port_);
  download.send(kGet);
  std::string text = download.receive("x");
  ASSERT_EQ(truncate((folder_ / "file").c_str(), 100), 0);
  text += download.receive_all();
  EXPECT_LT(text.size(), kSize);
  const Client other(port_);
  other.send("GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(other.receive_all().starts_with("HTTP/1.1 404"));
}

TEST_F(ServerThreads, ManyRangesAreReadPieceByPiece) {
  std::string content;
  for (int i = 0; i < 100'000; ++i) content += std::to_string(i) + "\n";
  start({}, content);
  const Client client(port_);
  client.send(
      "GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\nRange: bytes=0-299999,300001-400000,-3\r\n\r\n");
  const std::string answer = client.receive_all();
  EXPECT_NE(answer.find(content.substr(0, 300'000)), std::string::npos);
  EXPECT_NE(answer.find(content.substr(300'001, 100'000)), std::string::npos);
  EXPECT_NE(answer.find("\r\n\r\n" + content.substr(content.size() - 3) + "\r\n--"), std::string::npos);
}

TEST_F(ServerThreads, AHalfClosedClientStillGetsItsAnswer) {
  start();
  const Client client(port_);
  client.send(kGet);
  client.end_writing();
  const std::string answer = client.receive_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_TRUE(answer.ends_with("the content\n")) << answer;
}

TEST_F(ServerThreads, TicksComeAboutOnceASecond) {
  start();
  wait_until([&] { return site_->ticks >= 2; });
}

TEST(ListenSocket, ExplainsInvalidUrls) {
  for (const char* bad :
       {"", "8080", "a", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:80", "[::1:80"}) {
    const auto sockets = listen_on(bad);
    ASSERT_FALSE(sockets) << bad;
    EXPECT_NE(sockets.error().message.find("is not an address to listen on"), std::string::npos)
        << sockets.error().message;
  }
  const auto taken = listen_on("127.0.0.1:0").value();
  const auto again = listen_on(describe_listener(taken[0].get()));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("Address already in use"), std::string::npos) << again.error().message;
  EXPECT_TRUE(listen_on("*:0"));
  EXPECT_TRUE(listen_on("[::1]:0"));
  const base::FileDescriptor no_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_FALSE(adopt_listener(no_listener.get()));
  EXPECT_TRUE(adopt_listener(taken[0].get()));
}

}  // namespace
}  // namespace sheaf::http::server
