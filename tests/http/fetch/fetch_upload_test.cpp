// Requests with a body, a signature or another method than GET.
#include "sheaf/http/fetch/fetcher.h"
#include "support/raw_server.h"

#include <gtest/gtest.h>

namespace sheaf::http::fetch {
namespace {

using test::always;
using test::RawConnection;
using test::RawServer;

FetchOptions options() {
  FetchOptions options({.allow_private = true, .tries = 3});
  options.retry = {.first = std::chrono::milliseconds(1), .longest = std::chrono::milliseconds(10)};
  return options;
}

FetchRequest put(const RawServer& server, const RequestBody& body) {
  FetchRequest request{.url = server.url("/y?a=b"), .headers = {{"content-type", "application/scp"}}};
  request.method = "PUT";
  request.body = &body;
  return request;
}

TEST(FetchUpload, SendsTheBodyAndReceivesTheAnswer) {
  const RawServer server(
      always("HTTP/1.1 201 Created\r\nETag: \"1\"\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfine"));
  const TextBody body("the body");
  const auto text = Fetcher(options()).fetch_text(put(server, body));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.status, 201);
  EXPECT_EQ(text->body, "fine");
  EXPECT_EQ(text->head.header("etag"), "\"1\"");
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("PUT /y?a=b HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("content-type: application/scp\r\n"), std::string::npos) << request;
  EXPECT_NE(request.find("Content-Length: 8\r\n"), std::string::npos) << request;
  EXPECT_EQ(request.find("Expect:"), std::string::npos) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\nthe body")) << request;
}

TEST(FetchUpload, ATemporaryAnswerIsFollowedByTheWholeBodyAgain) {
  std::atomic<int> count = 0;
  const RawServer server([&](const std::string& /*request*/, const RawConnection& connection) {
    const bool first = count++ == 0;
    connection.write(std::string("HTTP/1.1 ") + (first ? "503 Slow Down" : "200 OK") +
                     "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  const TextBody body("the body");
  const auto text = Fetcher(options()).fetch_text(put(server, body));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.status, 200);
  ASSERT_EQ(server.requests().size(), 2U);
  for (const std::string& request : server.requests())
    EXPECT_TRUE(request.ends_with("\r\n\r\nthe body")) << request;
}

TEST(FetchUpload, ABodyThatCannotBeReadEndsTheRequestForGood) {
  class Broken final : public RequestBody {
   public:
    [[nodiscard]] std::uint64_t size() const override { return 10; }
    base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
      if (offset >= 4) return base::fail(base::Errc::io, "the disk is broken");
      ++reads;
      out[0] = 'x';
      return 1;
    }
    mutable int reads = 0;
  };
  const RawServer server(always("never sent"));
  const Broken body;
  const auto text = Fetcher(options()).fetch_text(put(server, body));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "the disk is broken");
  EXPECT_EQ(body.reads, 4) << "another try does not help";
}

TEST(FetchUpload, RedirectsOfBodiesAndSignaturesAreTheAnswer) {
  const RawServer other(always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const RawServer server(always("HTTP/1.1 307 Over There\r\nLocation: " + other.url() +
                                "\r\nContent-Length: 3\r\nConnection: close\r\n\r\nwhy"));
  const TextBody body("x");
  const RequestSigner signer{"ACCESS", "the-secret", "eu-west-1", "s3"};
  FetchRequest signed_get{.url = server.url()};
  signed_get.signer = &signer;
  for (const FetchRequest& request : {put(server, body), signed_get}) {
    const auto text = Fetcher(options()).fetch_text(request);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->head.status, 307);
    EXPECT_EQ(text->body, "why");
  }
  EXPECT_TRUE(other.requests().empty());
}

TEST(FetchUpload, SignsWithoutTheSecretInTheRequest) {
  const RawServer server(always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  const RequestSigner signer{"ACCESS", "the-secret", "eu-west-1", "s3"};
  FetchRequest request{.url = server.url(), .headers = {{"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}}};
  request.signer = &signer;
  ASSERT_TRUE(Fetcher(options()).fetch_text(request));
  const std::string sent = server.requests().at(0);
  EXPECT_NE(sent.find("Authorization: AWS4-HMAC-SHA256 Credential=ACCESS/"), std::string::npos) << sent;
  EXPECT_NE(sent.find("/eu-west-1/s3/aws4_request"), std::string::npos) << sent;
  EXPECT_EQ(sent.find("the-secret"), std::string::npos) << sent;
}

TEST(FetchUpload, TheLengthInTheAnswerToHeadIsNotABody) {
  const RawServer server(
      always("HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\nConnection: close\r\n\r\n"));
  FetchRequest request{.url = server.url(), .limit = 10};
  request.method = "HEAD";
  const auto text = Fetcher(options()).fetch_text(request);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.length(), 5'000'000'000U);
  EXPECT_TRUE(server.requests().at(0).starts_with("HEAD / HTTP/1.1\r\n"));
}

TEST(FetchUpload, AMethodMustBeAWord) {
  FetchRequest request{.url = "http://127.0.0.1:1/"};
  request.method = "GET /x HTTP/1.1\r\nX:";
  const auto text = Fetcher(options()).fetch_text(request);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, base::Errc::invalid_argument);
}

}  // namespace
}  // namespace sheaf::http::fetch
