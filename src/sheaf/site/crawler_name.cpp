#include "sheaf/site/crawler_name.h"

#include "sheaf/base/ascii.h"
#include "sheaf/site/robots.h"

namespace sheaf::site {
namespace {

constexpr std::size_t kMaxNameBytes = 200;

}  // namespace

bool names_crawler(std::string_view user_agent) {
  if (user_agent.empty()) return false;
  const std::string lower = base::lower_text(user_agent);
  for (const std::string_view word : {"bot", "crawl", "spider", "fetch", "scrap"})
    if (lower.contains(word)) return true;
  return !lower.starts_with("mozilla/") && !lower.starts_with("opera/");
}

std::string crawler_name(std::string_view user_agent) {
  constexpr std::string_view kCompatible = "compatible; ";
  if (const std::size_t at = user_agent.find(kCompatible); at != std::string_view::npos)
    user_agent.remove_prefix(at + kCompatible.size());
  const std::string_view name = product_token(user_agent);
  return std::string((name.empty() ? user_agent : name).substr(0, kMaxNameBytes));
}

}  // namespace sheaf::site
