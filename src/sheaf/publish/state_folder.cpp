#include "sheaf/publish/state_folder.h"

#include "sheaf/site/page_identity.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

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

base::Result<fs::path> find_state(const PublishConfig& config) {
  std::error_code error;
  const fs::path& former = config.former_state;
  // The state folder of a sheaf.toml has the same name and must not be moved.
  if (former.empty() || fs::exists(config.state, error) || !fs::exists(former / "CURRENT", error) ||
      fs::exists(former.parent_path() / "sheaf.toml", error))
    return config.state;
  SHEAF_TRY_ASSIGN(const auto catalog, Catalog::open(former));
  SHEAF_TRY_ASSIGN(const auto sections, catalog.sections());
  return sections.empty() || !check_owner(catalog, config) ? config.state : former;
}

base::Result<void> adopt_former_state(const PublishConfig& config) {
  SHEAF_TRY_ASSIGN(const fs::path found, find_state(config));
  if (found == config.state) return {};
  std::error_code error;
  fs::rename(found, config.state, error);
  if (error)
    return std::unexpected(base::system_error(
        error.value(),
        fmt::format("cannot move the state folder {} to {}", found.string(), config.state.string())));
  return {};
}

}  // namespace sheaf::publish
