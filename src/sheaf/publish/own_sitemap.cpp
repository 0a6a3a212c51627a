#include "sheaf/publish/own_sitemap.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/publish/config/sitemap_mark.h"
#include "sheaf/publish/release.h"
#include "sheaf/site/scp_markup.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_merge.h"

#include <fmt/format.h>

namespace sheaf::publish {
namespace {

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The comment is before the root element, because the SCP elements are inserted right after the root's start
/// tag.
std::string document(std::string_view root, std::string_view entries, bool with_mark) {
  return fmt::format("{0}{1}<{2} xmlns=\"{3}\">\n{4}</{2}>\n", kDeclaration,
                     with_mark ? fmt::format("{}\n", kOwnSitemapMark) : "", root, site::kSitemapNamespace,
                     entries);
}

std::string urlset_of(std::string_view entries, bool with_mark) {
  return document("urlset", entries, with_mark);
}

std::string part_name(std::size_t number) { return fmt::format("sitemap-pages-{}.xml", number); }

/// Collects entries, and writes a part when it is full.
class PageList {
 public:
  PageList(Target& target, const PageListLimits& limits) : target_(target), limits_(limits) {}

  base::Result<void> add(std::string_view url, std::string_view modified) {
    const std::string entry = fmt::format("  <url><loc>{}</loc><lastmod>{}</lastmod></url>\n",
                                          site::escape_xml(url), site::escape_xml(modified));
    if (urls_ >= limits_.urls || entries_.size() + entry.size() + kAround > limits_.bytes)
      SHEAF_TRY(end_part());
    entries_ += entry;
    ++urls_;
    return {};
  }

  base::Result<void> end_part() {
    const std::string name = part_name(++parts_);
    const std::string bytes = urlset_of(entries_, false);
    SHEAF_TRY_ASSIGN(const std::string before, target_.read_beside_sitemap(name));
    if (before != bytes) {
      SHEAF_TRY(target_.put_beside_sitemap(name, bytes));
      changed_ = true;
    }
    entries_.clear();
    urls_ = 0;
    return {};
  }

  [[nodiscard]] std::size_t parts() const { return parts_; }
  [[nodiscard]] const std::string& entries() const { return entries_; }
  [[nodiscard]] bool has_changed() const { return changed_; }

 private:
  static constexpr std::size_t kAround = 1024;  // room for the element around the entries

  Target& target_;
  const PageListLimits& limits_;
  std::string entries_;
  std::size_t urls_ = 0;
  std::size_t parts_ = 0;
  bool changed_ = false;
};

std::string index_of(const PublishConfig& config, std::size_t parts) {
  std::string entries;
  const auto add = [&](std::string_view name) {
    entries += fmt::format("  <sitemap><loc>{}</loc></sitemap>\n",
                           site::escape_xml(sitemap_sibling_url(config, name)));
  };
  for (std::size_t i = 1; i <= parts; ++i) add(part_name(i));
  if (config.sitemap_mode == SitemapMode::inline_elements) add(kSheafSitemapName);
  return document("sitemapindex", entries, true);
}

bool is_index(std::string_view sitemap) { return sitemap.contains("<sitemapindex"); }

/// The elements for the sitemap: the existing ones if they are current.
base::Result<site::Advertised> elements_of(const std::string& existing, const site::Advertised& advertised,
                                           ElementsThere there) {
  if (there == ElementsThere::outdated || existing.empty() || is_index(existing)) return advertised;
  const auto source = base::buffer_source(existing);
  SHEAF_TRY_ASSIGN(site::AdvertisedSitemap read, site::read_advertised(*source));
  return std::move(read.advertised);
}

}  // namespace

base::Result<bool> list_pages(Target& target, const PublishConfig& config, const site::Advertised& advertised,
                              const EachPage& pages, ElementsThere there, const PageListLimits& limits) {
  SHEAF_TRY_ASSIGN(const std::string existing, target.read_sitemap());
  if (existing.empty() ? advertised.empty() : !is_own_sitemap(existing)) return false;
  PageList list(target, limits);
  SHEAF_TRY(pages([&](std::string_view url, std::string_view modified) { return list.add(url, modified); }));
  const bool is_inline = config.sitemap_mode == SitemapMode::inline_elements;
  std::string wanted;
  if (list.parts() == 0) {
    wanted = urlset_of(list.entries(), true);
    if (is_inline) {
      SHEAF_TRY_ASSIGN(const site::Advertised elements, elements_of(existing, advertised, there));
      SHEAF_TRY_ASSIGN(auto merged, site::merge_advertised(wanted, elements));
      wanted = std::move(merged.bytes);
    }
  } else {
    SHEAF_TRY(list.end_part());
    // An index cannot have our elements. They are in a separate file, which the index lists. If there was an
    // index already, update_sitemap() has written that file.
    if (is_inline && !is_index(existing)) SHEAF_TRY(write_separate_sitemap(target, advertised));
    wanted = index_of(config, list.parts());
  }
  if (wanted == existing) return list.has_changed();
  SHEAF_TRY(target.put_sitemap(wanted));
  return true;
}

}  // namespace sheaf::publish
