#pragma once

#include <filesystem>
#include <string_view>

namespace sheaf::exporting {

/// Where a page's file lies below a folder: `example.com/docs/start.md` for https://example.com/docs/start.
/// `site` is the site that the store has the page from, `extension` begins with a dot and is in lower case.
///
/// No two pages have the same file, and no file has the name of a folder, also on file systems that take
/// upper and lower case for the same. Names are such that every common file system takes them, and they lead
/// nowhere outside of the folder. URLs whose parts are plain (https, lower case, no port but the default, no
/// query, ...) are spelt out. Every other name ends in `~` and a hash of site and URL, 128 bits of SHA-256,
/// so that nobody can choose a URL that takes the file of another.
std::filesystem::path page_file_name(std::string_view site, std::string_view url, std::string_view extension);

}  // namespace sheaf::exporting
