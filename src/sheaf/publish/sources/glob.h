#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// Whether a path with slashes matches a pattern: `*` is anything but a slash, `**` anything at all, `?` one
/// character but a slash; everything else is itself. A pattern without a slash may match any last part of the
/// path ("*.tmp", "drafts"), one that ends in a slash everything below. Takes time by the product of the
/// sizes, never more.
bool matches_glob(std::string_view pattern, std::string_view path);

/// Whether a path is meant: by some of `include` (all, if there are none) and by none of `exclude`.
bool is_selected(std::string_view path, std::span<const std::string> include,
                 std::span<const std::string> exclude);

}  // namespace sheaf::publish
