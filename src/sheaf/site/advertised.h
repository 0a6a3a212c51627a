#pragma once

#include "sheaf/model/collection.h"
#include <sheaf/sitemap.h>
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The namespace of the SCP elements in a sitemap (drafts, "Sitemap XML Schema Definition").
inline constexpr std::string_view kScpNamespace = "https://scp-protocol.org/schemas/sitemap/1.0";
/// The namespace of our extension, the element `key`: the schema of the drafts does not have it.
inline constexpr std::string_view kSheafNamespace = "urn:x-sheaf:sitemap:1";
/// The namespace of sitemaps themselves (sitemaps.org).
inline constexpr std::string_view kSitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

using sheaf::Advertised;
using sheaf::AdvertisedCollection;
using sheaf::AdvertisedKey;
using sheaf::AdvertisedSection;
using sheaf::PageCount;
using sheaf::to_string;
using sheaf::UpdateFreq;

std::optional<UpdateFreq> parse_update_freq(std::string_view text) noexcept;
/// The time between two updates: an hour, a day, 7 days, 30 days.
std::int64_t seconds_of(UpdateFreq freq) noexcept;

/// Cache-Control of a collection, SCP 0.1 "Caching": a snapshot may be cached until the next one is due and
/// served stale for a while. A delta is revalidated sooner and not served stale.
std::string cache_control_of(model::CollectionType type, UpdateFreq freq);

std::string to_string(PageCount count);
std::optional<PageCount> parse_page_count(std::string_view text) noexcept;

}  // namespace sheaf::site
