#pragma once

#include "sheaf/visibility/page_rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::visibility {

/// What the settings of a web server in a site's folder say about its files: `.htaccess` (Apache), `_headers`
/// and `_redirects` (Netlify, Cloudflare Pages). Settings of a folder hold for all below it.
class FolderRules {
 public:
  /// Adds the `.htaccess` of a folder. An explicit "Require all granted" replaces what the folders above say.
  void add_htaccess(std::string_view text);
  /// Adds `_headers`. Its paths begin at the folder that it is in.
  void add_headers(std::string_view text);
  /// Adds `_redirects`, of which only refusals and rules for roles count.
  void add_redirects(std::string_view text);
  /// Adds settings that cannot be read: the folder is guarded.
  void add_unreadable(std::string_view name);

  /// Judges a file. `path` is relative to the source's folder.
  [[nodiscard]] Verdict judge(std::string_view path) const;

 private:
  struct Rule {
    std::string pattern;  ///< of the file's name, or of its path if it begins with a slash; empty: all files
    bool is_regex = false;
    Verdict verdict;
  };
  class HtaccessReader;

  std::vector<Rule> rules_;
};

}  // namespace sheaf::visibility
