// Against hostile servers, and against our own.
#include "sheaf/http/fetch/fetcher.h"

#include "sheaf/http/message/message.h"
#include "sheaf/http/server/server.h"
#include "support/raw_server.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <sheaf/time.h>

#include <atomic>
#include <fstream>
#include <sstream>

namespace sheaf::http::fetch {
namespace {

using std::chrono::milliseconds;
using test::always;
using test::RawConnection;
using test::RawServer;

/// Loopback allowed, and no wait between tries.
FetchOptions options() {
  FetchOptions options({.allow_private = true, .tries = 3});
  options.retry = {.first = milliseconds(1), .longest = milliseconds(2000)};
  return options;
}

/// Records its calls, and fails if a test asks for it.
class Recorder final : public FetchSink {
 public:
  base::Result<void> begin(const FetchHead& head) override {
    ++begun;
    status = head.status;
    body.clear();
    if (fail_at_begin) return base::fail(base::Errc::no_space, "the disk is full");
    return {};
  }
  base::Result<void> take(std::string_view bytes) override {
    body += bytes;
    if (fail_at_take) return base::fail(base::Errc::no_space, "the disk is full");
    return {};
  }
  int begun = 0;
  int status = 0;
  std::string body;
  bool fail_at_begin = false;
  bool fail_at_take = false;
};

std::string answer(std::string_view body, std::string_view headers = {}, std::string_view status = "200 OK") {
  std::ostringstream text;
  text << "HTTP/1.1 " << status << "\r\nContent-Length: " << body.size() << "\r\nConnection: close\r\n"
       << headers << "\r\n"
       << body;
  return text.str();
}

std::string redirect_to(std::string_view location) {
  return answer("over there", "Location: " + std::string(location) + "\r\n", "302 Found");
}

/// The error of a fetch that must not succeed.
base::Error error_of(const std::string& url, FetchOptions given = options(), FetchRequest request = {}) {
  request.url = url;
  Fetcher fetcher(std::move(given));
  const auto result = fetcher.fetch_text(request);
  EXPECT_FALSE(result) << url << " gave " << result->head.status;
  return result ? base::Error{base::Errc::already_exists, "no error"} : result.error();
}

bool mentions(const base::Error& error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

TEST(Fetch, TheUnchangedBodyAndTheHead) {
  const std::string gzip = std::string("\x1f\x8b\x08\x00", 4) + "not even gzip";
  const RawServer server(always(answer(gzip, "Content-Encoding: gzip\r\nETag: \"1\"\r\netag: \"2\"\r\n")));
  Fetcher fetcher(RequestOptions{.user_agent = "probe/1", .from = "me@example.com", .allow_private = true});
  const auto text = fetcher.fetch_text(
      {.url = server.url("/a/../b?c=d#e"), .headers = {{"If-None-Match", "\"0\""}, {"X-Empty", ""}}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.status, 200);
  EXPECT_EQ(text->body, gzip);
  EXPECT_EQ(text->head.header("etag"), "\"1\"");
  EXPECT_EQ(text->head.header("content-encoding"), "gzip");
  EXPECT_EQ(text->head.length(), gzip.size());
  EXPECT_EQ(text->head.url, server.url("/b?c=d"));
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("GET /b?c=d HTTP/1.1\r\n")) << request;
  for (const std::string line :
       {"User-Agent: probe/1", "From: me@example.com", "If-None-Match: \"0\"", "X-Empty:"})
    EXPECT_NE(request.find("\r\n" + line + "\r\n"), std::string::npos) << request;
  EXPECT_EQ(request.find("Accept-Encoding"), std::string::npos) << request;
  const FetchUse use = fetcher.take_use();
  EXPECT_EQ(use.requests, 1U);
  EXPECT_EQ(use.bytes, gzip.size());
  EXPECT_EQ(fetcher.take_use().requests, 0U);
}

// libcurl would send what follows the line end as a header of its own.
TEST(SheafOnlyFetch, NoHeaderValueBeginsAnotherHeader) {
  const RawServer server(always(answer("x")));
  for (const std::string& end : {std::string("\r\n"), std::string("\n"), std::string("\r"),
                                 std::string(1, '\0'), std::string("\x7f")}) {
    const std::string value = "a" + end + "X-Injected: y";
    FetchOptions agent = options();
    agent.user_agent = value;
    FetchOptions from = options();
    from.from = value;
    FetchOptions sign = options();
    sign.sign = [&](const base::Url& /*url*/) {
      return std::vector<std::pair<std::string, std::string>>{{"Signature", value}};
    };
    for (const FetchOptions& given : {agent, from, sign}) {
      const base::Error error = error_of(server.url(), given);
      EXPECT_EQ(error.code, base::Errc::invalid_argument);
      EXPECT_TRUE(mentions(error, "control character")) << error.message;
    }
    EXPECT_EQ(error_of(server.url(), options(), {.headers = {{"A", value}}}).code,
              base::Errc::invalid_argument);
  }
  const RequestSigner signer{"key", "secret", "region\r\nX-Injected: y", "s3"};
  EXPECT_EQ(error_of(server.url(), options(), {.signer = &signer}).code, base::Errc::invalid_argument);
  EXPECT_TRUE(server.requests().empty());
}

TEST(Fetch, AnswersWithoutABodyBeginTheSinkToo) {
  for (const std::string status :
       {"304 Not Modified", "204 No Content", "404 Not Found", "300 Multiple Choices"}) {
    const RawServer server(
        always("HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
    Recorder sink;
    const auto head = Fetcher(options()).fetch({.url = server.url()}, sink);
    ASSERT_TRUE(head) << head.error().message;
    EXPECT_EQ(std::to_string(head->status), status.substr(0, 3));
    EXPECT_EQ(sink.begun, 1);
    EXPECT_EQ(sink.status, head->status);
  }
}

TEST(Fetch, InterimResponsesAndTrailersAreNotTheResponse) {
  const RawServer server(always(
      "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
      "Connection: close\r\nETag: \"right\"\r\n\r\n4\r\nbody\r\n0\r\nETag: \"late\"\r\n\r\n"));
  const auto text = Fetcher(options()).fetch_text({.url = server.url()});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.header("etag"), "\"right\"");
  EXPECT_EQ(text->body, "body");
  EXPECT_EQ(text->head.length(), std::nullopt);
}

TEST(Fetch, InvalidUrlsAndHeaders) {
  for (const std::string address : {"", "example.com", "file:///etc/passwd", "ftp://example.com/", "http://"})
    EXPECT_EQ(error_of(address).code, base::Errc::invalid_argument) << address;
  EXPECT_EQ(error_of("http://127.0.0.1:1/", options(), {.headers = {{"A", "b\r\nC: d"}}}).code,
            base::Errc::invalid_argument);
  EXPECT_EQ(error_of("http://127.0.0.1:1/", options(), {.headers = {{"A b", "c"}}}).code,
            base::Errc::invalid_argument);
}

TEST(FetchLimits, ALengthOverTheLimitIsRefusedAtTheHead) {
  const RawServer server([](const std::string&, const RawConnection& connection) {
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
    connection.wait_for_hang_up();
  });
  Recorder sink;
  const auto head = Fetcher(options()).fetch({.url = server.url(), .limit = 1000}, sink);
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, base::Errc::invalid_data);
  EXPECT_TRUE(mentions(head.error(), "99999999999")) << head.error().message;
  EXPECT_EQ(sink.begun, 0);
  EXPECT_EQ(server.requests().size(), 1U) << "another try would not help";
}

TEST(FetchLimits, AnEndlessBodyIsCutAtTheLimit) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    const bool chunked = test::path_of(request) == "/chunked";
    connection.write(chunked ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                             : "HTTP/1.1 200 OK\r\n\r\n");
    const std::string piece = chunked ? "1000\r\n" + std::string(4096, 'x') + "\r\n" : std::string(4096, 'x');
    while (connection.write(piece)) {
    }
  });
  for (const std::string_view path : {"/chunked", "/plain"}) {
    Recorder sink;
    const auto head = Fetcher(options()).fetch({.url = server.url(path), .limit = 100'000}, sink);
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().code, base::Errc::invalid_data);
    EXPECT_LE(sink.body.size(), 100'000U);
  }
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchLimits, ABodyOfExactlyTheLimitPasses) {
  const RawServer server(always(answer("0123456789")));
  EXPECT_TRUE(Fetcher(options()).fetch_text({.url = server.url(), .limit = 10}));
  EXPECT_EQ(error_of(server.url(), options(), {.limit = 9}).code, base::Errc::invalid_data);
}

TEST(FetchLimits, GiantHeadersAreRefused) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    connection.write("HTTP/1.1 200 OK\r\n");
    if (test::path_of(request) == "/line") {
      connection.write("X-A: ");
      while (connection.write(std::string(4096, 'x'))) {
      }
    }
    while (connection.write("X-Filler: " + std::string(1000, 'x') + "\r\n")) {
    }
  });
  for (const std::string_view path : {"/many", "/line"})
    EXPECT_EQ(error_of(server.url(path)).code, base::Errc::invalid_data) << path;
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchLimits, InvalidHttpIsRefused) {
  for (const std::string bytes :
       {"hello, I speak HTTP/0.9\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/7.5 200 OK\r\n\r\n"}) {
    const RawServer server(always(bytes));
    const base::Error error = error_of(server.url());
    EXPECT_EQ(error.code, base::Errc::invalid_data) << bytes << error.message;
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST(FetchLimits, ASlowBodyEnds) {
  const RawServer server([](const std::string&, const RawConnection& connection) {
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx");
    connection.wait_for_hang_up();
  });
  FetchOptions impatient = options();
  impatient.timeout = std::chrono::seconds(1);
  const base::Error error = error_of(server.url(), impatient, {.retry = false});
  EXPECT_EQ(error.code, base::Errc::io);
}

TEST(FetchLimits, ABodyThatDripsJustFastEnoughEndsToo) {
  const RawServer server([](const std::string&, const RawConnection& connection) {
    connection.write("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.write(std::string(2000, 'x'))) std::this_thread::sleep_for(milliseconds(50));
  });
  FetchOptions impatient = options();
  impatient.pace = {.grace = milliseconds(100), .minimum_rate = std::uint64_t{1} << 30};
  Fetcher fetcher(impatient);
  const auto result = fetcher.fetch_text({.url = server.url(), .limit = std::uint64_t{1} << 40});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Errc::io);
  EXPECT_TRUE(mentions(result.error(), "too slow")) << result.error().message;
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::too_slow);
  EXPECT_EQ(fetcher.take_use().requests, 1U) << "a server that drips is not asked again at once";
}

TEST(FetchLimits, AHeadThatDripsEndsToo) {
  const RawServer server([](const std::string&, const RawConnection& connection) {
    connection.write("HTTP/1.1 200 OK\r\n");
    while (connection.write("X-Filler: 1\r\n")) std::this_thread::sleep_for(milliseconds(50));
  });
  FetchOptions impatient = options();
  impatient.pace.grace = milliseconds(100);
  Fetcher fetcher(impatient);
  ASSERT_FALSE(fetcher.fetch_text({.url = server.url()}));
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::too_slow);
}

