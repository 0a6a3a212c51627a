#pragma once

#include "sheaf/base/url.h"
#include "sheaf/publish/config/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The URL of a file. `relative_path` is relative to the folder whose URL is `base`, with a trailing slash.
std::string url_of_page_file(const base::Url& base, std::string_view relative_path, Extension extension);

/// A file whose name contains its language: `posts/first.de.md` becomes `de/posts/first.md` in "de", because
/// generators put each language except the first into a separate folder.
struct TranslatedFile {
  std::string place;          ///< the path with the language folder
  std::string_view language;  ///< one of the given languages
};
TranslatedFile translate(std::string_view relative_path, const std::vector<std::string>& languages);

}  // namespace sheaf::publish
