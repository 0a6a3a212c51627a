#include "sheaf/cli/sites/site_list_file.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace sheaf::cli {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{64} << 20;
constexpr std::size_t kSortMemory = std::size_t{8} << 20;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;

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
    SHEAF_TRY_ASSIGN(auto site, pull::parse_site_url(text));
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

SortedSites::SortedSites() : sort_(kSortMemory, std::filesystem::path()) {}

base::Result<void> SortedSites::add(const base::Url& site) {
  // Numbered, because the first of several sites with one origin counts.
  return sort_.add(fmt::format("{}\n{:020}", site.origin(), count_++), site.href());
}

base::Result<SortedSites> SortedSites::read(const std::vector<std::string>& named, const std::string& list) {
  SortedSites sites;
  for (const std::string& text : named) {
    SHEAF_TRY_ASSIGN(const auto site, pull::parse_site_url(text));
    SHEAF_TRY(sites.add(site));
  }
  if (!list.empty()) {
    pull::SiteListParser parser(list, [&](const base::Url& site) { return sites.add(site); });
    SHEAF_TRY_ASSIGN(const auto source, base::open_source(list));
    std::string buffer(kReadBytes, '\0');
    while (true) {
      SHEAF_TRY_ASSIGN(const std::size_t count, source->read(buffer));
      if (count == 0) break;
      SHEAF_TRY(parser.add(std::string_view(buffer).substr(0, count)));
    }
    SHEAF_TRY(parser.end());
    if (sites.empty()) return base::fail(base::Errc::invalid_argument, fmt::format("{} names no site", list));
  }
  SHEAF_TRY(sites.sort_.sort());
  return sites;
}

base::Result<std::optional<base::Url>> SortedSites::next() {
  while (true) {
    SHEAF_TRY_ASSIGN(const auto entry, sort_.next());
    if (!entry) return std::nullopt;
    const std::string_view origin = entry->key.substr(0, entry->key.find('\n'));
    if (origin == last_) continue;
    last_ = origin;
    return base::Url::parse(entry->text);
  }
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
