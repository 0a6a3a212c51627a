// Against a socket that says what it is told to say.
#include "sheaf/http/client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace sheaf::http {
namespace {

/// Takes one connection, reads until `until` has come, answers, and closes.
class OneAnswer {
 public:
  OneAnswer(std::string until, std::string text) : until_(std::move(until)), answer_(std::move(text)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/x/../y?a=b";
    thread_ = std::thread([this] { serve(); });
  }
  ~OneAnswer() {
    if (thread_.joinable()) thread_.join();
    close(listener_);
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  const std::string& request() {
    thread_.join();
    return request_;
  }

 private:
  void serve() {
    const int connection = accept(listener_, nullptr, nullptr);
    char buffer[4096];
    while (request_.find(until_) == std::string::npos) {
      const ssize_t count = read(connection, buffer, sizeof buffer);
      if (count <= 0) break;
      request_.append(buffer, static_cast<std::size_t>(count));
    }
    EXPECT_EQ(write(connection, answer_.data(), answer_.size()), static_cast<ssize_t>(answer_.size()));
    close(connection);
  }

  std::string until_;
  std::string answer_;
  std::string request_;
  std::string url_;
  int listener_ = -1;
  std::thread thread_;
};

TEST(CurlClient, SendsAndReceives) {
  OneAnswer server("the body", "HTTP/1.1 201 Created\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\nfine");
  const TextBody body("the body");
  const auto answer = curl_client({})->send({.method = "PUT",
                                             .url = server.url(),
                                             .headers = {{"content-type", "application/scp"}},
                                             .body = &body});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, "fine");
  EXPECT_EQ(answer->header("etag"), "\"1\"");
  EXPECT_EQ(answer->header("nothing"), "");
  const std::string request = server.request();
  EXPECT_TRUE(request.starts_with("PUT /x/../y?a=b HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("content-type: application/scp\r\n"), std::string::npos) << request;
  EXPECT_NE(request.find("Content-Length: 8\r\n"), std::string::npos) << request;
}

TEST(CurlClient, ErrorsAreAnswersAndRedirectsAreNotFollowed) {
  for (const std::string status : {"404 Not Found", "302 Found\r\nLocation: http://127.0.0.1:1/"}) {
    const OneAnswer server("\r\n\r\n", "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
    const auto answer = curl_client({})->send({.url = server.url()});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(std::to_string(answer->status), status.substr(0, 3));
  }
}

TEST(CurlClient, AnAnswerThatIsTooLongIsAnError) {
  const OneAnswer server("\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789");
  const auto answer = curl_client({})->send({.url = server.url(), .answer_limit = 19});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, base::Errc::invalid_data);
}

TEST(CurlClient, ACutAnswerMayBeTriedAgain) {
  const OneAnswer server("\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n0123");
  const auto answer = curl_client({})->send({.url = server.url()});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, base::Errc::io);
}

TEST(CurlClient, NoConnectionMayBeTriedAgainAnAddressThatIsNoneMayNot) {
  // Port 1 is nobody's on any machine that tests run on.
  const auto closed = curl_client({})->send({.url = "http://127.0.0.1:1/"});
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().code, base::Errc::io);
  for (const std::string address : {"ftp://127.0.0.1/", "file:///etc/passwd", "http://"}) {
    const auto refused = curl_client({})->send({.url = address});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::Errc::invalid_argument) << address;
  }
}

TEST(CurlClient, ABodyThatCannotBeReadEndsTheRequestForGood) {
  class Broken final : public RequestBody {
   public:
    [[nodiscard]] std::uint64_t size() const override { return 10; }
    base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
      if (offset >= 4) return base::fail(base::Errc::invalid_data, "the disk is broken");
      out[0] = 'x';
      return 1;
    }
  };
  const OneAnswer server("never comes", "");
  const Broken body;
  const auto answer = curl_client({})->send({.method = "PUT", .url = server.url(), .body = &body});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "the disk is broken");
}

TEST(CurlClient, SignsWithoutTheSecretInTheRequest) {
  OneAnswer server("\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  const RequestSigner signer{"ACCESS", "the-secret", "eu-west-1", "s3"};
  ASSERT_TRUE(curl_client({})->send(
      {.url = server.url(), .headers = {{"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}}, .signer = &signer}));
  const std::string request = server.request();
  EXPECT_NE(request.find("Authorization: AWS4-HMAC-SHA256 Credential=ACCESS/"), std::string::npos) << request;
  EXPECT_NE(request.find("/eu-west-1/s3/aws4_request"), std::string::npos) << request;
  EXPECT_EQ(request.find("the-secret"), std::string::npos) << request;
}

}  // namespace
}  // namespace sheaf::http
