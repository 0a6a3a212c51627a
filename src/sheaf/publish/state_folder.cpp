#include "sheaf/publish/state_folder.h"

#include "sheaf/base/file.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>

namespace sheaf::publish {
namespace {

/// A published page that cannot belong to this site, because publish only accepts pages of the base URL's
/// site; nullopt if there is none.
base::Result<std::optional<std::string>> find_foreign_page(const Catalog& catalog,
                                                           const PublishConfig& config) {
  std::optional<std::string> foreign;
  SHEAF_TRY_ASSIGN(const auto sections, catalog.sections());
  for (const std::string& section : sections)
    SHEAF_TRY(catalog.each_page(section, [&](const CatalogEntry& page) -> base::Result<void> {
      if (foreign || page.removed_at) return {};
      const auto url = base::Url::parse(page.url);
      if (!url || !site::is_same_site(*url, *config.base)) foreign = page.url;
      return {};
    }));
  return foreign;
}

std::unexpected<base::Error> refuse(const PublishConfig& config, std::string_view found) {
  return base::fail(
      base::Errc::refused,
      fmt::format("the state folder {} {}, but the base is {}; give each site a state folder and an output "
                  "folder of its own; if the site has moved, move {} and the collections in {} away and "
                  "publish again",
                  config.state.string(), found, config.base->href(), config.state.string(),
                  config.out.string()));
}

}  // namespace

base::Result<void> check_owner(const Catalog& catalog, const PublishConfig& config) {
  SHEAF_TRY_ASSIGN(const auto owner, catalog.owner());
  if (owner) {
    if (*owner == config.base->href()) return {};
    return refuse(config, fmt::format("belongs to {}", *owner));
  }
  SHEAF_TRY_ASSIGN(const auto foreign, find_foreign_page(catalog, config));
  if (foreign) return refuse(config, fmt::format("holds a page of another site, {}", *foreign));
  return {};
}

base::Result<void> claim(Catalog& catalog, const PublishConfig& config) {
  SHEAF_TRY(check_owner(catalog, config));
  SHEAF_TRY_ASSIGN(const auto owner, catalog.owner());
  return owner ? base::Result<void>() : catalog.set_owner(config.base->href());
}

namespace {

namespace fs = std::filesystem;

fs::path kept_folder(const PublishConfig& config) { return config.state / "collections"; }

void remove_others(const fs::path& folder, const std::set<std::string>& names) {
  std::error_code error;
  std::vector<fs::path> others;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!names.contains(it->path().filename().string())) others.push_back(it->path());
  for (const fs::path& other : others) fs::remove(other, error);
}

}  // namespace

void keep_collections(const PublishConfig& config, const std::vector<SectionRelease>& sections) {
  const fs::path folder = kept_folder(config);
  std::error_code error;
  fs::create_directories(folder, error);
  std::set<std::string> names;
  for (const SectionRelease& section : sections)
    for (const PublishedFile& file : section.state.files) {
      const std::string name = to_string(file.name);
      names.insert(name);
      if (!fs::exists(folder / name, error)) fs::create_hard_link(config.out / name, folder / name, error);
    }
  remove_others(folder, names);
}

bool restore_collection(const PublishConfig& config, const std::string& name, std::uint64_t size,
                        RestoreMode mode) {
  const fs::path kept = kept_folder(config) / name;
  std::error_code error;
  if (fs::file_size(kept, error) != size || error) return false;
  if (mode == RestoreMode::look) return true;
  if (!base::make_folder(config.out)) return false;
  fs::remove(config.out / name, error);
  fs::create_hard_link(kept, config.out / name, error);
  return !error;
}

namespace {

constexpr std::uint64_t kPlaceBytes = 4096;

std::filesystem::path last_place_file(const PublishConfig& config) { return config.state / "delivered-to"; }

}  // namespace

base::Result<std::string> read_last_delivery(const PublishConfig& config) {
  const std::filesystem::path file = last_place_file(config);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::string();
  return base::read_regular_file(file.string(), kPlaceBytes);
}

base::Result<void> write_last_delivery(const PublishConfig& config, const std::string& place) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(last_place_file(config)));
  SHEAF_TRY(out.write(place));
  return out.commit();
}

}  // namespace sheaf::publish
