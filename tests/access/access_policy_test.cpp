#include "sheaf/access/access_policy.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::access {
namespace {

std::string fault_of(const std::string& text) {
  const auto policy = parse_policy(text, "policy.toml");
  return policy ? "" : policy.error().message;
}

TEST(AccessPolicyFile, HasRulesInOrderWithTheirLines) {
  const auto policy = parse_policy(R"(# who may have what
[[rule]]
name = "partners"
verified = ["https://crawler.example", "*.search.example"]
action = "allow"
requests = 1000
bytes = "2GiB"
per = "hour"

[[rule]]
claimed = "GPTBot"
sections = ["docs"]
action = "price"
price = "USD 0.05"
message = "write to crawl@example.com"

[[rule]]
action = "allow"
min_age = "7d"

[usage]
content_usage = "train-ai=n"
license = "https://example.com/license.xml"
)",
                                   "policy.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  ASSERT_EQ(policy->rules.size(), 3U);
  const AccessRule& partners = policy->rules[0];
  EXPECT_EQ(partners.name, "partners");
  EXPECT_EQ(partners.line, 2U);
  EXPECT_EQ(partners.verified.size(), 2U);
  EXPECT_EQ(partners.quota, (Quota{.requests = 1000, .bytes = std::uint64_t{2} << 30U, .seconds = 3600}));
  const AccessRule& priced = policy->rules[1];
  EXPECT_EQ(priced.name, "rule 2");
  EXPECT_EQ(priced.claimed, std::vector<std::string>{"GPTBot"});
  EXPECT_EQ(priced.action, RuleAction::price);
  EXPECT_EQ(to_string(*priced.price), "USD 0.05");
  EXPECT_EQ(policy->rules[2].min_age, 7 * 86'400);
  EXPECT_EQ(policy->usage.content_usage, "train-ai=n");
}

TEST(AccessPolicyFile, WithoutRulesIsValid) { EXPECT_EQ(fault_of(""), ""); }

/// Otherwise the rules after the limit would be dropped without an error.
TEST(AccessPolicyFile, OverOneMebibyteIsRefused) {
  const test::TempDir folder;
  std::string text = "[[rule]]\nname = \"first\"\naction = \"allow\"\nverified = \"*\"\n#";
  text.append(std::size_t{1} << 20U, '-');
  text += "\n[[rule]]\naction = \"deny\"\n";
  const auto policy = read_policy(folder.write("policy.toml", text).string());
  ASSERT_FALSE(policy) << policy->rules.size() << " of 2 rules";
  EXPECT_TRUE(policy.error().message.contains("is over 1 MiB")) << policy.error().message;
}

struct Fault {
  const char* text;
  const char* message;
};

class AccessPolicyFaults : public testing::TestWithParam<Fault> {};

TEST_P(AccessPolicyFaults, NamesFileLineAndReason) {
  EXPECT_EQ(fault_of(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, AccessPolicyFaults,
    testing::Values(
        Fault{"[[rule]]\n", "policy.toml:1: a rule needs an `action`: \"allow\", \"deny\" or \"price\""},
        Fault{"[[rule]]\naction = \"maybe\"\n",
              "policy.toml:2: a rule needs an `action`: \"allow\", \"deny\" or \"price\""},
        Fault{"[[rule]]\naction = \"deny\"\nverifed = [\"a\"]\n",
              "policy.toml:3: `verifed` is not known here; known are: name, verified, claimed, sections, "
              "action, "
              "requests, bytes, per, min_age, price, message"},
        Fault{"[[rule]]\naction = \"deny\"\nclaimed = []\n",
              "policy.toml:3: `claimed` must name between 1 and 1000; leave it out for all"},
        Fault{"[[rule]]\naction = \"deny\"\nclaimed = [\"\"]\n",
              "policy.toml:3: `claimed` has a name that is empty, not ASCII or over 300 bytes"},
        Fault{"[[rule]]\naction = \"deny\"\nclaimed = [3]\n",
              "policy.toml:3: `claimed` must be a list of texts"},
        Fault{"[[rule]]\naction = \"price\"\n",
              "policy.toml:1: the action \"price\" needs a `price`, such as \"USD 0.01\", and no other has "
              "one"},
        Fault{"[[rule]]\naction = \"allow\"\nprice = \"USD 1\"\n",
              "policy.toml:1: the action \"price\" needs a `price`, such as \"USD 0.01\", and no other has "
              "one"},
        Fault{"[[rule]]\naction = \"price\"\nprice = \"1 dollar\"\n",
              "policy.toml:3: \"1 dollar\" is not a price: give a currency and an amount above 0, as \"USD "
              "0.01\""},
        Fault{"[[rule]]\naction = \"price\"\nprice = \"USD 0.00\"\n",
              "policy.toml:3: \"USD 0.00\" is not a price: give a currency and an amount above 0, as \"USD "
              "0.01\""},
        Fault{"[[rule]]\naction = \"allow\"\nrequests = 0\nper = \"day\"\n",
              "policy.toml:3: `requests` must be a whole number from 1 to 1000000000000"},
        Fault{"[[rule]]\naction = \"allow\"\nrequests = 5\n",
              "policy.toml:1: `requests` and `bytes` need `per`: \"minute\", \"hour\" or \"day\"; and `per` "
              "needs one "
              "of them"},
        Fault{"[[rule]]\naction = \"allow\"\nper = \"day\"\n",
              "policy.toml:1: `requests` and `bytes` need `per`: \"minute\", \"hour\" or \"day\"; and `per` "
              "needs one "
              "of them"},
        Fault{"[[rule]]\naction = \"allow\"\nbytes = \"much\"\nper = \"day\"\n",
              "policy.toml:3: `bytes` must be a size above 0 in quotes, such as \"10GiB\""},
        Fault{"[[rule]]\naction = \"allow\"\nbytes = \"1GiB\"\nper = \"week\"\n",
              "policy.toml:4: `per` must be \"minute\", \"hour\" or \"day\""},
        Fault{"[[rule]]\naction = \"deny\"\nrequests = 5\nper = \"day\"\n",
              "policy.toml:1: a rule that denies has no quota"},
        Fault{"[[rule]]\naction = \"deny\"\nmin_age = \"1d\"\n",
              "policy.toml:3: a rule that denies has no `min_age`"},
        Fault{"[[rule]]\naction = \"allow\"\nmin_age = \"soon\"\n",
              "policy.toml:3: `min_age`: \"soon\" is not a duration: give a number with s, m, h or d, such "
              "as 30m"},
        Fault{"[[rule]]\nname = \"a\"\naction = \"deny\"\n[[rule]]\nname = \"a\"\naction = \"deny\"\n",
              "policy.toml:4: there are two rules called \"a\""},
        Fault{"[[rule]]\naction = \"deny\"\nmessage = \"two\\nlines\"\n",
              "policy.toml:3: `message` must be one line of printable ASCII, of up to 500 bytes"},
        Fault{"rule = 3\n", "policy.toml:1: begin each rule with [[rule]]"},
        Fault{"rule = [3]\n", "policy.toml:1: begin each rule with [[rule]]"},
        Fault{"default = \"deny\"\n", "policy.toml:1: `default` is not known here; known are: rule, usage"},
        Fault{"[usage]\nlicense = \"license.xml\"\n",
              "policy.toml:1: `license` must be an http or https URL"},
        Fault{"[usage]\ncontent_usage = \"a\\nb\"\n",
              "policy.toml:1: `content_usage` must be one line of printable ASCII without #"}));

TEST(AccessPolicyFile, ThatIsNotTomlNamesItsLine) {
  EXPECT_TRUE(fault_of("[[rule]]\naction = \n").starts_with("policy.toml:2: "))
      << fault_of("[[rule]]\naction = \n");
}

TEST(AccessPolicyFile, ThatIsTooLargeIsRefused) {
  EXPECT_EQ(fault_of(std::string((1U << 20U) + 1, '#')), "policy.toml is over 1 MiB");
}

TEST(AccessPolicyFile, ThatIsMissingIsAnError) { EXPECT_FALSE(read_policy("/nowhere/policy.toml")); }

}  // namespace
}  // namespace sheaf::access
