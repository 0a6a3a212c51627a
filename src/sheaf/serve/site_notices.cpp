#include "sheaf/serve/site_notices.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/percent_encoding.h"
#include "sheaf/base/url.h"
#include "sheaf/site/sitemap.h"

#include <fmt/format.h>

namespace sheaf::serve {
namespace {

constexpr std::size_t kMostChildren = 1'000;

class Collector final : public site::SitemapSink {
 public:
  Collector(SiteNotices& notices, std::string sitemap) : notices_(notices), sitemap_(std::move(sitemap)) {}

  site::Reading on_child(const site::ChildSitemap& entry) override {
    if (children.size() < kMostChildren) children.emplace_back(entry.loc);
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
  SiteNotices& notices_;
  std::string sitemap_;
};

/// The sitemaps listed by this one, if it is an index.
std::vector<std::string> read_one(const Folder& folder, const std::string& path, SiteNotices& notices) {
  const std::string name = folder.relative_of(path).value_or(path);
  const Found found = folder.find(path);
  if (found.lookup != Lookup::file) {
    if (found.lookup != Lookup::missing || path != folder.address_of(kSitemapName))
      notices.problems.push_back(fmt::format("{} cannot be read", name));
    return {};
  }
  if (path == folder.address_of(kSitemapName)) notices.has_sitemap = true;
  Collector collector(notices, name);
  const auto source = base::descriptor_source(found.file.get(), name);
  const auto summary = site::read_sitemap(*source, {}, collector);
  if (!summary) notices.problems.push_back(summary.error().message);
  return std::move(collector.children);
}

}  // namespace

std::optional<std::string> path_of_url(std::string_view url) {
  const auto parsed = base::Url::parse(url);
  if (!parsed) return std::nullopt;
  return base::percent_decode(parsed->path());
}

std::optional<site::UpdateFreq> SiteNotices::frequency_of(std::string_view section) const {
  for (const auto& entry : sections)
    if (entry.name == section && entry.update_freq) return entry.update_freq;
  return std::nullopt;
}

SiteNotices read_notices(const Folder& folder) {
  SiteNotices notices;
  const std::string sitemap = folder.address_of(kSitemapName);
  for (const std::string& child : read_one(folder, sitemap, notices)) {
    const auto path = path_of_url(child);
    // sitemaps.org does not allow nested indexes, so one level is enough.
    if (path && *path != sitemap) read_one(folder, *path, notices);
  }
  return notices;
}

}  // namespace sheaf::serve
