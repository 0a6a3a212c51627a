#include "sheaf/serve/folder_sitemaps.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/sitemap.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sheaf::serve {
namespace {

constexpr std::string_view kRobotsName = "robots.txt";
constexpr std::size_t kMaxChildren = 1'000;
constexpr std::size_t kMaxWatched = 100;  // maximum, because each costs a system call per second

class Collector final : public site::SitemapSink {
 public:
  Collector(FolderSitemaps& notices, std::string sitemap) : notices_(notices), sitemap_(std::move(sitemap)) {}

  site::Reading on_child(const site::ChildSitemap& entry) override {
    if (children.size() < kMaxChildren) children.emplace_back(entry.loc);
    return site::Reading::go_on;
  }
  void on_section(const site::AdvertisedSection& section) override { notices_.sections.push_back(section); }
  void on_collection(const site::AdvertisedCollection& collection) override {
    notices_.notices.push_back({collection, sitemap_, path_of_url(collection.url).value_or("")});
  }
  void on_finding(const site::SitemapFinding& finding) override {
    notices_.problems.push_back(finding.line == 0
                                    ? fmt::format("{}: {}", sitemap_, finding.message)
                                    : fmt::format("{} line {}: {}", sitemap_, finding.line, finding.message));
  }

  std::vector<std::string> children;

 private:
  FolderSitemaps& notices_;
  std::string sitemap_;
};

/// Reads each sitemap once, even if it is named several times.
class NoticeReader {
 public:
  explicit NoticeReader(const Folder& folder) : folder_(folder) {}

  FolderSitemaps run() {
    const std::vector<std::string> named = named_by_robots();
    read_with_children(folder_.address_of(kSitemapName), Missing::ignore);
    // A missing sitemap may be on another host, or made by another program.
    for (const std::string& path : named) read_with_children(path, Missing::ignore);
    return std::move(notices_);
  }

 private:
  enum class Missing { ignore, report };

  void watch(const std::string& path) {
    if (notices_.files.size() < kMaxWatched) notices_.files.push_back({path, folder_.version_at(path)});
  }

  std::vector<std::string> named_by_robots() {
    const std::string robots = folder_.address_of(kRobotsName);
    watch(robots);
    const Found found = folder_.find(robots);
    if (found.lookup != Lookup::file) return {};
    const auto source = base::descriptor_source(found.file.get(), std::string(kRobotsName));
    const auto bytes = base::read_up_to(*source, site::kRobotsBytes);
    if (!bytes) return {};
    // A variable, because with g++ 12 a temporary is destroyed before the loop.
    const site::RobotsTxt robots_txt = site::RobotsTxt::parse(*bytes);
    std::vector<std::string> paths;
    for (const std::string& url : robots_txt.sitemaps())
      if (auto path = path_of_url(url); path && paths.size() < kMaxChildren)
        paths.push_back(std::move(*path));
    return paths;
  }

  void read_with_children(const std::string& path, Missing missing) {
    for (const std::string& child : read(path, missing)) {
      const auto path_of_child = path_of_url(child);
      // sitemaps.org does not allow nested indexes, so one level is enough.
      if (path_of_child) read(*path_of_child, Missing::report);
    }
  }

  /// Reads one sitemap. Returns the sitemaps that it lists, if it is an index.
  std::vector<std::string> read(const std::string& path, Missing missing) {
    if (!seen_.insert(path).second) return {};
    watch(path);
    const std::string name = folder_.relative_of(path).value_or(path);
    const Found found = folder_.find(path);
    if (found.lookup != Lookup::file) {
      if (found.lookup != Lookup::missing || missing == Missing::report)
        notices_.problems.push_back(fmt::format("{} cannot be read", name));
      return {};
    }
    notices_.has_sitemap = true;
    Collector collector(notices_, name);
    const auto source = base::descriptor_source(found.file.get(), name);
    const auto summary = site::read_sitemap(*source, {}, collector);
    if (!summary) notices_.problems.push_back(summary.error().message);
    return std::move(collector.children);
  }

  const Folder& folder_;
  FolderSitemaps notices_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<std::string> path_of_url(std::string_view url) {
  const auto parsed = base::Url::parse(url);
  if (!parsed) return std::nullopt;
  return base::percent_decode(parsed->path());
}

std::optional<site::UpdateFreq> FolderSitemaps::frequency_of(std::string_view section) const {
  for (const auto& entry : sections)
    if (entry.name == section && entry.update_freq) return entry.update_freq;
  return std::nullopt;
}

FolderSitemaps read_notices(const Folder& folder) { return NoticeReader(folder).run(); }

bool is_outdated(const FolderSitemaps& notices, const Folder& folder) {
  return std::ranges::any_of(
      notices.files, [&](const NoticeFile& file) { return folder.version_at(file.path) != file.version; });
}

}  // namespace sheaf::serve
