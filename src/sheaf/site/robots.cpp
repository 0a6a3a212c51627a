#include "sheaf/site/robots.h"

#include "sheaf/base/ascii.h"
#include "sheaf/site/robots_parser.h"
#include "sheaf/site/site_text.h"

#include <algorithm>
#include <tuple>

namespace sheaf::site {
namespace {

bool is_letter(char c) { return base::is_letter(c) || c == '-' || c == '_'; }

/// The characters of a product token in RFC 9309, which has no digits.
std::string_view letters_of(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, is_letter);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// "FooBot/2.1" names FooBot. The RFC allows no digits in names, so a name with a digit matches itself and
/// also the letters before the digit.
bool names(std::string_view line_value, std::string_view agent) {
  return !agent.empty() &&
         (same_letters(product_token(line_value), agent) || same_letters(letters_of(line_value), agent));
}

/// "*", possibly followed by other text.
bool names_everyone(std::string_view line_value) {
  return line_value.starts_with('*') && (line_value.size() == 1 || base::is_blank(line_value[1]));
}

}  // namespace

std::string_view product_token(std::string_view text) noexcept {
  const auto* end = std::ranges::find_if_not(text, [](char c) { return is_letter(c) || base::is_digit(c); });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

RobotsAccess judge_robots_status(int status, unsigned redirects_followed) noexcept {
  constexpr int kNotModified = 304;
  constexpr int kTooManyRequests = 429;
  if (status >= 200 && status < 300) return RobotsAccess::read;
  if (status == kNotModified) return RobotsAccess::keep;
  if (status >= 300 && status < 400)
    return redirects_followed < kRobotsRedirects ? RobotsAccess::follow : RobotsAccess::everything;
  if (status >= 400 && status < 500 && status != kTooManyRequests) return RobotsAccess::everything;
  return RobotsAccess::nothing;
}

RobotsVerdict RobotsRules::judge(const base::Url& url) const {
  std::string path(url.path());
  if (url.has_query()) path.append("?").append(url.query());
  return judge_path(path);
}

RobotsVerdict RobotsRules::judge_path(std::string_view path_and_query) const {
  if (path_and_query == "/robots.txt" || path_and_query.starts_with("/robots.txt?")) return {};
  const RobotsPath path(path_and_query);
  for (const RobotsRule& rule : rules_)
    if (rule.pattern.matches(path)) return {rule.allow, &rule};
  return {};
}

RobotsTxt RobotsTxt::parse(std::string_view bytes, std::size_t limit) {
  return RobotsParser().parse(bytes, limit);
}

bool RobotsTxt::lists_sitemap(const base::Url& sitemap) const {
  return std::ranges::any_of(sitemaps_, [&](const std::string& listed) {
    const auto url = base::Url::parse(listed, &sitemap);
    return url && url->without_fragment() == sitemap.without_fragment();
  });
}

RobotsRules RobotsTxt::rules_for(std::string_view agent) const {
  const std::string_view token = product_token(agent);
  RobotsRules rules;
  std::vector<bool> chosen(groups_.size());
  const auto choose = [&](const auto& is_meant, std::string_view group) {
    for (const Agent& candidate : agents_) {
      if (!is_meant(candidate.name)) continue;
      rules.group_ = std::string(group);
      chosen[candidate.group] = true;
      if (candidate.crawl_delay)
        rules.crawl_delay_ = std::max(rules.crawl_delay_.value_or(0), *candidate.crawl_delay);
    }
  };
  choose([&](std::string_view name) { return names(name, token); }, token);
  if (rules.group_.empty()) choose(names_everyone, "*");
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (chosen[i]) rules.rules_.insert(rules.rules_.end(), groups_[i].begin(), groups_[i].end());
  std::ranges::sort(rules.rules_, std::ranges::greater(), [](const RobotsRule& rule) {
    return std::tuple(rule.pattern.octets(), rule.allow, ~rule.line);
  });
  return rules;
}

}  // namespace sheaf::site
