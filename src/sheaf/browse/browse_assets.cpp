#include "sheaf/browse/browse_assets.h"

#include "sheaf/base/hash.h"

#include <algorithm>

namespace sheaf::browse {

const Asset* find_asset(std::string_view name) {
  const auto* const found = std::ranges::find(kAssets, name, &Asset::name);
  return found == kAssets.end() ? nullptr : found;
}

markup::OwnPath asset_path(markup::Literal name) {
  const Asset* asset = find_asset(name.text());
  const std::uint64_t version = asset == nullptr ? 0 : base::keyed_hash(base::HashKey{}, asset->bytes);
  return markup::OwnPath("/asset").with("name", name.text()).with("v", version);
}

}  // namespace sheaf::browse