TEST(FetchLimits, NoTryBeginsAfterTheRetryWindow) {
  const RawServer server(always(answer("busy", "Retry-After: 1\r\n", "503 Busy")));
  FetchOptions impatient = options();
  impatient.pace.grace = milliseconds(100);
  Fetcher fetcher(impatient);
  const auto result = fetcher.fetch_text({.url = server.url()});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->head.status, 503);
  EXPECT_EQ(fetcher.take_use().requests, 1U);
}

TEST(FetchRetries, AHostThatDoesNotExistIsLookedUpOnce) {
  // No name server is asked for a label of more than 63 characters: there cannot be one.
  const std::string url = "http://" + std::string(70, 'a') + ".example/";
  FetchOptions patient = options();
  patient.retry = {.first = std::chrono::hours(1), .longest = std::chrono::hours(1)};
  Fetcher fetcher(patient);
  const auto result = fetcher.fetch_text({.url = url});
  ASSERT_FALSE(result);
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::unresolvable_host) << result.error().message;
  EXPECT_EQ(result.error().code, base::Errc::invalid_argument);
  EXPECT_TRUE(mentions(result.error(), "there is no host named aaaa")) << result.error().message;
  EXPECT_EQ(fetcher.take_use().requests, 1U);
}

TEST(FetchRetries, TheReasonOfAFailureIsKnown) {
  Fetcher fetcher(options());
  const RawServer server(always(answer("0123456789")));
  ASSERT_TRUE(fetcher.fetch_text({.url = server.url()}));
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::none);
  ASSERT_FALSE(fetcher.fetch_text({.url = server.url(), .limit = 5}));
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::too_large);
  Recorder full_disk;
  full_disk.fail_at_take = true;
  ASSERT_FALSE(fetcher.fetch({.url = server.url()}, full_disk));
  EXPECT_EQ(fetcher.trouble(), FetchTrouble::refused_by_sink);
  ASSERT_FALSE(Fetcher(options()).fetch_text({.url = "not an address"}));
  Fetcher careful({});
  ASSERT_FALSE(careful.fetch_text({.url = server.url()}));
  EXPECT_EQ(careful.trouble(), FetchTrouble::forbidden_address);
  FetchOptions stopped = options();
  stopped.cancelled = [] { return true; };
  Fetcher cancelled(stopped);
  ASSERT_FALSE(cancelled.fetch_text({.url = server.url()}));
  EXPECT_EQ(cancelled.trouble(), FetchTrouble::cancelled);
}

