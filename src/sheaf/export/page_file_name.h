#pragma once

#include <filesystem>
#include <string_view>

namespace sheaf::exporting {

/// Where a page's file lies below a folder: host, path and query of its address, in names that every file
/// system takes and that lead nowhere else. Different addresses have different names. `extension` begins with
/// a dot.
std::filesystem::path page_file_name(std::string_view url, std::string_view extension);

}  // namespace sheaf::exporting
