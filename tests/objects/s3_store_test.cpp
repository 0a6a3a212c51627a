// The store against a scripted server.
#include "sheaf/objects/s3_store.h"

#include "support/raw_server.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

namespace sheaf::objects {
namespace {

using test::RawConnection;
using test::RawServer;

std::string answer(std::string_view status, std::string_view body = {}, std::string_view headers = {}) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

std::unique_ptr<ObjectStore> store_at(const RawServer& server) {
  S3Settings settings;
  settings.bucket = "bucket";
  settings.tries = 1;
  S3Account account;
  account.access_key = "ACCESS";
  account.secret_key = "the-secret";
  account.region = "eu-west-1";
  account.endpoint = server.url();
  return s3_store(settings, account);
}

const ObjectLabel kLabel{"text/plain", "", "no-store"};

bool has(const std::string& request, std::string_view part) {
  return request.find(part) != std::string::npos;
}

TEST(S3Store, PutSendsTheFileSignedAndLabelled) {
  const test::TempDir dir;
  dir.write("file", "the bytes");
  const RawServer server(test::always(answer("200 OK")));
  ASSERT_TRUE(store_at(server)->put("a/b c", dir / "file", kLabel));
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("PUT /bucket/a/b%20c HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\nthe bytes")) << request;
  EXPECT_TRUE(has(request, "Authorization: AWS4-HMAC-SHA256 Credential=ACCESS/")) << request;
  EXPECT_TRUE(has(request, "cache-control: no-store\r\n")) << request;
  EXPECT_FALSE(has(request, "the-secret")) << request;
}

TEST(S3Store, HeadAndGet) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    if (request.starts_with("HEAD /bucket/there"))
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nETag: \"e\"\r\n\r\n");
    else if (request.starts_with("GET /bucket/there"))
      connection.write(answer("200 OK", "bytes"));
    else if (request.starts_with("GET /bucket/no-bucket"))
      connection.write(answer("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>"));
    else if (request.starts_with("HEAD /bucket/hidden"))
      connection.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 10\r\n\r\n");
    else
      connection.write(answer("404 Not Found", request.starts_with("HEAD") ? "" : "<Error/>"));
  });
  const auto store = store_at(server);
  const auto info = store->head("there");
  ASSERT_TRUE(info && *info) << info.error().message;
  EXPECT_EQ((*info)->size, 99'999'999'999U) << "a size is not a body";
  EXPECT_EQ((*info)->etag, "\"e\"");
  EXPECT_FALSE(store->head("missing").value());
  EXPECT_FALSE(store->head("hidden").value());
  EXPECT_EQ(store->get("there", 5).value(), "bytes");
  EXPECT_EQ(store->get("there", 4).error().code, base::Errc::invalid_data);
  EXPECT_EQ(store->get("missing", 5).value(), std::nullopt);
  const auto no_bucket = store->get("no-bucket", 5);
  ASSERT_FALSE(no_bucket);
  EXPECT_TRUE(has(no_bucket.error().message, "404 NoSuchBucket")) << no_bucket.error().message;
}

TEST(S3Store, ListsPageByPage) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    const bool second = request.find("continuation-token=t%2F1&list-type=2&prefix=a%2F") != std::string::npos;
    connection.write(
        answer("200 OK", second ? "<ListBucketResult><Contents><Key>a/2</Key><Size>2</Size></Contents>"
                                  "<IsTruncated>false</IsTruncated></ListBucketResult>"
                                : "<ListBucketResult><Contents><Key>a/1</Key><Size>1</Size></Contents>"
                                  "<IsTruncated>true</IsTruncated>"
                                  "<NextContinuationToken>t/1</NextContinuationToken></ListBucketResult>"));
  });
  std::string names;
  const auto listed = store_at(server)->list("a/", [&](const ObjectInfo& object) -> base::Result<void> {
    names += object.name + ":" + std::to_string(object.size) + " ";
    return {};
  });
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_EQ(names, "a/1:1 a/2:2 ");
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /bucket/?list-type=2&prefix=a%2F HTTP/1.1\r\n"))
      << server.requests().at(0);
}

TEST(S3Store, AListThatRepeatsItselfEnds) {
  const RawServer server(
      test::always(answer("200 OK",
                          "<ListBucketResult><IsTruncated>true</IsTruncated>"
                          "<NextContinuationToken>t</NextContinuationToken></ListBucketResult>")));
  const auto listed = store_at(server)->list("", [](const ObjectInfo&) { return base::Result<void>(); });
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, base::Errc::invalid_data);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(S3Store, PutNewDoesNotReplaceAnObject) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    const bool is_conditional = request.find("if-none-match: *\r\n") != std::string::npos;
    if (request.starts_with("PUT /bucket/gone "))
      connection.write(answer("404 Not Found"));
    else if (request.starts_with("PUT /bucket/busy "))
      connection.write(answer("409 Conflict"));
    else if (request.starts_with("PUT /bucket/old ") && is_conditional)
      connection.write(answer("412 Precondition Failed"));
    else
      connection.write(answer("200 OK"));
  });
  const auto store = store_at(server);
  EXPECT_TRUE(store->put_new("new", "x", kLabel).value());
  EXPECT_FALSE(store->put_new("old", "x", kLabel).value());
  EXPECT_FALSE(store->put_new("busy", "x", kLabel).value());
  EXPECT_FALSE(store->put_new("gone", "x", kLabel)) << "no such bucket";
}

TEST(S3Store, NamesThatCannotBeAreRefusedBeforeAnythingIsSent) {
  const RawServer server(test::always(answer("200 OK")));
  const auto store = store_at(server);
  for (const std::string name : {"", "..", "a/../b", "./a", "a/."}) {
    EXPECT_EQ(store->remove(name).error().code, base::Errc::invalid_argument) << name;
    EXPECT_EQ(store->get(name, 1).error().code, base::Errc::invalid_argument) << name;
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(store->remove("a..b/.c/d."));
}

TEST(S3Store, ARedirectIsNotFollowedAndItsReasonIsReported) {
  const RawServer other(test::always(answer("200 OK")));
  const RawServer server(
      test::always(answer("307 Temporary Redirect", "<Error><Code>TemporaryRedirect</Code></Error>",
                          "Location: " + other.url() + "\r\n")));
  const auto got = store_at(server)->get("a", 10);
  ASSERT_FALSE(got);
  EXPECT_TRUE(has(got.error().message, "307 TemporaryRedirect")) << got.error().message;
  EXPECT_TRUE(other.requests().empty());
}

}  // namespace
}  // namespace sheaf::objects