TEST(FetchLimits, CancellingEndsATransferAndAWait) {
  std::atomic<bool> cancelled = false;
  const RawServer server([&](const std::string& request, const RawConnection& connection) {
    cancelled = true;
    if (test::path_of(request) == "/busy") {
      connection.write(answer("", "Retry-After: 2\r\n", "503 Busy"));
      return;
    }
    connection.write("HTTP/1.1 200 OK\r\n\r\n");
    connection.wait_for_hang_up();
  });
  for (const std::string_view path : {"/endless", "/busy"}) {
    cancelled = false;
    FetchOptions given = options();
    given.cancelled = [&] { return cancelled.load(); };
    const base::Error error = error_of(server.url(path), given);
    EXPECT_EQ(error.code, base::Errc::refused) << path;
    EXPECT_TRUE(mentions(error, "cancelled")) << error.message;
  }
  EXPECT_EQ(server.requests().size(), 2U);
  FetchOptions given = options();
  given.cancelled = [] { return true; };
  EXPECT_EQ(error_of(server.url(), given).code, base::Errc::refused);
  EXPECT_EQ(server.requests().size(), 2U) << "nothing is asked any more";
}

TEST(FetchLimits, AnErrorOfTheSinkIsFinal) {
  const RawServer server(always(answer("body")));
  for (const bool at_begin : {true, false}) {
    Recorder sink;
    sink.fail_at_begin = at_begin;
    sink.fail_at_take = !at_begin;
    const auto head = Fetcher(options()).fetch({.url = server.url()}, sink);
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().code, base::Errc::no_space);
    EXPECT_EQ(sink.begun, 1);
  }
}

