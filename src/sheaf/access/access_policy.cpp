#include "sheaf/access/access_policy.h"

#include "sheaf/base/amount_text.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/settings/toml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sheaf::access {
namespace {

using settings::TomlValue;

constexpr std::size_t kMaxPolicyBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxRules = 1'000;
constexpr std::size_t kMaxPatterns = 1'000;
constexpr std::size_t kMaxPatternBytes = 300;
constexpr std::size_t kMaxMessageBytes = 500;
constexpr std::int64_t kMaxRequests = 1'000'000'000'000;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kPeriods = {
    {{"minute", 60}, {"hour", 3'600}, {"day", 86'400}}};

bool is_one_line(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

class PolicyForm : private settings::TomlReader {
 public:
  PolicyForm(const std::string& file, AccessPolicy& policy) : TomlReader(file), policy_(policy) {}

  base::Result<void> read(const TomlValue& root) {
    allow(root, {"rule", "usage"});
    read_usage(root);
    read_rules(root);
    if (error()) return std::unexpected(*error());
    return {};
  }

 private:
  void read_usage(const TomlValue& root) {
    const TomlValue* table = root.find("usage");
    if (table == nullptr) return;
    if (table->kind != TomlValue::Kind::table) return wrong(*table, "`usage` must be a table: [usage]");
    allow(*table, {"content_usage", "content_signal", "license"});
    policy_.usage = {text(*table, "content_usage"), text(*table, "content_signal"), text(*table, "license")};
    if (const std::string fault = find_usage_fault(policy_.usage); !fault.empty()) wrong(*table, fault);
  }

  void read_rules(const TomlValue& root) {
    const TomlValue* rules = root.find("rule");
    if (rules == nullptr) return;
    if (rules->kind != TomlValue::Kind::list) return wrong(*rules, "begin each rule with [[rule]]");
    if (rules->items.size() > kMaxRules)
      return wrong(*rules, fmt::format("there are over {} rules", kMaxRules));
    for (const TomlValue& rule : rules->items) {
      if (rule.kind != TomlValue::Kind::table) return wrong(rule, "begin each rule with [[rule]]");
      read_rule(rule);
    }
  }

  void read_rule(const TomlValue& table) {
    allow(table, {"name", "verified", "claimed", "sections", "action", "requests", "bytes", "per", "min_age",
                  "price", "message"});
    AccessRule rule{.name = line_of_text(table, "name"), .line = table.line};
    if (rule.name.empty()) rule.name = fmt::format("rule {}", policy_.rules.size() + 1);
    if (std::ranges::find(policy_.rules, rule.name, &AccessRule::name) != policy_.rules.end())
      wrong(table, fmt::format("there are two rules called \"{}\"", rule.name));
    rule.verified = patterns(table, "verified");
    rule.claimed = patterns(table, "claimed");
    rule.sections = patterns(table, "sections");
    rule.message = line_of_text(table, "message");
    read_action(table, rule);
    read_quota(table, rule);
    read_min_age(table, rule);
    policy_.rules.push_back(std::move(rule));
  }

  std::string line_of_text(const TomlValue& table, std::string_view name) {
    std::string value = text(table, name);
    if (!is_one_line(value) || value.size() > kMaxMessageBytes)
      wrong(*table.find(name), fmt::format("`{}` must be one line of printable ASCII, of up to {} bytes",
                                           name, kMaxMessageBytes));
    return value;
  }

  /// An empty list is an error, because it would silently apply to everybody.
  std::vector<std::string> patterns(const TomlValue& table, std::string_view name) {
    std::vector<std::string> list = texts(table, name);
    const TomlValue* value = table.find(name);
    if (value == nullptr) return list;
    if (list.empty() || list.size() > kMaxPatterns)
      wrong(*value, fmt::format("`{}` must name between 1 and {}; leave it out for all", name, kMaxPatterns));
    for (const std::string& pattern : list)
      if (pattern.empty() || pattern.size() > kMaxPatternBytes || !is_one_line(pattern))
        wrong(*value, fmt::format("`{}` has a name that is empty, not ASCII or over {} bytes", name,
                                  kMaxPatternBytes));
    return list;
  }

  void read_action(const TomlValue& table, AccessRule& rule) {
    const std::string action = text(table, "action");
    const std::string price = text(table, "price");
    if (action == "deny") {
      rule.action = RuleAction::deny;
    } else if (action == "price") {
      rule.action = RuleAction::price;
    } else if (action != "allow") {
      return wrong(action.empty() ? table : *table.find("action"),
                   "a rule needs an `action`: \"allow\", \"deny\" or \"price\"");
    }
    if ((rule.action == RuleAction::price) != (table.find("price") != nullptr))
      return wrong(table, "the action \"price\" needs a `price`, such as \"USD 0.01\", and no other has one");
    if (rule.action != RuleAction::price) return;
    rule.price = http::message::parse_crawler_price(price);
    if (!rule.price || rule.price->amount == 0)
      wrong(*table.find("price"),
            fmt::format("\"{}\" is not a price: give a currency and an amount above 0, as \"USD 0.01\"",
                        price));
  }

  void read_quota(const TomlValue& table, AccessRule& rule) {
    Quota quota;
    if (const auto requests = number(table, "requests", 1, kMaxRequests))
      quota.requests = static_cast<std::uint64_t>(*requests);
    if (const TomlValue* bytes = table.find("bytes")) {
      const auto size = base::parse_byte_size(text(table, "bytes"));
      if (!size || *size == 0)
        return wrong(*bytes, "`bytes` must be a size above 0 in quotes, such as \"10GiB\"");
      quota.bytes = *size;
    }
    const std::string period = text(table, "per");
    const bool has_quota = quota.requests || quota.bytes;
    if (has_quota == period.empty())
      return wrong(table,
                   "`requests` and `bytes` need `per`: \"minute\", \"hour\" or \"day\"; and `per` needs "
                   "one of them");
    if (!has_quota) return;
    const auto* known = std::ranges::find(kPeriods, period, [](const auto& each) { return each.first; });
    if (known == kPeriods.end())
      return wrong(*table.find("per"), "`per` must be \"minute\", \"hour\" or \"day\"");
    if (rule.action == RuleAction::deny) return wrong(table, "a rule that denies has no quota");
    quota.seconds = known->second;
    rule.quota = quota;
  }

  void read_min_age(const TomlValue& table, AccessRule& rule) {
    const TomlValue* value = table.find("min_age");
    if (value == nullptr) return;
    const auto seconds = base::parse_duration(text(table, "min_age"));
    if (!seconds) return wrong(*value, "`min_age`: " + seconds.error().message);
    if (rule.action == RuleAction::deny) return wrong(*value, "a rule that denies has no `min_age`");
    rule.min_age = *seconds;
  }

  AccessPolicy& policy_;
};

}  // namespace

std::string_view to_string(RuleAction action) {
  switch (action) {
    case RuleAction::allow: return "allow";
    case RuleAction::deny: return "deny";
    case RuleAction::price: return "price";
  }
  return "deny";
}

base::Result<AccessPolicy> parse_policy(std::string_view text, const std::string& file) {
  SHEAF_TRY_ASSIGN(const TomlValue root, settings::parse_toml(text, file));
  AccessPolicy policy;
  SHEAF_TRY(PolicyForm(file, policy).read(root));
  return policy;
}

base::Result<AccessPolicy> read_policy(const std::string& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, kMaxPolicyBytes));
  return parse_policy(text, file);
}

}  // namespace sheaf::access
