#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Parses lists of sites that users write.
namespace sheaf::pull {

/// Parses the URL of a site or of one of its sitemaps. Without a scheme it is https.
base::Result<base::Url> parse_site_url(std::string_view text);

/// Reads a list piece by piece, one site per line. Ignores empty lines and comments: a # at the start of a
/// line or after a blank. Error messages begin with `name` and the line number.
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
  std::string begun_;  ///< an incomplete line
  std::size_t number_ = 0;
};

/// Parses a complete list.
base::Result<std::vector<base::Url>> parse_site_list(std::string_view text, std::string_view name);

}  // namespace sheaf::pull