TEST(FetchRedirects, AreFollowedAndCounted) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    const std::string path = test::path_of(request);
    if (path == "/end") connection.write(answer("here"));
    const int left = std::atoi(path.c_str() + 1);
    connection.write(redirect_to(left <= 1 ? "end" : "/" + std::to_string(left - 1)));
  });
  Fetcher fetcher(options());
  const auto text = fetcher.fetch_text({.url = server.url("/5")});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->body, "here");
  EXPECT_EQ(text->head.url, server.url("/end"));
  EXPECT_EQ(fetcher.take_use().requests, 6U);
  const base::Error error = error_of(server.url("/6"));
  EXPECT_EQ(error.code, base::Errc::invalid_data);
  EXPECT_TRUE(mentions(error, "more than 5 times")) << error.message;
}

TEST(FetchRedirects, CirclesEndAtOnce) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    connection.write(redirect_to(test::path_of(request) == "/a" ? "/b" : "/a"));
  });
  const base::Error error = error_of(server.url("/a#x"));
  EXPECT_EQ(error.code, base::Errc::invalid_data);
  EXPECT_TRUE(mentions(error, "redirects in a loop")) << error.message;
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchRedirects, OnlyToWhatMayBeFetched) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    const std::string path = test::path_of(request);
    connection.write(redirect_to(path == "/file"  ? "file:///etc/passwd"
                                 : path == "/ftp" ? "ftp://a/"
                                                  : "http://[broken"));
  });
  EXPECT_EQ(error_of(server.url("/file")).code, base::Errc::refused);
  EXPECT_EQ(error_of(server.url("/ftp")).code, base::Errc::refused);
  EXPECT_EQ(error_of(server.url("/broken")).code, base::Errc::invalid_data);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST(FetchRedirects, ARedirectWithoutATargetIsAnAnswer) {
  const RawServer server(always(answer("lost", "", "301 Moved")));
  const auto text = Fetcher(options()).fetch_text({.url = server.url()});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->head.status, 301);
  EXPECT_EQ(text->body, "lost");
}

