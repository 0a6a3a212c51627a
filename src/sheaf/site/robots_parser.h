#pragma once

#include "sheaf/site/robots.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::site {

/// Parses a robots.txt line by line into a RobotsTxt.
class RobotsParser {
 public:
  RobotsTxt parse(std::string_view bytes, std::size_t limit);

 private:
  void take_line(std::string_view line);
  void take_agent(std::string_view value);
  void take_rule(bool allow, std::string_view value);
  void take_crawl_delay(std::string_view value);
  void note(std::string message);

  RobotsTxt robots_;
  std::uint64_t line_ = 0;
  bool in_agents_ = false;       ///< the last record was a user-agent line, so another one joins its group
  std::size_t first_agent_ = 0;  ///< index of the first agent of the current group
};

}  // namespace sheaf::site
