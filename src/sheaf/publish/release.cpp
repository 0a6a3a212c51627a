#include "sheaf/publish/release.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/publish/config/sitemap_mark.h"
#include "sheaf/publish/merge_plan.h"
#include "sheaf/site/scp_elements.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace sheaf::publish {
namespace {

/// A name for the period of a delta: its day, or its hour for hourly deltas. For a merged delta it is an ISO
/// 8601 interval.
std::string period_of(const CollectionName& name, site::UpdateFreq update) {
  const std::size_t size = update == site::UpdateFreq::hourly ? 13 : 10;
  const std::string end = format_time(name.generated).substr(0, size);
  return name.since ? format_time(*name.since).substr(0, size) + "/" + end : end;
}

site::AdvertisedCollection advertise_file(const PublishConfig& config, const SectionRelease& section,
                                          const PublishedFile& file, Instant now) {
  site::AdvertisedCollection entry;
  entry.type = file.name.type;
  entry.section = section.name;
  entry.url = config.collections_url + to_string(file.name);
  entry.generated = file.name.generated;
  entry.expires = expiry_of(file.name, section.update, config.retention, now);
  entry.pages = file.pages;
  entry.size = file.bytes;
  if (file.name.type == model::CollectionType::delta) {
    entry.since = file.since;
    entry.period = period_of(file.name, section.update);
  }
  return entry;
}

void take_notes(const site::MergedSitemap& merged, SitemapChange& change) {
  for (const site::SitemapFinding& finding : merged.findings) change.notes.push_back(finding.message);
}

/// Removes our elements from the site's sitemap, where an earlier run in another mode may have put them.
base::Result<void> remove_elements(Target& target, const std::string& existing, SitemapChange& change) {
  if (existing.empty()) return {};
  const auto source = base::buffer_source(existing);
  SHEAF_TRY_ASSIGN(const site::AdvertisedSitemap there, site::read_advertised(*source));
  if (there.advertised.empty()) return {};
  SHEAF_TRY_ASSIGN(const auto merged, site::merge_advertised(existing, {}));
  if (!merged.changed) return {};
  SHEAF_TRY(target.put_sitemap(merged.bytes));
  change.changed = true;
  return {};
}

}  // namespace

std::string sitemap_sibling_url(const PublishConfig& config, std::string_view name) {
  return config.sitemap_url.substr(0, config.sitemap_url.rfind('/') + 1) + std::string(name);
}

std::string advertised_sitemap_url(const PublishConfig& config) {
  return config.sitemap_mode == SitemapMode::separate ? sitemap_sibling_url(config, kSheafSitemapName)
                                                      : config.sitemap_url;
}

site::Advertised advertise(const PublishConfig& config, const std::vector<SectionRelease>& sections,
                           Instant now) {
  site::Advertised advertised;
  if (sections.empty()) return advertised;
  advertised.version = "0.1";
  for (const format::Codec codec : config.codecs)
    if (codec != format::Codec::plain) advertised.compression.emplace_back(format::to_string(codec));
  for (const SectionRelease& section : sections) {
    if (section.state.files.empty()) continue;
    advertised.sections.push_back(
        {section.name, section.update, site::PageCount{section.state.pages, false}, 0});
    for (const PublishedFile& file : section.state.files)
      advertised.collections.push_back(advertise_file(config, section, file, now));
  }
  // Snapshots come before deltas, as in the drafts, and the newest first: most clients need only that one.
  // Among deltas that end at the same time, the shortest comes first.
  std::ranges::stable_sort(advertised.collections, [](const auto& a, const auto& b) {
    return std::tie(a.type, b.generated, b.since) < std::tie(b.type, a.generated, a.since);
  });
  return advertised;
}

std::vector<std::string> retire(CatalogSection& state, const Retention& retention, Instant now) {
  std::vector<CollectionName> names;
  names.reserve(state.files.size());
  for (const PublishedFile& file : state.files) names.push_back(file.name);
  std::vector<CollectionName> kept = choose_kept(names, retention, now);
  if (!retention.merge_days.empty()) std::ranges::copy(choose_chain(state, now), std::back_inserter(kept));
  std::vector<std::string> gone;
  std::erase_if(state.files, [&](const PublishedFile& file) {
    if (std::ranges::find(kept, file.name) != kept.end()) return false;
    gone.push_back(to_string(file.name));
    return true;
  });
  return gone;
}