TEST(FetchRedirects, TheCallerMayStayWhereItIs) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    connection.write(test::path_of(request) == "/a" ? redirect_to("/b") : redirect_to("/private"));
  });
  const auto text =
      Fetcher(options()).fetch_text({.url = server.url("/a"), .may_follow = [](std::string_view url) {
                                       return !url.ends_with("/private");
                                     }});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.status, 302);
  EXPECT_EQ(text->head.header("location"), "/private");
  EXPECT_EQ(text->head.url, server.url("/b"));
  EXPECT_EQ(text->body, "") << "the body of a redirect is not delivered";
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchRedirects, TheCallerIsAskedOnceAndMayFetchMeanwhile) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    connection.write(test::path_of(request) == "/a" ? redirect_to("/b") : answer("fine"));
  });
  HostGate gate(1, 1);  // the only place must be free while the caller makes up its mind
  FetchOptions given = options();
  given.gate = &gate;
  Fetcher other(given);
  unsigned asked = 0;
  const auto text =
      Fetcher(given).fetch_text({.url = server.url("/a"), .may_follow = [&](std::string_view) {
                                   ++asked;
                                   return other.fetch_text({.url = server.url("/rules")}).has_value();
                                 }});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->body, "fine");
  EXPECT_EQ(asked, 1U);
}

TEST(FetchRedirects, FewerTriesThanThePolicyAllows) {
  const RawServer server(always(answer("busy", "", "503 Busy")));
  FetchOptions given = options();
  given.tries = 4;
  given.retry = {.first = std::chrono::milliseconds(1)};
  ASSERT_TRUE(Fetcher(given).fetch_text({.url = server.url(), .most_tries = 2}));
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchRedirects, TheBodyOfARedirectIsNotReadToItsEnd) {
  const RawServer server([](const std::string& request, const RawConnection& connection) {
    if (test::path_of(request) == "/there") {
      connection.write(answer("fine"));
      return;
    }
    connection.write("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 99999999999\r\n\r\n");
    while (connection.write(std::string(4096, 'x'))) {
    }
  });
  const auto text = Fetcher(options()).fetch_text({.url = server.url(), .limit = 10});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->body, "fine");
}

TEST(FetchRedirects, SecretsStayWithTheirHost) {
  const RawServer other(always(answer("other")));
  const RawServer first([&](const std::string& request, const RawConnection& connection) {
    connection.write(redirect_to(test::path_of(request) == "/stay" ? "/leave" : other.url()));
  });
  const auto text = Fetcher(options()).fetch_text(
      {.url = first.url("/stay"),
       .headers = {{"authorization", "Bearer secret"}, {"Cookie", "secret"}, {"If-None-Match", "\"x\""}}});
  ASSERT_TRUE(text) << text.error().message;
  ASSERT_EQ(first.requests().size(), 2U);
  for (const std::string& request : first.requests())
    EXPECT_NE(request.find("authorization: Bearer secret"), std::string::npos) << request;
  const std::string request = other.requests().at(0);
  EXPECT_EQ(request.find("secret"), std::string::npos) << request;
  EXPECT_NE(request.find("If-None-Match"), std::string::npos) << request;
}

