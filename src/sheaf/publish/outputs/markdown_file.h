#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// A comment in every file that publish makes as an output. A file without it was made by another program and
/// is not touched.
inline constexpr std::string_view kOutputMark = "<!-- made by sheaf publish -->";

/// The file for the Markdown of a page, relative to the folder whose URL is `folder` (with a trailing slash):
/// guide/index.html.md for /guide/, about.html.md for /about.html and about.md for /about, as llms.txt
/// readers expect it. Returns nullopt if the URL is not below the folder, has a query, or has a part that
/// cannot be the name of a file.
std::optional<std::string> markdown_file_of(std::string_view url, std::string_view folder);

}  // namespace sheaf::publish
