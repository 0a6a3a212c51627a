#include "sheaf/lab/conduct.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sheaf::lab {
namespace {

constexpr std::string_view kRobots = "/robots.txt";

bool is_for_robots(const LoggedRequest& logged) { return logged.request.path.starts_with(kRobots); }

void check_general_rules(std::span<const LoggedRequest> log, std::vector<std::string>& faults) {
  if (!is_for_robots(log.front()))
    faults.push_back(
        fmt::format("the first request was for {}, not for robots.txt", log.front().request.path));
  std::map<std::string, std::uint64_t> counts;
  for (const LoggedRequest& logged : log) {
    if (logged.request.header("User-Agent").empty() && counts.empty())
      faults.emplace_back("a request had no User-Agent");
    if (logged.request.path.starts_with("/private/"))
      faults.push_back(fmt::format("{} was requested, which robots.txt forbids", logged.request.path));
    if (++counts[logged.request.path] == kMaxRepeats + 1)
      faults.push_back(fmt::format("{} was requested more than {} times", logged.request.path, kMaxRepeats));
  }
  if (log.size() > kMaxRequests)
    faults.push_back(fmt::format("{} requests for a site of eight pages", log.size()));
}

}  // namespace

std::vector<std::string> judge_conduct(const Deployment& deployment, std::span<const LoggedRequest> log) {
  if (log.empty()) return {"there was no request"};
  std::vector<std::string> faults;
  check_general_rules(log, faults);
  const Conduct& conduct = deployment.conduct;
  std::uint64_t limited = 0;
  for (const LoggedRequest& logged : log) {
    const std::string& path = logged.request.path;
    if (conduct.only_robots && !is_for_robots(logged))
      faults.push_back(fmt::format("{} was requested, although robots.txt could not be read", path));
    if (!conduct.never.empty() && path.contains(conduct.never))
      faults.push_back(fmt::format("{} was requested, which is wrong here: {}", path, deployment.expected));
    if (!conduct.limited.empty() && path.contains(conduct.limited)) ++limited;
  }
  if (!conduct.limited.empty() && limited > conduct.most)
    faults.push_back(
        fmt::format("{} requests for paths with {}; {} are enough", limited, conduct.limited, conduct.most));
  return faults;
}

}  // namespace sheaf::lab
