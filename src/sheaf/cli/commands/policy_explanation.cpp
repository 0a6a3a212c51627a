#include "sheaf/cli/commands/policy_explanation.h"

#include "sheaf/access/access_decision.h"
#include "sheaf/access/access_policy.h"
#include "sheaf/base/percent_encoding.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/serve/file_handler.h"
#include "sheaf/serve/policy_handler.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace sheaf::cli {
namespace {

/// A request as described on the command line.
struct Described {
  std::string path;
  std::string agent;
  std::string name;
  std::string price;
};

base::Result<Described> read_question(std::string_view text) {
  Described described;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (word.empty()) continue;
    if (word.starts_with('/') && described.path.empty()) {
      described.path = base::percent_decode(word.substr(0, word.find_first_of("?#")));
    } else if (name == "verified" && !value.empty()) {
      described.agent = value;
    } else if (name == "claimed" && !value.empty()) {
      described.name = value;
    } else if (name == "price" && http::message::parse_crawler_price(value)) {
      described.price = value;
    } else {
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("\"{}\" is not part of a request: give a path, and verified=ORIGIN, "
                                    "claimed=NAME or price=USD0.01",
                                    printable(word, Lines::join)));
    }
  }
  if (described.path.empty())
    return base::fail(base::Errc::invalid_argument, "the request has no path: begin it with /");
  return described;
}

std::string describe_quota(const access::AccessRule& rule) {
  if (!rule.quota) return {};
  std::string text;
  if (rule.quota->requests) text += counted(*rule.quota->requests, "request", "requests");
  if (rule.quota->bytes) text += (text.empty() ? "" : " and ") + human_size(*rule.quota->bytes);
  return fmt::format(", up to {} in {} seconds", text, rule.quota->seconds);
}

void print_rules(const PolicyQuestion& question, const access::AccessPolicy& policy,
                 const access::AccessRequest& request, const access::AccessRule* decides) {
  if (access::is_always_served(request.path))
    return print_text("every client gets this file, whatever the rules\n");
  for (const access::AccessRule& rule : policy.rules) {
    const auto mismatch = access::compare(rule, request);
    if (&rule == decides) {
      return print_text("{}:{}: \"{}\" applies: {}{}\n", printable(question.policy, Lines::join), rule.line,
                        printable(rule.name, Lines::join), to_string(rule.action), describe_quota(rule));
    }
    print_text("{}:{}: \"{}\" does not apply: {}\n", printable(question.policy, Lines::join), rule.line,
               printable(rule.name, Lines::join), printable(describe(mismatch, rule, request), Lines::join));
  }
  print_text("no rule applies: the file is served\n");
}

void print_decision(const access::AccessDecision& decision) {
  if (decision.charge) return print_text("served, and charged {}\n", to_string(*decision.charge));
  if (decision.status == 200) return print_text("served\n");
  print_text("refused: {} {}: {}\n", decision.status, http::message::reason_phrase(decision.status),
             printable(decision.reason, Lines::join));
  for (const auto& header : decision.headers)
    print_text("  {}: {}\n", header.name, printable(header.value, Lines::join));
}

base::Result<bool> explain(const PolicyQuestion& question) {
  SHEAF_TRY_ASSIGN(const auto policy, access::read_policy(question.policy));
  SHEAF_TRY_ASSIGN(const Described described, read_question(question.request));
  SHEAF_TRY_ASSIGN(auto folder, serve::Folder::open(question.folder, question.below));
  serve::FileHandler site(std::move(folder), {}, [](const std::string&) {});
  const http::server::ClientIdentity identity{.agent = described.agent};
  http::server::Request asked;
  asked.path = described.path;
  asked.identity = &identity;
  access::AccessRequest request = serve::access_request(asked, site, sheaf::now().seconds);
  request.user_agent = described.name;
  request.max_price = described.price;
  const access::AccessRule* rule = access::find_rule(policy, request);
  print_rules(question, policy, request, rule);
  const auto decision = access::decide(rule, request, {});
  print_decision(decision);
  return decision.status == 200;
}

}  // namespace

ExitStatus explain_policy(const PolicyQuestion& question) {
  const auto is_served = explain(question);
  if (!is_served) return report_failure(is_served.error());
  return *is_served ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace sheaf::cli
