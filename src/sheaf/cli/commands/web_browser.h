#pragma once

#include <string>

namespace sheaf::cli {

/// Shows a URL in the user's browser: the program in $BROWSER, or else xdg-open where there is a desktop.
/// False if there is none; the caller has printed the URL.
bool open_in_browser(const std::string& url);

/// 128 random bits in hexadecimal digits: a token for one run.
std::string random_token();

}  // namespace sheaf::cli
