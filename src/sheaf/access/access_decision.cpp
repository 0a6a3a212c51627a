#include "sheaf/access/access_decision.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/site/crawler_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sheaf/time.h>

#include <algorithm>

namespace sheaf::access {
namespace {

using http::message::CrawlerPrice;
using http::message::Header;
using http::message::parse_crawler_price;

// Key directories arrive within seconds.
constexpr std::string_view kPendingSeconds = "2";

bool matches_agent(const std::string& pattern, std::string_view agent) {
  if (pattern.contains("://")) return base::matches_wildcard(base::lower_text(pattern), agent);
  const std::size_t scheme = agent.find("://");
  const std::string_view authority = scheme == std::string_view::npos ? agent : agent.substr(scheme + 3);
  return base::matches_wildcard(base::lower_text(pattern), authority);
}

/// The User-Agent counts even if the client is verified as another agent.
bool matches_claim(const std::string& pattern, std::string_view user_agent) {
  if (pattern == "*") return site::names_crawler(user_agent);
  return base::matches_wildcard(base::lower_text(pattern), base::lower_text(site::crawler_name(user_agent)));
}

bool is_client(const AccessRule& rule, const AccessRequest& request) {
  if (rule.verified.empty() && rule.claimed.empty()) return true;
  const bool is_verified =
      !request.agent.empty() && std::ranges::any_of(rule.verified, [&](const std::string& pattern) {
        return matches_agent(pattern, request.agent);
      });
  if (is_verified) return true;
  return !request.user_agent.empty() && std::ranges::any_of(rule.claimed, [&](const std::string& pattern) {
    return matches_claim(pattern, request.user_agent);
  });
}

std::string with_message(std::string reason, const AccessRule& rule) {
  if (!rule.message.empty()) reason += "; " + rule.message;
  return reason;
}

/// Adds why the client's signature was not accepted, if it was not.
std::string with_doubt(std::string reason, const AccessRequest& request) {
  if (!request.doubt.empty())
    reason += fmt::format("; your signature was not accepted: {}", request.doubt.substr(0, 300));
  return reason;
}

AccessDecision refuse(unsigned status, std::string reason, std::vector<Header> headers = {}) {
  return {.status = status, .reason = std::move(reason), .headers = std::move(headers)};
}

/// The refusal if the quota is used up; nullopt if it is not.
std::optional<AccessDecision> check_quota(const AccessRule& rule, const AccessRequest& request,
                                          const QuotaUse& use) {
  if (!rule.quota) return std::nullopt;
  const Quota& quota = *rule.quota;
  const bool has_requests = !quota.requests || use.requests < *quota.requests;
  const bool has_bytes = !quota.bytes || use.bytes < *quota.bytes;
  if (has_requests && has_bytes) return std::nullopt;
  const std::int64_t wait = quota.seconds - request.now % quota.seconds;
  const std::string limit =
      !has_requests ? base::counted(*quota.requests, "request", "requests") : base::human_size(*quota.bytes);
  const std::string_view period = quota.seconds == 60 ? "minute" : quota.seconds == 3'600 ? "hour" : "day";
  return refuse(429, with_message(fmt::format("your quota is {} per {}", limit, period), rule),
                {{"Retry-After", std::to_string(wait)}});
}

std::optional<AccessDecision> check_age(const AccessRule& rule, const AccessRequest& request) {
  if (rule.min_age == 0 || !request.collection) return std::nullopt;
  const std::int64_t free_at = request.collection->generated + rule.min_age;
  if (request.now >= free_at) return std::nullopt;
  return refuse(
      403,
      with_message(fmt::format("this collection is from {}; you may have it from {} on",
                               format_time({request.collection->generated, 0}), format_time({free_at, 0})),
                   rule),
      {{"Retry-After", std::to_string(free_at - request.now)}});
}

/// Why the price that the request states is not accepted; empty if it is accepted. The request must state
/// one.
std::string find_price_fault(const CrawlerPrice& price, const AccessRequest& request) {
  if (!request.exact_price.empty() && !request.max_price.empty())
    return "send crawler-exact-price or crawler-max-price, not both";
  const bool is_exact = !request.exact_price.empty();
  const auto stated = parse_crawler_price(is_exact ? request.exact_price : request.max_price);
  if (!stated) return "the stated price is malformed";
  if (stated->currency != price.currency) return fmt::format("the currency is {}", price.currency);
  if (is_exact && stated->amount != price.amount) return "the price does not match";
  if (stated->amount < price.amount) return "the price is higher";
  if (request.agent.empty()) return "only a verified agent can be charged: sign the request (Web Bot Auth)";
  return {};
}

AccessDecision ask_price(const AccessRule& rule, const AccessRequest& request) {
  const std::string price = to_string(*rule.price);
  AccessDecision decision = refuse(402, fmt::format("this file costs {}", price),
                                   {{std::string(http::message::kPriceField), price}});
  const bool has_offer = !request.exact_price.empty() || !request.max_price.empty();
  const std::string fault = has_offer ? find_price_fault(*rule.price, request) : std::string();
  if (has_offer && fault.empty()) return {.charge = rule.price};
  if (has_offer) {
    decision.headers.push_back({std::string(http::message::kPriceErrorField), fault});
    decision.reason += "; " + fault;
  } else {
    decision.reason +=
        fmt::format("; to accept, sign the request (Web Bot Auth) and send crawler-exact-price: {}", price);
  }
  decision.reason = with_doubt(with_message(std::move(decision.reason), rule), request);
  return decision;
}

AccessDecision judge(const AccessRule& rule, const AccessRequest& request, const QuotaUse& use) {
  if (rule.action == RuleAction::deny)
    return refuse(403, with_doubt(with_message("this file is not for you", rule), request));
  if (auto over = check_quota(rule, request, use)) return std::move(*over);
  if (auto young = check_age(rule, request)) return std::move(*young);
  // A signature is free: it is useless without its collection, which costs the price.
  const bool is_signature = request.path.ends_with(".minisig");
  return rule.action == RuleAction::price && !is_signature ? ask_price(rule, request) : AccessDecision{};
}

}  // namespace

Mismatch compare(const AccessRule& rule, const AccessRequest& request) {
  if (!is_client(rule, request)) return Mismatch::client;
  if (rule.sections.empty()) return Mismatch::none;
  if (!request.collection) return Mismatch::not_a_collection;
  const bool is_section = std::ranges::any_of(rule.sections, [&](const std::string& pattern) {
    return base::matches_wildcard(pattern, request.collection->section);
  });
  return is_section ? Mismatch::none : Mismatch::section;
}

std::string describe(Mismatch mismatch, const AccessRule& rule, const AccessRequest& request) {
  switch (mismatch) {
    case Mismatch::none: return "it applies";
    case Mismatch::client: {
      std::vector<std::string> wanted;
      if (!rule.verified.empty())
        wanted.push_back(fmt::format("verified as {}", fmt::join(rule.verified, ", ")));
      if (!rule.claimed.empty()) wanted.push_back(fmt::format("named {}", fmt::join(rule.claimed, ", ")));
      return fmt::format("the client is not {}", fmt::join(wanted, " or "));
    }
    case Mismatch::not_a_collection: return "the file is not a collection";
    case Mismatch::section:
      return fmt::format("section {} is not one of {}", request.collection->section,
                         fmt::join(rule.sections, ", "));
  }
  return {};
}

bool is_always_served(std::string_view path) {
  return path == "/robots.txt" || path.starts_with("/.well-known/");
}

const AccessRule* find_rule(const AccessPolicy& policy, const AccessRequest& request) {
  if (is_always_served(request.path)) return nullptr;
  for (const AccessRule& rule : policy.rules)
    if (compare(rule, request) == Mismatch::none) return &rule;
  return nullptr;
}

AccessDecision decide(const AccessRule* rule, const AccessRequest& request, const QuotaUse& use) {
  if (rule == nullptr) return {};
  AccessDecision decision = judge(*rule, request, use);
  // Once the agent is verified, another rule may apply. So tell the client to retry instead of refusing it.
  if (decision.status != 200 && request.is_pending)
    return refuse(503, "the keys of your agent are being fetched; try again",
                  {{"Retry-After", std::string(kPendingSeconds)}});
  return decision;
}

}  // namespace sheaf::access
