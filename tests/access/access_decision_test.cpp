#include "sheaf/access/access_decision.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::access {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;  // a multiple of a day is 1'799'971'200

const AccessPolicy& policy() {
  static const AccessPolicy parsed = *parse_policy(R"(
[[rule]]
name = "bad bots"
claimed = ["BadBot", "evil-*"]
action = "deny"
message = "see https://example.com/crawlers"

[[rule]]
name = "partners"
verified = ["https://good.example", "*.search.example"]
action = "allow"
requests = 10
bytes = "1MB"
per = "day"

[[rule]]
name = "news"
sections = ["news*"]
action = "price"
price = "USD 0.05"

[[rule]]
name = "crawlers"
claimed = "*"
action = "allow"
min_age = "7d"

[[rule]]
name = "collections of others"
sections = "*"
action = "deny"
)",
                                                   "policy.toml");
  return parsed;
}

struct Row {
  const char* name;
  AccessRequest request;
  const char* rule;  ///< empty: none
  QuotaUse use = {};
  unsigned status = 200;
  const char* reason = "";
};

RequestedCollection docs(std::int64_t age) { return {.section = "docs", .generated = kNow - age}; }

class AccessDecisions : public testing::TestWithParam<Row> {};

TEST_P(AccessDecisions, FirstMatchingRuleDecides) {
  AccessRequest request = GetParam().request;
  request.now = kNow;
  const AccessRule* rule = find_rule(policy(), request);
  EXPECT_EQ(rule == nullptr ? "" : rule->name, GetParam().rule);
  const AccessDecision decision = decide(rule, request, GetParam().use);
  EXPECT_EQ(decision.status, GetParam().status);
  EXPECT_EQ(decision.reason, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Each, AccessDecisions,
    testing::Values(
        Row{"a browser gets pages", {.path = "/a.html", .user_agent = "Mozilla/5.0"}, ""},
        Row{"a name that is denied",
            {.path = "/a.html", .user_agent = "BadBot/1.0"},
            "bad bots",
            {},
            403,
            "this file is not for you; see https://example.com/crawlers"},
        Row{"names have no case",
            {.path = "/a.html", .user_agent = "badbot"},
            "bad bots",
            {},
            403,
            "this file is not for you; see https://example.com/crawlers"},
        Row{"a pattern of names",
            {.path = "/a", .user_agent = "Mozilla/5.0 (compatible; Evil-Crawler/2)"},
            "bad bots",
            {},
            403,
            "this file is not for you; see https://example.com/crawlers"},
        Row{"a verified agent that claims a denied name is denied",
            {.path = "/a", .agent = "https://good.example", .user_agent = "BadBot/1.0"},
            "bad bots",
            {},
            403,
            "this file is not for you; see https://example.com/crawlers"},
        Row{"robots.txt is for everybody", {.path = "/robots.txt", .user_agent = "BadBot"}, ""},
        Row{"and so are keys", {.path = "/.well-known/sheaf-keys.txt", .user_agent = "BadBot"}, ""},
        Row{"a verified agent",
            {.path = "/x.scp", .agent = "https://good.example", .collection = docs(0)},
            "partners"},
        Row{"a subdomain",
            {.path = "/x.scp", .agent = "https://a.search.example", .collection = docs(0)},
            "partners"},
        Row{"not the domain itself",
            {.path = "/x.scp", .agent = "https://search.example", .collection = docs(0)},
            "collections of others",
            {},
            403,
            "this file is not for you"},
        Row{"another scheme is another agent",
            {.path = "/x.scp", .agent = "http://good.example", .collection = docs(0)},
            "collections of others",
            {},
            403,
            "this file is not for you"},
        Row{"a name alone proves nothing",
            {.path = "/x.scp", .user_agent = "good.example", .collection = docs(8 * 86'400)},
            "crawlers"},
        Row{"requests left", {.path = "/x", .agent = "https://good.example"}, "partners", {9, 999'999}},
        Row{"no requests left",
            {.path = "/x", .agent = "https://good.example"},
            "partners",
            {10, 0},
            429,
            "your quota is 10 requests per day"},
        Row{"no bytes left",
            {.path = "/x", .agent = "https://good.example"},
            "partners",
            {1, 1'000'000},
            429,
            "your quota is 976.6 KiB per day"},
        Row{"a priced section",
            {.path = "/n.scp", .user_agent = "SomeBot", .collection = RequestedCollection{"news-eu", kNow}},
            "news",
            {},
            402,
            "this file costs USD 0.05; to accept, sign the request (Web Bot Auth) and send "
            "crawler-exact-price: USD "
            "0.05"},
        Row{"an unverified client cannot pay",
            {.path = "/n.scp",
             .user_agent = "SomeBot",
             .collection = RequestedCollection{"news", kNow},
             .max_price = "USD 1"},
            "news",
            {},
            402,
            "this file costs USD 0.05; only a verified agent can be charged: sign the request (Web Bot "
            "Auth)"},
        Row{"a verified agent that pays",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .exact_price = "USD 0.05"},
            "news"},
        Row{"an exact price that is too high is not accepted",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .exact_price = "USD 0.06"},
            "news",
            {},
            402,
            "this file costs USD 0.05; the price does not match"},
        Row{"a maximum that is too low",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .max_price = "USD 0.049999"},
            "news",
            {},
            402,
            "this file costs USD 0.05; the price is higher"},
        Row{"another currency",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .max_price = "EUR 9"},
            "news",
            {},
            402,
            "this file costs USD 0.05; the currency is USD"},
        Row{"two prices",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .exact_price = "USD 0.05",
             .max_price = "USD 0.05"},
            "news",
            {},
            402,
            "this file costs USD 0.05; send crawler-exact-price or crawler-max-price, not both"},
        Row{"a malformed price",
            {.path = "/n.scp",
             .agent = "https://other.example",
             .collection = RequestedCollection{"news", kNow},
             .max_price = "a lot"},
            "news",
            {},
            402,
            "this file costs USD 0.05; the stated price is malformed"},
        Row{"a collection that is too young",
            {.path = "/x.scp", .user_agent = "SomeBot/1", .collection = docs(7 * 86'400 - 1)},
            "crawlers",
            {},
            403,
            "this collection is from 2027-01-08T08:00:01Z; you may have it from 2027-01-15T08:00:01Z on"},
        Row{"old enough",
            {.path = "/x.scp", .user_agent = "SomeBot/1", .collection = docs(7 * 86'400)},
            "crawlers"},
        Row{"pages have no age", {.path = "/a.html", .user_agent = "SomeBot/1"}, "crawlers"},
        Row{"the reason why a signature was refused is told",
            {.path = "/x.scp", .doubt = "its key has expired", .collection = docs(0)},
            "collections of others",
            {},
            403,
            "this file is not for you; your signature was not accepted: its key has expired"},
        Row{"a request whose keys are being fetched is not refused for good",
            {.path = "/x.scp", .is_pending = true, .collection = docs(0)},
            "collections of others",
            {},
            503,
            "the keys of your agent are being fetched; try again"},
        Row{"and is served if it would be anyway",
            {.path = "/a.html", .is_pending = true, .user_agent = "SomeBot"},
            "crawlers"}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      return name;
    });

std::string header_of(const AccessDecision& decision, std::string_view name) {
  for (const auto& header : decision.headers)
    if (header.name == name) return header.value;
  return {};
}

TEST(AccessDecisionHeaders, StateThePriceAndWhatIsWrongWithAnOffer) {
  AccessRequest request{.path = "/n.scp", .collection = RequestedCollection{"news", kNow}, .now = kNow};
  const auto asked = decide(find_rule(policy(), request), request, {});
  EXPECT_EQ(header_of(asked, "crawler-price"), "USD 0.05");
  EXPECT_EQ(header_of(asked, "crawler-error"), "");
  request.max_price = "USD 0.01";
  EXPECT_EQ(header_of(decide(find_rule(policy(), request), request, {}), "crawler-error"),
            "the price is higher");
  request.max_price = "USD 0.10";
  request.agent = "https://other.example";
  const auto charged = decide(find_rule(policy(), request), request, {});
  ASSERT_TRUE(charged.charge);
  EXPECT_EQ(to_string(*charged.charge), "USD 0.05");
}

TEST(AccessDecisionHeaders, SayWhenToTryAgain) {
  AccessRequest request{.path = "/x", .agent = "https://good.example", .now = kNow};
  const auto over = decide(find_rule(policy(), request), request, {10, 0});
  EXPECT_EQ(header_of(over, "Retry-After"), std::to_string(86'400 - kNow % 86'400));
  request = {.path = "/x.scp", .user_agent = "SomeBot", .collection = docs(7 * 86'400 - 60), .now = kNow};
  EXPECT_EQ(header_of(decide(find_rule(policy(), request), request, {}), "Retry-After"), "60");
}

}  // namespace
}  // namespace sheaf::access
