#include "sheaf/serve/policy_handler.h"

#include "sheaf/access/access_decision.h"
#include "sheaf/site/usage_preferences.h"

#include <string>
#include <utility>
#include <vector>

namespace sheaf::serve {
namespace {

using http::message::Header;
using http::server::Request;
using http::server::Response;

/// The client that a quota is counted for: the verified agent, or else the network address.
std::string quota_client(const Request& request) {
  if (request.identity != nullptr && !request.identity->agent.empty()) return request.identity->agent;
  const auto key = request.client.rate_key();
  return {reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size()};
}

Response refusal(const access::AccessDecision& decision) {
  Response response;
  response.status = decision.status;
  response.text = decision.reason;
  response.headers = decision.headers;
  // Another client may get a different response.
  response.headers.push_back({"Cache-Control", "no-store"});
  return response;
}

}  // namespace

struct PolicyHandler::Rules {
  access::AccessPolicy policy;
  std::vector<Header> usage;  ///< header fields that are added to every file
};

PolicyHandler::PolicyHandler(FileHandler& site, access::AccessPolicy policy,
                             std::function<std::int64_t()> clock)
    : site_(site), clock_(std::move(clock)) {
  replace(std::move(policy));
}

void PolicyHandler::replace(access::AccessPolicy policy) {
  auto fresh = std::make_shared<Rules>();
  for (auto& [name, value] : site::usage_headers(policy.usage))
    fresh->usage.push_back({std::move(name), std::move(value)});
  fresh->policy = std::move(policy);
  const std::lock_guard lock(mutex_);
  rules_ = std::move(fresh);
}

std::shared_ptr<const PolicyHandler::Rules> PolicyHandler::rules() {
  const std::lock_guard lock(mutex_);
  return rules_;
}

access::AccessRequest access_request(const Request& request, FileHandler& site, std::int64_t now) {
  access::AccessRequest facts{.path = request.path,
                              .user_agent = request.fields.first("user-agent"),
                              .exact_price = request.fields.first(http::message::kExactPriceField),
                              .max_price = request.fields.first(http::message::kMaxPriceField),
                              .now = now};
  if (request.identity != nullptr) {
    facts.agent = request.identity->agent;
    facts.is_pending = request.identity->is_pending;
    facts.doubt = request.identity->doubt;
  }
  if (const auto collection = site.collection_at(request.path))
    facts.collection = {.section = collection->section, .generated = collection->generated.seconds};
  return facts;
}

Response PolicyHandler::respond(const Request& request) {
  const auto rules = this->rules();
  const std::int64_t now = clock_();
  const access::AccessRequest facts = access_request(request, site_, now);
  const access::AccessRule* rule = access::find_rule(rules->policy, facts);
  access::QuotaUse use;
  std::uint64_t key = 0;
  if (rule != nullptr && rule->quota) {
    key = quotas_.key_of(rule->name, quota_client(request));
    use = quotas_.count_request(key, *rule->quota, now);
  }
  const access::AccessDecision decision = access::decide(rule, facts, use);
  if (decision.status != 200) return refusal(decision);
  Response response = site_.respond(request);
  for (const Header& header : rules->usage) response.headers.push_back(header);
  if (decision.charge && response.resource && request.method == http::message::Method::get) {
    response.charge = to_string(*decision.charge);
    response.headers.push_back({std::string(http::message::kChargedField), response.charge});
  }
  if (rule != nullptr && rule->quota && rule->quota->bytes)
    response.on_end = [this, key, quota = *rule->quota](std::uint64_t bytes) {
      quotas_.add_bytes(key, quota, clock_(), bytes);
    };
  return response;
}

}  // namespace sheaf::serve
