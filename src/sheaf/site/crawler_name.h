#pragma once

#include <string>
#include <string_view>

namespace sheaf::site {

/// Whether a User-Agent is that of a crawler or another program that is not a browser: it has a word like
/// "bot" in it, or does not begin like that of a browser. False if it is empty.
bool names_crawler(std::string_view user_agent);

/// The product name of a crawler without its version, such as "Examplebot" for "Examplebot/2.1" and for
/// "Mozilla/5.0 (compatible; Examplebot/2.1; ...)". At most 200 bytes.
std::string crawler_name(std::string_view user_agent);

}  // namespace sheaf::site
