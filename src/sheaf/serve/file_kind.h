#pragma once

#include <string_view>

namespace sheaf::serve {

/// Whether a file name or path belongs to a collection: .scp, .scp.gz, .scp.zst.
bool is_collection_name(std::string_view name) noexcept;

/// The Content-Type of a file that is not a collection, by its extension (case-insensitive);
/// application/octet-stream if unknown.
std::string_view content_type_of(std::string_view name) noexcept;

/// Cache-Control of files that are not collections. Short, because a cached sitemap hides new deltas.
constexpr std::string_view kPlainCacheControl = "public, max-age=60";

}  // namespace sheaf::serve
