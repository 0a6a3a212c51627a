#include "sheaf/publish/sources/listed_times.h"

#include "sheaf/base/escaping.h"
#include "sheaf/base/file.h"
#include "sheaf/publish/config/sitemap_mark.h"
#include "sheaf/site/sitemap.h"

#include <algorithm>
#include <string>

namespace sheaf::publish {
namespace {

constexpr std::size_t kMaxTimes = 5'000'000;  // 80 MB; further pages use the times of their files
constexpr std::size_t kMaxChildren = 10'000;

/// The local file for a sitemap's URL, if it is in the folder of the main sitemap or below.
std::optional<std::filesystem::path> file_beside(const std::filesystem::path& sitemap,
                                                 const base::Url& sitemap_url, std::string_view address) {
  const auto url = base::Url::parse(address);
  if (!url || url->origin() != sitemap_url.origin()) return std::nullopt;
  const std::string_view own = sitemap_url.path();
  const std::string_view folder = own.substr(0, own.rfind('/') + 1);
  if (!url->path().starts_with(folder)) return std::nullopt;
  const std::filesystem::path name = base::percent_decode(url->path().substr(folder.size()));
  // An encoded ".." or "/" could lead out of the folder.
  if (name.empty() || name.is_absolute() || std::ranges::find(name, "..") != name.end()) return std::nullopt;
  return sitemap.parent_path() / name;
}

/// A sitemap that publish itself made says nothing about when pages changed.
bool is_made_by_publish(const std::filesystem::path& sitemap) {
  const auto start = base::read_regular_file(sitemap.string(), kOwnSitemapStart - 1);
  return start && is_own_sitemap(*start);
}

}  // namespace

class ListedTimes::Reader final : public site::SitemapSink {
 public:
  explicit Reader(ListedTimes& times) : times_(times) {}

  void read(const std::filesystem::path& file, const base::Url* url) {
    const auto source = base::open_regular_file(file.string());
    if (source) (void)site::read_sitemap(**source, {}, *this, url);
  }

  site::Reading on_url(const site::SitemapUrl& entry) override {
    if (!entry.lastmod_at) return site::Reading::go_on;
    const auto url = base::Url::parse(entry.loc);
    if (url) times_.entries_.push_back({times_.hash(url->href()), entry.lastmod_at->seconds});
    return times_.entries_.size() < kMaxTimes ? site::Reading::go_on : site::Reading::stop;
  }
  site::Reading on_child(const site::ChildSitemap& entry) override {
    children.emplace_back(entry.loc);
    return children.size() < kMaxChildren ? site::Reading::go_on : site::Reading::stop;
  }

  std::vector<std::string> children;

 private:
  ListedTimes& times_;
};

ListedTimes ListedTimes::read(const std::filesystem::path& sitemap, const base::Url& sitemap_url) {
  ListedTimes times;
  if (is_made_by_publish(sitemap)) return times;
  Reader index(times);
  index.read(sitemap, &sitemap_url);
  for (const std::string& child : index.children) {
    // sitemaps.org does not allow an index within an index, so one level is enough.
    const auto file = file_beside(sitemap, sitemap_url, child);
    if (file && times.entries_.size() < kMaxTimes) Reader(times).read(*file, nullptr);
  }
  std::ranges::sort(times.entries_, {}, &Entry::url);
  times.entries_.shrink_to_fit();
  return times;
}

std::uint64_t ListedTimes::hash(std::string_view url) const { return base::keyed_hash(key_, url); }

std::optional<Instant> ListedTimes::at(std::string_view url) const {
  const auto found = std::ranges::lower_bound(entries_, hash(url), {}, &Entry::url);
  if (found == entries_.end() || found->url != hash(url)) return std::nullopt;
  return Instant{found->seconds, 0};
}

}  // namespace sheaf::publish
