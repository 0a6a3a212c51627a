// The input up to the first NUL is a path, what follows a robots.txt.
#include "fuzz_support.h"
#include "sheaf/site/robots.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using fuzz::require;

/// Matches by trying every way, for patterns small enough: what the quick way is measured against.
bool matches_slowly(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return true;
  if (pattern == "$") return path.empty();
  if (pattern.front() == '*') {
    for (std::size_t skip = 0; skip <= path.size(); ++skip)
      if (matches_slowly(pattern.substr(1), path.substr(skip))) return true;
    return false;
  }
  return !path.empty() && pattern.front() == path.front() &&
         matches_slowly(pattern.substr(1), path.substr(1));
}

bool is_plain(std::string_view text) {
  for (const char c : text)
    if (!((c >= 'a' && c <= 'z') || c == '/' || c == '*' || c == '$')) return false;
  return true;
}

void check_pattern(std::string_view pattern, std::string_view path) {
  constexpr std::size_t kSmall = 12;
  if (pattern.size() > kSmall || path.size() > kSmall || !is_plain(pattern) || !is_plain(path)) return;
  require(site::RobotsPattern(pattern).matches(site::RobotsPath(path)) == matches_slowly(pattern, path));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  const std::string_view path = input.substr(0, input.find('\0'));
  const std::string_view file = input.substr(std::min(path.size() + 1, input.size()));
  const site::RobotsTxt robots = site::RobotsTxt::parse(file);
  for (const std::string_view agent : {"a", "FooBot/1.0", ""}) {
    const site::RobotsRules rules = robots.rules_for(agent);
    const site::RobotsVerdict verdict = rules.judge_path(path);
    require(verdict.allowed || verdict.rule != nullptr);
    require(verdict.rule == nullptr || (verdict.rule->allow == verdict.allowed && verdict.rule->line > 0));
    require(rules.judge_path("/robots.txt").allowed);
    require(!rules.group().empty() || rules.size() == 0);
    if (verdict.rule != nullptr) check_pattern(verdict.rule->text, path);
  }
  require(robots.findings().size() <= 100);
  // What line ends a file has makes no difference, nor does a comment at its end.
  const site::RobotsTxt again = site::RobotsTxt::parse(std::string(file) + "\n# end");
  if (!robots.truncated() && !again.truncated())
    require(again.rules_for("a").judge_path(path).allowed == robots.rules_for("a").judge_path(path).allowed);
  check_pattern(file, path);
  return 0;
}
