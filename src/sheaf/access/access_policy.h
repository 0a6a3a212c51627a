#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/crawler_price.h"
#include "sheaf/site/usage_preferences.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The policy that says who may have which files of a site, and on which terms. Its rules come from a file.
// What a request gets is a pure function of the rules, the request and the counters (access_decision.h).
namespace sheaf::access {

enum class RuleAction : std::uint8_t {
  allow,
  deny,   ///< 403
  price,  ///< 402, unless the client is verified and accepts the price
};
std::string_view to_string(RuleAction action);

/// How much one client may have in a period. Periods begin at multiples of their length since 1970.
struct Quota {
  std::optional<std::uint64_t> requests = {};
  std::optional<std::uint64_t> bytes = {};  ///< of bodies
  std::int64_t seconds = 86'400;

  friend bool operator==(const Quota&, const Quota&) = default;
};

/// A rule applies to the clients that `verified` or `claimed` names; to every client if both are empty. It
/// applies to the collections of `sections`; to every file if that is empty.
struct AccessRule {
  std::string name;                        ///< unique; "rule 2" if the file has none
  std::size_t line = 0;                    ///< in the file
  std::vector<std::string> verified = {};  ///< agents: "https://crawler.example", "*.example.com", "*"
  std::vector<std::string> claimed = {};   ///< names in User-Agent: "GPTBot"; "*" is any crawler
  std::vector<std::string> sections = {};  ///< "docs", "news-*", "*"
  RuleAction action = RuleAction::allow;
  std::optional<Quota> quota = {};
  std::int64_t min_age = 0;  ///< seconds; younger collections are refused
  std::optional<http::message::CrawlerPrice> price = {};
  std::string message = {};  ///< for the client, such as whom to ask; one line
};

struct AccessPolicy {
  std::vector<AccessRule> rules = {};  ///< the first that applies decides; if none applies, files are served
  site::UsagePreferences usage = {};   ///< stated with every file
};

/// Parses a policy of at most 1,000 rules. Fails with Errc::invalid_argument and "FILE:LINE: REASON".
base::Result<AccessPolicy> parse_policy(std::string_view text, const std::string& file);
base::Result<AccessPolicy> read_policy(const std::string& file);

}  // namespace sheaf::access
