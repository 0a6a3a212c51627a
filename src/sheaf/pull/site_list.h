#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Parses the list of sites as a user writes it.
namespace sheaf::pull {

/// A site, or one of its sitemaps: https unless said otherwise.
base::Result<base::Url> parse_site_address(std::string_view text);

/// Reads a list piece by piece. One site per line. Empty lines are ignored, and comments: a # at the start of
/// a line or after a blank. An error names the line, after `name`.
class SiteListParser {
 public:
  using Use = std::function<base::Result<void>(base::Url site)>;
  SiteListParser(std::string_view name, Use use) : name_(name), use_(std::move(use)) {}

  base::Result<void> add(std::string_view text);
  base::Result<void> end();

 private:
  base::Result<void> use_line(std::string_view line);

  std::string name_;
  Use use_;
  std::string begun_;  ///< a line whose end is missing
  std::size_t number_ = 0;
};

/// The same for a whole list.
base::Result<std::vector<base::Url>> parse_site_list(std::string_view text, std::string_view name);

}  // namespace sheaf::pull
