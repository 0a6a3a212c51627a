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

/// The collection that is asked for, or whose signature is.
struct RequestedCollection {
  std::string section;
  std::int64_t generated = 0;  ///< seconds since 1970
};

struct AccessRequest {
  std::string_view path;             ///< decoded
  std::string_view agent = {};       ///< the origin that the client has proven to be; empty if none
  bool is_pending = false;           ///< the keys of its agent are being fetched
  std::string_view doubt = {};       ///< why its signature was not accepted; empty if it had none
  std::string_view user_agent = {};  ///< the header field
  std::optional<RequestedCollection> collection = {};
  std::string_view exact_price = {};  ///< crawler-exact-price; empty if it was not sent
  std::string_view max_price = {};    ///< crawler-max-price
  std::int64_t now = 0;
};

/// What the client used in the current period of the rule's quota.
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
/// "the client is neither verified as ... nor named ...".
std::string describe(Mismatch mismatch, const AccessRule& rule, const AccessRequest& request);

/// Files that every client gets: robots.txt, since a crawler that cannot read it may assume that everything
/// is allowed (RFC 9309, 2.3.1.3), and /.well-known/, which has keys.
bool is_always_served(std::string_view path);

/// The rule that decides: the first that applies. Null if none does, or if the file is always served.
const AccessRule* find_rule(const AccessPolicy& policy, const AccessRequest& request);

struct AccessDecision {
  unsigned status = 200;                            ///< 200: the file is served, whatever that means for it
  std::string reason = {};                          ///< one sentence for the client; empty if it is served
  std::vector<http::message::Header> headers = {};  ///< of a refusal
  std::optional<http::message::CrawlerPrice> charge = {};  ///< if the response succeeds
};

/// What the rule means for the request. `rule` may be null.
AccessDecision decide(const AccessRule* rule, const AccessRequest& request, const QuotaUse& use);

}  // namespace sheaf::access
