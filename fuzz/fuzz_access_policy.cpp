// The input is an access policy: what is taken decides about every request without surprises, what is refused
// says where.
#include "fuzz_support.h"
#include "sheaf/access/access_decision.h"
#include "sheaf/access/access_policy.h"
#include "sheaf/site/usage_preferences.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

constexpr std::int64_t kNow = 1'800'000'000;

void check_rule(const access::AccessRule& rule) {
  require(!rule.name.empty() && rule.line > 0);
  require((rule.action == access::RuleAction::price) == rule.price.has_value());
  require(!rule.price || rule.price->amount > 0);
  require(!rule.quota || (rule.quota->seconds > 0 && (rule.quota->requests || rule.quota->bytes)));
  require(rule.min_age >= 0);
}

void check_decision(const access::AccessPolicy& policy, const access::AccessRequest& request) {
  const access::AccessRule* rule = access::find_rule(policy, request);
  if (rule != nullptr) require(access::compare(*rule, request) == access::Mismatch::none);
  for (const access::QuotaUse use : {access::QuotaUse{}, access::QuotaUse{UINT64_MAX, UINT64_MAX}}) {
    const auto decision = access::decide(rule, request, use);
    require(decision.status == 200 || !decision.reason.empty());
    require(rule != nullptr || decision.status == 200);
    require(!decision.charge || (decision.status == 200 && !request.agent.empty()));
    require(decision.reason.find('\n') == std::string::npos);
    for (const auto& header : decision.headers) require(http::message::is_field_value(header.value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto policy = access::parse_policy(fuzz::as_text(data, size), "/etc/policy.toml");
  if (!policy) {
    require(policy.error().message.starts_with("/etc/policy.toml"));
    require(fuzz::is_valid_utf8(policy.error().message));
    return 0;
  }
  std::set<std::string> names;
  for (const access::AccessRule& rule : policy->rules) {
    check_rule(rule);
    require(names.insert(rule.name).second);
  }
  require(site::find_usage_fault(policy->usage).empty());
  const access::RequestedCollection collection{.section = "docs", .generated = kNow - 60};
  const std::array<access::AccessRequest, 5> requests = {{
      {.path = "/a.html", .user_agent = "Mozilla/5.0", .now = kNow},
      {.path = "/robots.txt", .user_agent = "GPTBot/1.0", .now = kNow},
      {.path = "/x.scp",
       .agent = "https://good.example",
       .collection = collection,
       .max_price = "USD 9",
       .now = kNow},
      {.path = "/x.scp", .doubt = "expired", .user_agent = "GPTBot", .collection = collection, .now = kNow},
      {.path = "/x.scp.minisig",
       .is_pending = true,
       .collection = collection,
       .exact_price = "?",
       .now = kNow},
  }};
  for (const access::AccessRequest& request : requests) check_decision(*policy, request);
  return 0;
}
