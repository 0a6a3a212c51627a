#include "sheaf/pull/site_list.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

/// The part of a line to show in an error; lines may have any length.
std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 200;
  const std::string_view begin = base::cut_utf8(text, kShown);
  return fmt::format("{}{}", begin, begin.size() < text.size() ? "..." : "");
}

/// The site in a line, without comment and surrounding blanks. A URL may contain a #, so a comment in a line
/// begins after a blank.
std::string_view site_in(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || line[begin] == '#') return {};
  line.remove_prefix(begin);
  return line.substr(0, line.find_first_of(kBlanks));
}

bool has_more_than(std::string_view site, std::string_view line) {
  const auto behind = static_cast<std::size_t>(site.data() - line.data()) + site.size();
  const std::size_t rest = line.find_first_not_of(kBlanks, behind);
  return rest != std::string_view::npos && line[rest] != '#';
}

}  // namespace

base::Result<base::Url> parse_site_url(std::string_view text) {
  const bool has_scheme = text.find("://") != std::string_view::npos;
  if (base::is_slash_missing(text))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("{} is not a URL: two slashes go after the scheme, as in https://example.com",
                    shown(text)));
  auto url = base::Url::parse(fmt::format("{}{}", has_scheme ? "" : "https://", text));
  if (!url)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{} is not a site: give its URL, as https://example.com", shown(text)));
  return url->without_fragment();
}

base::Result<void> SiteListParser::use_line(std::string_view line) {
  ++number_;
  const std::string_view written = site_in(line);
  if (written.empty()) return {};
  if (has_more_than(written, line))
    return base::fail(base::Errc::invalid_data, fmt::format("{} line {}: one site per line, found more: {}",
                                                            name_, number_, shown(line)));
  auto site = parse_site_url(written);
  if (!site)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} line {}: {}", name_, number_, site.error().message));
  return use_(std::move(*site));
}

base::Result<void> SiteListParser::add(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    begun_ += text.substr(0, end);
    text.remove_prefix(end + 1);
    SHEAF_TRY(use_line(begun_));
    begun_.clear();
  }
  begun_ += text;
  if (begun_.size() <= kMaxLineBytes) return {};
  return base::fail(base::Errc::invalid_data, fmt::format("{} line {}: one site per line, found more: {}",
                                                          name_, number_ + 1, shown(begun_)));
}

base::Result<void> SiteListParser::end() { return begun_.empty() ? base::Result<void>() : use_line(begun_); }

base::Result<std::vector<base::Url>> parse_site_list(std::string_view text, std::string_view name) {
  std::vector<base::Url> sites;
  SiteListParser parser(name, [&](base::Url site) -> base::Result<void> {
    sites.push_back(std::move(site));
    return {};
  });
  SHEAF_TRY(parser.add(text));
  SHEAF_TRY(parser.end());
  return sites;
}

}  // namespace sheaf::pull
