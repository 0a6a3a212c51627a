#pragma once

#include <filesystem>
#include <string_view>

namespace sheaf::exporting {

/// Returns the relative path of a page's file: `example.com/docs/start.md` for
/// https://example.com/docs/start. `site` is the site from which the store got the page. `extension` begins
/// with a dot and is in lower case.
///
/// No two pages have the same file, and no file has the name of a folder, even on case-insensitive file
/// systems. The names are valid on all common file systems and stay inside the folder. Simple URLs (https,
/// lower case, default port, no query, ...) are used as they are. Any other name ends in `~` and a hash of
/// site and URL, 128 bits of SHA-256, so an attacker cannot choose a URL that overwrites another page's file.
std::filesystem::path page_file_name(std::string_view site, std::string_view url, std::string_view extension);

}  // namespace sheaf::exporting
