#include "sheaf/cli/options/site_list_file.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace sheaf::cli {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{64} << 20;

}  // namespace

base::Result<std::vector<base::Url>> read_site_list(const std::string& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, kListBytes));
  if (text.size() > kListBytes)
    return base::fail(base::Errc::invalid_data, fmt::format("{} is longer than {} bytes", file, kListBytes));
  return pull::parse_site_list(text, file);
}

base::Result<std::vector<base::Url>> read_sites(const std::vector<std::string>& named,
                                                const std::string& list) {
  std::vector<base::Url> sites;
  for (const std::string& text : named) {
    SHEAF_TRY_ASSIGN(auto site, pull::parse_site_address(text));
    sites.push_back(std::move(site));
  }
  if (!list.empty()) {
    SHEAF_TRY_ASSIGN(auto listed, read_site_list(list));
    std::ranges::move(listed, std::back_inserter(sites));
    if (sites.empty()) return base::fail(base::Errc::invalid_argument, fmt::format("{} names no site", list));
  }
  std::set<std::string> seen;
  std::erase_if(sites, [&](const base::Url& site) { return !seen.insert(site.origin()).second; });
  return sites;
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
