// Retries, pauses, redirects and the gate over a scripted web and clock.
#include "sheaf/http/fetch/fetcher.h"
#include "support/scripted_web.h"

#include <gtest/gtest.h>

namespace sheaf::http::fetch {
namespace {

using std::chrono::milliseconds;
using test::ScriptedResponse;

constexpr const char* kUrl = "https://example.com/a";

class ScriptedFetch : public testing::Test {
 protected:
  base::Result<Fetcher::Text> fetch(const FetchOptions& options) {
    Fetcher fetcher(options);
    auto text = fetcher.fetch_text({.url = kUrl});
    trouble_ = fetcher.trouble();
    use_ = fetcher.use();
    return text;
  }
  base::Result<Fetcher::Text> fetch() { return fetch(web_.options()); }

  test::ScriptedWeb web_;
  FetchTrouble trouble_ = FetchTrouble::none;
  FetchUse use_;
};

TEST_F(ScriptedFetch, PausesDoubleAndAreAtLeastHalfOfThat) {
  web_.put(kUrl, {.trouble = FetchTrouble::unreachable});
  FetchOptions options = web_.options();
  options.tries = 4;
  options.retry = {.first = milliseconds(1000), .longest = milliseconds(30'000)};
  EXPECT_FALSE(fetch(options));
  EXPECT_EQ(trouble_, FetchTrouble::unreachable);
  const auto sent = web_.requests();
  ASSERT_EQ(sent.size(), 4U);
  for (std::size_t i = 1; i < sent.size(); ++i) {
    const milliseconds pause = sent[i].at - sent[i - 1].at;
    const milliseconds most(1000 << (i - 1));
    EXPECT_GE(pause, most / 2) << i;
    EXPECT_LE(pause, most) << i;
  }
}

TEST_F(ScriptedFetch, OnlyWhatTimeMayHealIsTriedAgain) {
  struct Case {
    ScriptedResponse answer;
    bool again;
  };
  const Case cases[] = {
      {{.status = 503}, true},
      {{.status = 429}, true},
      {{.status = 408}, true},
      {{.status = 404}, false},
      {{.status = 403}, false},
      {{.body = "x", .cut_after = 0}, true},
      {{.trouble = FetchTrouble::unreachable}, true},
      {{.trouble = FetchTrouble::too_slow}, false},
      {{.trouble = FetchTrouble::too_large}, false},
      {{.trouble = FetchTrouble::unresolvable_host}, false},
  };
  for (const Case& each : cases) {
    web_.forget_requests();
    web_.put_all(kUrl, {each.answer, {.body = "fine"}});
    const auto text = fetch();
    EXPECT_EQ(web_.requests().size(), each.again ? 2U : 1U) << &each - cases;
    if (each.again) {
      ASSERT_TRUE(text) << &each - cases;
      EXPECT_EQ(text->body, "fine") << &each - cases;
    }
  }
}

TEST_F(ScriptedFetch, ATruncatedBodyStartsAgain) {
  web_.put_all(kUrl, {{.body = "the whole", .cut_after = 3}, {.body = "the whole"}});
  EXPECT_EQ(fetch()->body, "the whole");
  EXPECT_EQ(use_.requests, 2U);
  EXPECT_EQ(use_.bytes, 12U);
}

TEST_F(ScriptedFetch, RetryAfterIsObeyedUpToTheLongestWait) {
  web_.put_all(kUrl, {{.status = 503, .headers = {{"retry-after", "25"}}}, {.body = "x"}});
  EXPECT_EQ(fetch()->body, "x");
  EXPECT_GE(web_.requests()[1].at, milliseconds(25'000));
  web_.forget_requests();
  web_.put(kUrl, {.status = 503, .headers = {{"retry-after", "3600"}}});
  EXPECT_EQ(fetch()->head.status, 503) << "the answer as it is";
  EXPECT_EQ(web_.requests().size(), 1U);
}

TEST_F(ScriptedFetch, NoTryBeginsAfterTheWindow) {
  web_.put(kUrl, {.status = 503, .headers = {{"retry-after", "29"}}});
  FetchOptions options = web_.options();
  options.tries = 100;
  ASSERT_EQ(Fetcher(options).options().pace.retry_window(), milliseconds(120'000));
  EXPECT_EQ(fetch(options)->head.status, 503);
  EXPECT_EQ(web_.requests().size(), 5U) << "at 0, 29, 58, 87 and 116 seconds";
}

TEST_F(ScriptedFetch, APauseEndsWhenItIsCancelled) {
  web_.put(kUrl, {.status = 503, .headers = {{"retry-after", "25"}}});
  FetchOptions options = web_.options();
  options.cancelled = [this] { return web_.clock().elapsed() >= std::chrono::seconds(2); };
  const auto text = fetch(options);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, base::Errc::refused);
  EXPECT_EQ(trouble_, FetchTrouble::cancelled);
  EXPECT_LT(web_.clock().elapsed(), milliseconds(2500));
}

TEST_F(ScriptedFetch, RedirectsAreFollowedAndCirclesEnd) {
  web_.put(kUrl, {.status = 302, .headers = {{"location", "/b"}}});
  web_.put("https://example.com/b", {.status = 301, .headers = {{"location", "https://other.example/c"}}});
  web_.put("https://other.example/c", {.body = "here"});
  const auto text = fetch();
  ASSERT_TRUE(text);
  EXPECT_EQ(text->body, "here");
  EXPECT_EQ(text->head.url, "https://other.example/c");
  web_.put("https://other.example/c", {.status = 302, .headers = {{"location", kUrl}}});
  const auto circle = fetch();
  ASSERT_FALSE(circle);
  EXPECT_NE(circle.error().message.find("in a loop"), std::string::npos) << circle.error().message;
}

TEST_F(ScriptedFetch, AHostOnHoldIsNotContacted) {
  HostGate gate(2, 2, std::chrono::seconds(30), web_.clock());
  FetchOptions options = web_.options();
  options.gate = &gate;
  web_.put(kUrl, {.status = 429, .headers = {{"retry-after", "600"}}});
  EXPECT_EQ(fetch(options)->head.status, 429);
  EXPECT_FALSE(fetch(options));
  EXPECT_EQ(web_.requests().size(), 1U) << "nothing is asked of it for ten minutes";
  web_.clock().sleep(std::chrono::minutes(10));
  web_.put(kUrl, {.body = "x"});
  EXPECT_EQ(fetch(options)->body, "x");
}

}  // namespace
}  // namespace sheaf::http::fetch