base::Result<bool> is_sitemap_current(Target& target, const PublishConfig& config,
                                      const site::Advertised& advertised, Instant now) {
  const bool separate = config.sitemap_mode == SitemapMode::separate;
  // A sitemap that does not change need not be one that publish could change.
  SHEAF_TRY_ASSIGN(std::string bytes, separate ? target.read_beside_sitemap(std::string(kSheafSitemapName))
                                               : target.read_sitemap());
  if (bytes.empty()) return advertised.empty();
  SHEAF_TRY_ASSIGN(const site::SitemapKind kind, site::kind_of_sitemap(bytes));
  if (kind == site::SitemapKind::index) {
    // update_sitemap() checks the index itself, and does not change it if it is right.
    SHEAF_TRY_ASSIGN(bytes, target.read_beside_sitemap(std::string(kSheafSitemapName)));
  }
  const auto source = base::buffer_source(bytes, config.sitemap.string());
  SHEAF_TRY_ASSIGN(site::AdvertisedSitemap there, site::read_advertised(*source));
  site::Advertised wanted = advertised;
  for (site::Advertised* each : {&there.advertised, &wanted}) {
    for (site::AdvertisedSection& section : each->sections) section.line = 0;
    for (site::AdvertisedCollection& collection : each->collections) collection.line = 0;
  }
  if (there.advertised.collections.size() != wanted.collections.size()) return false;
  for (std::size_t i = 0; i < wanted.collections.size(); ++i) {
    auto& expires = there.advertised.collections[i].expires;
    const site::AdvertisedSection* section = wanted.find_section(wanted.collections[i].section);
    const std::int64_t period = site::seconds_of(section->update_freq.value_or(site::UpdateFreq::daily));
    // For files that stay until they are replaced: the expiry is renewed when less than one period is left.
    const bool renew =
        wanted.collections[i].expires > expires && (!expires || expires->seconds < now.seconds + period);
    if (renew) return false;
    expires = wanted.collections[i].expires;
  }
  return there.advertised == wanted;
}

base::Result<bool> write_separate_sitemap(Target& target, const site::Advertised& advertised) {
  const std::string name(kSheafSitemapName);
  SHEAF_TRY_ASSIGN(const std::string before, target.read_beside_sitemap(name));
  SHEAF_TRY_ASSIGN(const std::string bytes, site::write_sitemap(advertised));
  if (bytes == before) return false;
  SHEAF_TRY(target.put_beside_sitemap(name, bytes));
  return true;
}

base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised) {
  SitemapChange change;
  SHEAF_TRY_ASSIGN(const std::string existing, target.read_sitemap());
  const bool is_left = existing.empty() || is_own_sitemap(existing);  // list_pages() writes it
  if (config.sitemap_mode == SitemapMode::separate) {
    SHEAF_TRY_ASSIGN(change.changed, write_separate_sitemap(target, advertised));
    if (!is_left) SHEAF_TRY(remove_elements(target, existing, change));
    return change;
  }
  if (existing.empty()) return change;
  SHEAF_TRY_ASSIGN(const site::SitemapKind kind, site::kind_of_sitemap(existing));
  if (is_left && kind != site::SitemapKind::index) return change;
  if (kind != site::SitemapKind::index) {
    SHEAF_TRY_ASSIGN(const auto merged, site::merge_advertised(existing, advertised));
    take_notes(merged, change);
    if (merged.changed) SHEAF_TRY(target.put_sitemap(merged.bytes));
    change.changed = merged.changed;
    return change;
  }
  // The file is written first, then the index that lists it.
  SHEAF_TRY_ASSIGN(change.changed, write_separate_sitemap(target, advertised));
  if (is_left) return change;
  SHEAF_TRY_ASSIGN(const auto index,
                   site::add_child_sitemap(existing, sitemap_sibling_url(config, kSheafSitemapName)));
  take_notes(index, change);
  if (index.changed) {
    SHEAF_TRY(target.put_sitemap(index.bytes));
    change.changed = true;
  }
  return change;
}

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
