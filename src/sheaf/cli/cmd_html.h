#pragma once

#include <string>

namespace sheaf::cli {

struct HtmlOptions {
  std::string file;        ///< `-` for standard input
  bool scripting = false;  ///< read `noscript` as a browser with scripts does
  std::string
      selector;  ///< if not empty: print the source offsets and names of what matches instead of the tree
};

/// `sheaf html FILE`: prints the tree of a page (UTF-8) in the form of the html5lib tests. For developers.
/// Gives the exit status: 0 printed, 1 nothing matched the selector, 2 could not tell.
int run_html(const HtmlOptions& options);

}  // namespace sheaf::cli
