#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// Whether a path with slashes matches a pattern. `*` matches any characters except a slash, `**` any
/// characters, and `?` one character except a slash; everything else matches itself. A pattern without a
/// slash matches any single part of the path ("*.tmp", "drafts"). A pattern that ends in a slash matches
/// everything below. The time is at most proportional to the product of the sizes.
bool matches_glob(std::string_view pattern, std::string_view path);

/// Whether a path matches at least one pattern of `include` (or that is empty), and none of `exclude`.
bool is_selected(std::string_view path, std::span<const std::string> include,
                 std::span<const std::string> exclude);

}  // namespace sheaf::publish
