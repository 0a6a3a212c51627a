#pragma once

#include <string_view>

namespace sheaf::serve {

/// Whether a file's name says that it is a collection: .scp, .scp.gz, .scp.zst.
bool is_collection_name(std::string_view name) noexcept;

/// The Content-Type of an ordinary file by its extension in any case; application/octet-stream if it is
/// unknown.
std::string_view content_type_of(std::string_view name) noexcept;

/// Cache-Control of everything that is no collection. The sitemap is among them and must not hide new deltas
/// for long.
constexpr std::string_view kPlainCacheControl = "public, max-age=60";

}  // namespace sheaf::serve
