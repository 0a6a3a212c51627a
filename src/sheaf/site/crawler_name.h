#pragma once

#include <string>
#include <string_view>

namespace sheaf::site {

/// Whether a User-Agent says that it is not a browser: browsers begin with Mozilla and name no bot. False for
/// an empty one.
bool names_crawler(std::string_view user_agent);

/// The name of a bot: the product before a version, and inside "Mozilla/5.0 (compatible; Examplebot/2.1;
/// ...)" the one that names itself. At most 200 bytes.
std::string crawler_name(std::string_view user_agent);

}  // namespace sheaf::site
