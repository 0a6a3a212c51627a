#pragma once

#include "sheaf/model/collection.h"
#include "sheaf/site/advertised.h"

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::serve {

/// Whether a file's name says that it is a collection: .scp, .scp.gz, .scp.zst.
bool is_collection_name(std::string_view name) noexcept;

/// The Content-Type of an ordinary file by its extension in any case; application/octet-stream if it is
/// unknown.
std::string_view content_type_of(std::string_view name) noexcept;

/// Cache-Control of a collection, SCP 0.1 "Caching": a snapshot may be used until the next one is due and a
/// while longer, a delta is asked for again sooner and never used stale. Without an update frequency, because
/// no sitemap names the section: as if hourly.
std::string cache_control_of(model::CollectionType type, std::optional<site::UpdateFreq> freq);

/// Of every other file. The sitemap is among them and must not hide new deltas for long.
constexpr std::string_view kPlainCacheControl = "public, max-age=60";

}  // namespace sheaf::serve
