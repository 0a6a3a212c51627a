#include "sheaf/publish/state_folder.h"

#include "sheaf/site/page_identity.h"

#include <fmt/format.h>

#include <optional>
#include <string>

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

}  // namespace sheaf::publish
