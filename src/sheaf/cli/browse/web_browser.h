#pragma once

#include <string>

namespace sheaf::cli {

/// Shows a URL in the user's browser: the program in $BROWSER, or else xdg-open if there is a desktop.
/// Returns false if no browser was started; the caller must have printed the URL.
bool open_in_browser(const std::string& url);

/// Returns 128 random bits in hexadecimal: an access token for one run.
std::string random_token();

}  // namespace sheaf::cli
