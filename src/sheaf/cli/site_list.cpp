#include "sheaf/cli/site_list.h"

#include "sheaf/base/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::cli {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{64} << 20;
constexpr std::string_view kBlanks = " \t\r";

/// The line without its comment and the blanks around it. An address may have a # in it, but not after a
/// blank.
std::string_view site_in(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || line[begin] == '#') return {};
  line.remove_prefix(begin);
  return line.substr(0, line.find_first_of(kBlanks));
}

}  // namespace

base::Result<base::Url> parse_site_address(const std::string& text) {
  const std::string address = text.find("://") == std::string::npos ? "https://" + text : text;
  auto url = base::Url::parse(address);
  if (!url)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{} is no site: give its address, as https://example.com", text));
  return url->without_fragment();
}

base::Result<void> read_site_list(const std::string& file, std::vector<base::Url>& sites) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, kListBytes));
  if (text.size() > kListBytes)
    return base::fail(base::Errc::invalid_data, fmt::format("{} is longer than {} bytes", file, kListBytes));
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    const std::string_view named = site_in(line);
    if (named.empty()) continue;
    const std::size_t rest = line.find_first_not_of(kBlanks, line.find(named) + named.size());
    if (rest != std::string_view::npos && line[rest] != '#')
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} line {}: one site a line, found more: {}", file, number, line));
    auto site = parse_site_address(std::string(named));
    if (!site)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} line {}: {}", file, number, site.error().message));
    sites.push_back(std::move(*site));
  }
  return {};
}

std::optional<FileWatch::Signature> FileWatch::look() const {
  std::error_code gone;
  Signature now;
  now.written = std::filesystem::last_write_time(file_, gone);
  if (!gone) now.bytes = std::filesystem::file_size(file_, gone);
  return gone ? std::nullopt : std::optional(now);
}

bool FileWatch::has_changed() {
  const auto now = look();
  if (!now || now == seen_) return false;
  seen_ = now;
  return true;
}

}  // namespace sheaf::cli
