#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// Whether a path with slashes matches a pattern: `*` is anything but a slash, `**` anything at all, `?` one
/// character but a slash; everything else matches itself. A pattern without a slash may match any last part
/// of the path ("*.tmp", "drafts"), one that ends in a slash everything below. The time is at most
/// proportional to the product of the sizes.
bool matches_glob(std::string_view pattern, std::string_view path);

/// Whether a path matches one of `include` (or that is empty) and none of `exclude`.
bool is_selected(std::string_view path, std::span<const std::string> include,
                 std::span<const std::string> exclude);

}  // namespace sheaf::publish