TEST(FetchPrivate, LiteralAddressesAreRefusedBeforeAConnection) {
  const RawServer server(always(answer("never")));
  FetchOptions strict = options();
  strict.allow_private = false;
  const std::string port = server.url("").substr(server.url("").rfind(':'));
  for (const std::string host : {"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f000001", "0"}) {
    const base::Error error = error_of("http://" + host + port + "/", strict);
    EXPECT_EQ(error.code, base::Errc::refused) << host << error.message;
    EXPECT_TRUE(mentions(error, "--allow-private")) << error.message;
  }
  EXPECT_TRUE(server.requests().empty());
}

/// A name of this machine that only the resolver knows to be private, from /etc/hosts; empty if it has none.
std::string private_name() {
  std::ifstream hosts("/etc/hosts");
  for (std::string line; std::getline(hosts, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string address;
    words >> address;
    for (std::string name; words >> name;)
      if (address == "127.0.0.1" && name.find("local") == std::string::npos) return name;
  }
  return {};
}

TEST(FetchPrivate, WhatANameResolvesToIsRefusedAtTheSocket) {
  const std::string name = private_name();
  if (name.empty()) GTEST_SKIP() << "no name in /etc/hosts but localhost is of this machine";
  const RawServer server(always(answer("never")));
  FetchOptions strict = options();
  strict.allow_private = false;
  const std::string url = "http://" + name + server.url("").substr(server.url("").rfind(':')) + "/";
  const base::Error error = error_of(url, strict);
  EXPECT_EQ(error.code, base::Errc::refused) << error.message;
  EXPECT_TRUE(mentions(error, "127.0.0.1 is not fetched")) << error.message;
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(Fetcher(options()).fetch_text({.url = url})) << "the same with leave";
}

TEST(FetchPrivate, AProxyAddressIsNotCheckedButItsRequestsAre) {
  const RawServer proxy([](const std::string& request, const RawConnection& connection) {
    const bool redirects = test::path_of(request).ends_with("/redirect");
    connection.write(redirects ? redirect_to("http://169.254.169.254/latest/meta-data/")
                               : answer("by proxy"));
  });
  FetchOptions strict = options();
  strict.allow_private = false;
  setenv("http_proxy", proxy.url("").c_str(), 1);
  Fetcher fetcher(strict);
  unsetenv("http_proxy");
  const auto text = fetcher.fetch_text({.url = "http://site.example/page"});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->body, "by proxy");
  EXPECT_TRUE(proxy.requests().at(0).starts_with("GET http://site.example/page HTTP/1.1\r\n"));
  for (const std::string address :
       {"http://10.0.0.1/", "http://localhost/", "http://site.example/redirect"}) {
    const auto refused = fetcher.fetch_text({.url = address});
    ASSERT_FALSE(refused) << address;
    EXPECT_EQ(refused.error().code, base::Errc::refused) << refused.error().message;
  }
  EXPECT_EQ(proxy.requests().size(), 2U);
}

TEST(FetchRetries, UntilTheAnswerIsThere) {
  std::atomic<int> count = 0;
  const RawServer server([&](const std::string&, const RawConnection& connection) {
    switch (count++) {
      case 0: connection.write(answer("wait", "Retry-After: 0\r\n", "429 Too Many")); break;
      case 1: break;  // hangs up
      default: connection.write(answer("at last"));
    }
  });
  Recorder sink;
  const auto head = Fetcher(options()).fetch({.url = server.url()}, sink);
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(sink.body, "at last");
  EXPECT_EQ(sink.begun, 1) << "what is tried again is not shown";
}

