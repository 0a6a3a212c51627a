#include "sheaf/base/byte_source.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/site/robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {
namespace {

struct RobotsOptions {
  std::string file;
  std::string agent;
  std::vector<std::string> urls;
  bool json = false;
};

struct Answer {
  std::string_view url;
  site::RobotsVerdict verdict;
};

/// Reads the part of the file that counts, and a little more, to detect a longer file.
base::Result<std::string> read_robots(const std::string& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  return base::read_up_to(*source, site::kRobotsBytes + 3);  // a byte-order mark is not counted
}

/// Judges a URL, or only its path and query.
base::Result<site::RobotsVerdict> judge(const site::RobotsRules& rules, const std::string& url) {
  if (url.starts_with('/')) return rules.judge_path(url.substr(0, url.find('#')));
  const auto parsed = base::Url::parse(url);
  if (!parsed)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{}: not an http or https URL, nor a path that begins with /", url));
  return rules.judge(*parsed);
}

std::string_view name_of(const site::RobotsRule& rule) { return rule.allow ? "Allow" : "Disallow"; }

void print_json(const RobotsOptions& options, const site::RobotsTxt& robots, const site::RobotsRules& rules,
                const std::vector<Answer>& answers) {
  JsonOutput out;
  out.begin_report().string("file", options.file).string("agent", site::product_token(options.agent));
  rules.group().empty() ? out.null("group") : out.string("group", rules.group());
  rules.crawl_delay() ? out.decimal("crawlDelay", *rules.crawl_delay()) : out.null("crawlDelay");
  out.begin_array("sitemaps");
  for (const std::string& sitemap : robots.sitemaps()) out.element(base::make_valid_utf8(sitemap));
  out.end_array().begin_array("urls");
  for (const Answer& answer : answers) {
    out.begin_object().string("url", answer.url).boolean("allowed", answer.verdict.allowed);
    if (const site::RobotsRule* rule = answer.verdict.rule) {
      out.begin_object("rule").string("type", rule->allow ? "allow" : "disallow");
      out.string("path", base::make_valid_utf8(rule->text)).number("line", rule->line).end_object();
    } else {
      out.null("rule");
    }
    out.end_object();
  }
  out.end_array().begin_array("findings");
  for (const site::RobotsFinding& finding : robots.findings())
    out.begin_object().number("line", finding.line).string("message", finding.message).end_object();
  out.end_array().end_object();
  print_json_line(out.text());
}

void print_answer(const Answer& answer) {
  const site::RobotsRule* rule = answer.verdict.rule;
  const std::string reason = rule == nullptr ? ""
                                             : fmt::format("  (line {}, {}: {})", rule->line, name_of(*rule),
                                                           base::make_valid_utf8(rule->text));
  print_text("{}  {}{}\n",
             answer.verdict.allowed ? coloured(Colour::green, "allowed") : coloured(Colour::red, "refused"),
             printable(answer.url, Lines::join), printable(reason, Lines::join));
}

/// Without URLs to check: prints the rules of the file for this crawler.
void print_summary(const RobotsOptions& options, const site::RobotsTxt& robots,
                   const site::RobotsRules& rules) {
  const std::string agent = printable(site::product_token(options.agent), Lines::join);
  if (rules.group().empty()) {
    print_text("{}: no group, everything is allowed\n", agent);
  } else {
    print_text("{}: group {}, {}\n", agent, printable(rules.group(), Lines::join),
               counted(rules.size(), "rule", "rules"));
  }
  if (rules.crawl_delay()) print_text("crawl-delay {} s\n", *rules.crawl_delay());
  for (const std::string& sitemap : robots.sitemaps())
    print_text("sitemap {}\n", printable(base::make_valid_utf8(sitemap), Lines::join));
}

ExitStatus run(const RobotsOptions& options) {
  if (site::product_token(options.agent).empty())
    return report_failure(
        {base::Errc::invalid_argument,
         fmt::format("--agent {}: not the name of a crawler, such as ExampleBot", options.agent)});
  const auto bytes = read_robots(options.file);
  if (!bytes) return report_failure(bytes.error());
  const site::RobotsTxt robots = site::RobotsTxt::parse(*bytes);
  const site::RobotsRules rules = robots.rules_for(options.agent);
  std::vector<Answer> answers;
  ExitStatus status = ExitStatus::yes;
  for (const std::string& url : options.urls) {
    const auto verdict = judge(rules, url);
    if (!verdict) return report_failure(verdict.error());
    answers.push_back({url, *verdict});
    if (!verdict->allowed) status = ExitStatus::no;
  }
  if (options.json) {
    print_json(options, robots, rules, answers);
    return status;
  }
  const std::string name = options.file == "-" ? "standard input" : options.file;
  for (const site::RobotsFinding& finding : robots.findings())
    print_message(finding.line == 0 ? fmt::format("{}: {}", name, finding.message)
                                    : fmt::format("{} line {}: {}", name, finding.line, finding.message));
  if (answers.empty()) print_summary(options, robots, rules);
  std::ranges::for_each(answers, print_answer);
  return status;
}

}  // namespace

void add_robots(const Command& program, Job& job) {
  auto options = std::make_shared<RobotsOptions>();
  const Command command = program.subcommand("robots", "Say whether a robots.txt lets a crawler fetch URLs");
  command.option("FILE", options->file, "a robots.txt; - is standard input").required();
  command.option("URL", options->urls,
                 "URLs, or paths that begin with /; without any, the rules for the crawler are shown");
  command.option("--agent", options->agent, "name of the crawler, as in its User-Agent")
      .value_name("NAME")
      .required();
  command.flag("--json", options->json, "print one JSON object with all answers");
  command.footer(
      "Example: sheaf robots robots.txt --agent ExampleBot https://example.com/private/\n"
      "Exit status: 0 all allowed, 1 some refused, 2 could not tell.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
