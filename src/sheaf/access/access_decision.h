#pragma once

#include "sheaf/access/access_policy.h"
#include "sheaf/http/message/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a request gets under a policy. Pure functions: the clock and the counters are parameters.
namespace sheaf::access {

/// The collection that is requested, or whose signature is requested.
struct RequestedCollection {
  std::string section;
  std::int64_t generated = 0;  ///< seconds since 1970
};

struct AccessRequest {
  std::string_view path;             ///< decoded
  std::string_view agent = {};       ///< the verified origin of the agent; empty if it is not verified
  bool is_pending = false;           ///< the keys of its agent are being fetched
  std::string_view doubt = {};       ///< why its signature was not accepted; empty if it was, or has none
  std::string_view user_agent = {};  ///< the User-Agent header field
  std::optional<RequestedCollection> collection = {};
  std::string_view exact_price = {};  ///< crawler-exact-price; empty if it was not sent
  std::string_view max_price = {};    ///< crawler-max-price
  std::int64_t now = 0;
};

/// What the client has used in the current period of the rule's quota.
struct QuotaUse {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

/// Why a rule does not apply.
enum class Mismatch : std::uint8_t {
  none,  ///< it applies
  client,
  not_a_collection,
  section,
};
Mismatch compare(const AccessRule& rule, const AccessRequest& request);
/// "the client is not verified as ... or named ...".
std::string describe(Mismatch mismatch, const AccessRule& rule, const AccessRequest& request);

/// Whether every client gets the file: robots.txt, since a crawler that cannot read it may assume that
/// everything is allowed (RFC 9309, 2.3.1.3), and /.well-known/, which has keys.
bool is_always_served(std::string_view path);

/// The deciding rule: the first that applies. Null if none applies, or if the file is always served.
const AccessRule* find_rule(const AccessPolicy& policy, const AccessRequest& request);

struct AccessDecision {
  unsigned status = 200;                            ///< 200: serve the file, which decides the final status
  std::string reason = {};                          ///< one sentence for the client; empty if it is served
  std::vector<http::message::Header> headers = {};  ///< for a refusal
  std::optional<http::message::CrawlerPrice> charge = {};  ///< if the response succeeds
};

/// Applies the rule to the request. If `rule` is null, the file is served.
AccessDecision decide(const AccessRule* rule, const AccessRequest& request, const QuotaUse& use);

}  // namespace sheaf::access