TEST(FetchRetries, TheLastTemporaryResponseIsReturned) {
  const RawServer server(always(answer("still busy", "", "503 Busy")));
  const auto text = Fetcher(options()).fetch_text({.url = server.url()});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->head.status, 503);
  EXPECT_EQ(text->body, "still busy");
  EXPECT_EQ(server.requests().size(), 3U);
  ASSERT_TRUE(Fetcher(options()).fetch_text({.url = server.url(), .retry = false}));
  EXPECT_EQ(server.requests().size(), 4U);
}

TEST(FetchRetries, ATruncatedBodyStartsAgain) {
  std::atomic<int> count = 0;
  const RawServer server([&](const std::string&, const RawConnection& connection) {
    connection.write(count++ == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut" : answer("the whole"));
  });
  Recorder sink;
  ASSERT_TRUE(Fetcher(options()).fetch({.url = server.url()}, sink));
  EXPECT_EQ(sink.body, "the whole");
  EXPECT_EQ(sink.begun, 2);
}

TEST(FetchRetries, ACutOffRangeIsTheCallersToResume) {
  std::atomic<int> count = 0;
  const RawServer server([&](const std::string&, const RawConnection& connection) {
    if (count++ == 0) return;  // before a byte of the body: tried again
    connection.write("HTTP/1.1 206 Partial\r\nContent-Range: bytes 5-13/14\r\nContent-Length: 9\r\n\r\ncut");
  });
  Recorder sink;
  const auto head = Fetcher(options()).fetch({.url = server.url(), .headers = {{"Range", "bytes=5-"}}}, sink);
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, base::Errc::io);
  EXPECT_EQ(sink.body, "cut");
  EXPECT_EQ(sink.begun, 1);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(FetchRetries, NoListenerIsRetried) {
  const base::Error error = error_of("http://127.0.0.1:1/");
  EXPECT_EQ(error.code, base::Errc::io);
  EXPECT_TRUE(mentions(error, "http://127.0.0.1:1/")) << error.message;
}

TEST(FetchRetries, ALongRetryAfterIsNotAwaitedAndHoldsTheHost) {
  const RawServer server(always(answer("later", "Retry-After: 3600\r\n", "429 Too Many")));
  HostGate gate(1, 1);
  FetchOptions given = options();
  given.gate = &gate;
  Fetcher fetcher(given);
  const auto text = fetcher.fetch_text({.url = server.url()});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->head.status, 429);
  EXPECT_EQ(text->body, "later");
  EXPECT_EQ(server.requests().size(), 1U);
  const auto again = fetcher.fetch_text({.url = server.url()});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, base::Errc::io);
  EXPECT_TRUE(mentions(again.error(), "Retry-After")) << again.error().message;
  EXPECT_EQ(server.requests().size(), 1U) << "nothing more is asked";
}

TEST(FetchRetries, RetryAfterAsSecondsAndAsDate) {
  const std::int64_t now = sheaf::now().seconds;
  const auto asked = [](std::string value) {
    return retry_after({.status = 503, .headers = {{"retry-after", std::move(value)}}});
  };
  EXPECT_EQ(asked("17"), std::chrono::seconds(17));
  for (const std::string huge : {"999999999", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"})
    EXPECT_EQ(asked(huge), std::chrono::days(7)) << huge;
  EXPECT_EQ(retry_after({.status = 503,
                         .headers = {{"retry-after", "x"}, {"retry-after", "5"}, {"retry-after", "3"}}}),
            std::chrono::seconds(5));
  const auto in_an_hour = asked(message::format_http_date(now + 3600)).value();
  EXPECT_LE(in_an_hour, std::chrono::seconds(3600));
  EXPECT_GE(in_an_hour, std::chrono::seconds(3500));
  EXPECT_EQ(asked(message::format_http_date(now - 100)), std::chrono::seconds(0));
  for (const std::string nonsense : {"", "-1", "soon", "1.5"})
    EXPECT_EQ(asked(nonsense), std::nullopt) << nonsense;
}

TEST(FetchThreads, ManyFetchersShareAGate) {
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  const RawServer server([&](const std::string&, const RawConnection& connection) {
    const int now = ++under_way;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    --under_way;
    connection.write(answer("body"));
  });
  HostGate gate(2, 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      FetchOptions given = options();
      given.gate = &gate;
      Fetcher fetcher(given);
      for (int n = 0; n < 10; ++n) EXPECT_TRUE(fetcher.fetch_text({.url = server.url()}));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests().size(), 60U);
  EXPECT_LE(most, 2);
}

/// Our own server, with TLS: answers and redirects.
class FetchTls : public testing::Test, private server::RequestHandler {
 protected:
  void start(const std::string& certificate, const std::string& key) {
    auto listeners = server::listen_on("127.0.0.1:0").value();
    url_ = "https://" + server::describe_listener(listeners[0].get());
    server::ServerOptions server_options;
    server_options.tls =
        server::load_tls_files(kFolder + certificate, kFolder + key, sheaf::now().seconds).value();
    server_options.log = [](const std::string&) {};
    server_ = server::Server::start(std::move(listeners), *this, metrics_, std::move(server_options)).value();
  }
  void TearDown() override { server_.reset(); }  // it calls answer() until then
  server::Response respond(const server::Request& request) override {
    server::Response result;
    result.status = request.path == "/down" ? 302 : 200;
    if (request.path == "/down") result.headers = {{"Location", "http://127.0.0.1:1/"}};
    result.text = "safe";
    return result;
  }

  inline static const std::string kFolder = std::string(SHEAF_SOURCE_DIR) + "/tests/data/tls/";
  std::string url_;
  server::Metrics metrics_;
  std::unique_ptr<server::Server> server_;
};

TEST_F(FetchTls, ATrustedCertificateAndADowngrade) {
  start("loopback.pem", "loopback-key.pem");
  FetchOptions given = options();
  given.authorities = kFolder + "loopback.pem";
  const auto text = Fetcher(given).fetch_text({.url = url_ + "/"});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(text->body.find("safe") != std::string::npos) << text->body;
  const base::Error error = error_of(url_ + "/down", given);
  EXPECT_EQ(error.code, base::Errc::refused);
  EXPECT_TRUE(mentions(error, "--allow-http")) << error.message;
  given.allow_http = true;
  EXPECT_EQ(error_of(url_ + "/down", given).code, base::Errc::io) << "followed, and nothing listens there";
}

TEST_F(FetchTls, CertificatesThatAreNotTrusted) {
  start("loopback.pem", "loopback-key.pem");
  const base::Error unknown = error_of(url_ + "/");
  EXPECT_EQ(unknown.code, base::Errc::invalid_argument) << unknown.message;
  EXPECT_TRUE(mentions(unknown, "certificate is not trusted")) << unknown.message;
  FetchOptions given = options();
  given.authorities = kFolder + "no-such-file.pem";
  EXPECT_EQ(error_of(url_ + "/", given).code, base::Errc::invalid_argument);
}

TEST_F(FetchTls, ACertificateOfAnotherHost) {
  start("certificate.pem", "key.pem");
  FetchOptions given = options();
  given.authorities = kFolder + "certificate.pem";
  const base::Error error = error_of(url_ + "/", given);
  EXPECT_EQ(error.code, base::Errc::invalid_argument) << error.message;
}

TEST_F(FetchTls, PlainHttpOnATlsPortAndTheOtherWayRound) {
  start("loopback.pem", "loopback-key.pem");
  const std::string plain = "http" + url_.substr(5) + "/";
  Fetcher fetcher(options());
  const auto text = fetcher.fetch_text({.url = plain, .retry = false});
  EXPECT_TRUE(!text || text->head.status >= 400);
  const RawServer server(always(::sheaf::http::fetch::answer("plain")));
  FetchOptions impatient = options();
  impatient.timeout = std::chrono::seconds(1);
  EXPECT_EQ(error_of("https" + server.url().substr(4), impatient, {.retry = false}).code, base::Errc::io);
}

}  // namespace
}  // namespace sheaf::http::fetch
